import Platform

extension LibraryDesk {
  /// A problem with a picture, or with a copy of one.
  public struct Finding: Sendable, Hashable, Encodable {
    /// The path of the file.
    public var path: String
    /// The kind of the problem: `missing`, `changed`, `cut`, `unreadable`, or `silent`.
    ///
    /// `silent` is the problem of a directory of copies whose disk does not answer.
    public var problem: String
    /// Whether the file is a copy, not the photo itself.
    public var isCopy = false
    /// The problem in words, with a possible fix.
    public var words: String
    /// The directories that may have whole copies.
    public var copies: [String]
  }

  /// Reads every file of an album, and its copies on the present disks, and compares them with the
  /// saved checksums.
  ///
  /// Returns the problems. `progress` gets the number of checked pictures, and their total. A file
  /// that was never read before is accepted as it is. Blocks on the disks.
  public func verify(
    album: String, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(LibraryError) -> [Finding] {
    let total = try catalog.size(album: album).photos
    let targets = try catalog.identities()
    var findings: [Finding] = []
    var silent: Set<FileName> = []
    var done = 0
    try forEach(album: album) { entry throws(LibraryError) in
      if let finding = try check(entry) { findings.append(finding) }
      if !targets.isEmpty { findings += try checkCopies(entry, silent: &silent) }
      done += 1
      progress(done, max(total, done))
    }
    return findings
  }

  private func check(_ entry: CatalogEntry) throws(LibraryError) -> Finding? {
    let path = entry.photo.path
    let directory = try catalog.open(album: entry.photo.album)
    var finding = Finding(path: path, problem: "", words: "", copies: [])
    do throws(SystemError) {
      if let file = try PhotoFile.open(entry.photo.name, in: directory.number, system) {
        let checksum = try file.checksum()
        guard let expected = entry.checksum else {
          try? catalog.note(checksum, for: entry.id)
          return nil
        }
        if checksum == expected { return nil }
        finding.problem = file.bytes < entry.photo.bytes ? "cut" : "changed"
        finding.words =
          finding.problem == "cut"
          ? "\(path) has \(file.bytes) of \(entry.photo.bytes) bytes"
          : "\(path) is not what was saved: its bytes changed"
      } else {
        finding.problem = "missing"
        finding.words = "\(path) is missing"
      }
    } catch {
      finding.problem = "unreadable"
      finding.words = "\(path) cannot be read: \(error.reason)"
    }
    finding.copies = try copyFolders(of: entry)
    if let copy = finding.copies.first {
      finding.words += "; a copy is in \(copy)"
    }
    return finding
  }

  // The result of checking one copy.
  private struct CopyLook: Sendable {
    /// The copy's path, with the album's directory as it is named there.
    var place: String
    var condition: CopyCondition
  }

  // Checks the copies on the present disks. A disk that does not answer is reported once, and its
  // other copies are skipped.
  private func checkCopies(
    _ entry: CatalogEntry, silent: inout Set<FileName>
  ) throws(LibraryError) -> [Finding] {
    var findings: [Finding] = []
    // The row is read again, because the photo's checksum may have been recorded just before.
    let known = try catalog.entry(album: entry.photo.album, name: entry.photo.name)?.checksum
    let system = SteppedSystemCalls(system)
    for (identity, path, row) in try catalog.copyRows(of: entry)
    where (row == .copied || row == .conflict) && !silent.contains(FileName(path)) {
      var place = "\(path)/\(entry.photo.album)/\(entry.photo.name)"
      var finding = Finding(path: place, problem: "", isCopy: true, words: "", copies: [])
      do throws(SystemError) {
        let found = try onDisk(of: path) { [root = catalog.root] () throws(SystemError) in
          try LibraryDesk.look(at: path, identity, besides: root, entry, known, system)
        }
        guard let found else { continue }
        place = found.place
        finding.path = place
        try? note(found.condition, row, of: entry, in: identity)
        guard let (problem, words) = describe(found, row, entry) else { continue }
        (finding.problem, finding.words) = (problem, words)
      } catch {
        if error.errno == Errno.timedOut {
          silent.insert(FileName(path))
          finding.path = path
          finding.problem = "silent"
          finding.words =
            "the copies in \(path) cannot be checked: \(LibraryError(error, at: path).operatorMessage)"
        } else {
          finding.problem = "unreadable"
          finding.words = "the copy \(place) cannot be read: \(error.reason); replace its disk"
        }
      }
      findings.append(finding)
    }
    return findings
  }

  private static func look(
    at path: String, _ identity: String, besides root: String, _ entry: CatalogEntry,
    _ known: Checksum?, _ system: any SystemCalls
  ) throws(SystemError) -> CopyLook? {
    let found = try CopyTarget.find(path, identity: identity, besides: root, system)
    guard let target = found else { return nil }
    let condition = try target.condition(of: entry, expected: known)
    return CopyLook(place: target.place(of: entry.photo), condition: condition)
  }

  // Returns the problem and its words; nil for a whole copy.
  private func describe(
    _ look: CopyLook, _ row: CopyRow, _ entry: CatalogEntry
  ) -> (String, String)? {
    let place = look.place
    let again = "the station makes it again while it runs and the disk is there"
    switch look.condition {
    case .whole: return nil
    case .missing: return ("missing", "the copy \(place) is missing; \(again)")
    case .resized(let bytes) where row == .copied:
      return (
        bytes < entry.photo.bytes ? "cut" : "changed",
        "the copy \(place) has \(bytes) bytes, not \(entry.photo.bytes); \(again)"
      )
    case .resized, .changed:
      return (
        "changed",
        "the copy \(place) is not what was saved; move it away or delete it, and the station "
          + "makes it again"
      )
    case .original:
      return (
        "changed",
        "\(place) is the photo itself, and no copy: another path leads to the library there; "
          + "name a directory on another disk in 'copy.to'"
      )
    }
  }

  // Records a damaged copy, so that nothing relies on it and the status shows it.
  private func note(
    _ condition: CopyCondition, _ row: CopyRow, of entry: CatalogEntry, in target: String
  ) throws(LibraryError) {
    guard access != .reader else { return }
    switch (condition, row) {
    case (.changed, .copied), (.original, .copied):
      try catalog.note(.conflict, of: entry.id, in: target)
    case (.whole, .conflict) where entry.checksum != nil:
      try catalog.note(.copied, of: entry.id, in: target)
    default: break
    }
  }

  /// Returns the directories that have copies of a photo.
  ///
  /// The album's directory has its name on the disk, if that is present and answers.
  public func copyFolders(of entry: CatalogEntry) throws(LibraryError) -> [String] {
    let system = SteppedSystemCalls(system)
    let root = catalog.root
    return try catalog.copyRows(of: entry).filter { $0.row == .copied }.map { copy in
      let found = try? onDisk(of: copy.path) { () throws(SystemError) in
        try LibraryDesk.folder(of: entry, in: copy.path, copy.target, besides: root, system)
      }
      return (found ?? nil) ?? "\(copy.path)/\(entry.photo.album)"
    }
  }

  private static func folder(
    of entry: CatalogEntry, in path: String, _ identity: String, besides root: String,
    _ system: any SystemCalls
  ) throws(SystemError) -> String? {
    let found = try CopyTarget.find(path, identity: identity, besides: root, system)
    guard let target = found else { return nil }
    target.lookUp(entry.photo.album)
    return target.folder(of: entry.photo)
  }

  /// Builds the catalog of an album anew from its files, and reads the files without a checksum.
  ///
  /// Blocks on the disk.
  public func rebuild(
    album: String, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(LibraryError) -> Catalog.Changes {
    guard access != .reader else {
      throw LibraryError(
        .denied, "only who may write to \(configuration.root) can make its catalog again")
    }
    let changes = try catalog.rebuild(album: album)
    var done = 0
    try forEach(album: album) { entry throws(LibraryError) in
      if entry.checksum == nil, let checksum = try catalog.checksum(of: entry.photo) {
        try catalog.note(checksum, for: entry.id)
      }
      done += 1
      progress(done, changes.photos)
    }
    return changes
  }
}
