import Platform

extension LibraryDesk {
  /// What is wrong with a picture, or with a copy of one.
  public struct Finding: Sendable, Hashable, Encodable {
    /// The file.
    public var path: String
    /// `missing`, `changed`, `cut`, `unreadable`.
    public var problem: String
    /// Whether it is a copy, not the photo itself.
    public var isCopy = false
    /// In words, with what can be done.
    public var words: String
    /// Where whole copies may be.
    public var copies: [String]
  }

  /// Reads every file of an album, and its copies on the disks that are there, and compares them
  /// with what was saved.
  ///
  /// Returns what is wrong; `progress` gets how many are done, and how many there are. A file that
  /// was never read before is taken as it is.
  public func verify(
    album: String, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(LibraryError) -> [Finding] {
    let total = try catalog.size(album: album).photos
    let targets = try catalog.identities()
    var findings: [Finding] = []
    var done = 0
    try forEach(album: album) { entry throws(LibraryError) in
      if let finding = try check(entry) { findings.append(finding) }
      if !targets.isEmpty { findings += try checkCopies(entry) }
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

  // Those on disks that are away say nothing.
  private func checkCopies(_ entry: CatalogEntry) throws(LibraryError) -> [Finding] {
    var findings: [Finding] = []
    // Read again after the photo was: it may have been read for the first time.
    let known = try catalog.entry(album: entry.photo.album, name: entry.photo.name)?.checksum
    for (identity, path, row) in try catalog.copyRows(of: entry)
    where row == .copied || row == .conflict {
      var place = "\(path)/\(entry.photo.album)/\(entry.photo.name)"
      var finding = Finding(path: place, problem: "", isCopy: true, words: "", copies: [])
      do throws(SystemError) {
        let found = try CopyTarget.find(
          path, identity: identity, besides: catalog.root, system)
        guard let target = found else { continue }
        let again = "the station makes it again while it runs and the disk is there"
        let condition = try target.condition(of: entry, expected: known)
        // Its directory there may have another name.
        place = target.place(of: entry.photo)
        finding.path = place
        try? note(condition, row, of: entry, in: identity)
        switch condition {
        case .whole: continue
        case .missing:
          finding.problem = "missing"
          finding.words = "the copy \(place) is missing; \(again)"
        case .resized(let bytes) where row == .copied:
          finding.problem = bytes < entry.photo.bytes ? "cut" : "changed"
          finding.words =
            "the copy \(place) has \(bytes) bytes, not \(entry.photo.bytes); \(again)"
        case .resized, .changed:
          finding.problem = "changed"
          finding.words =
            "the copy \(place) is not what was saved; move it away or delete it, and the station "
            + "makes it again"
        case .original:
          finding.problem = "changed"
          finding.words =
            "\(place) is the photo itself, and no copy: another path leads to the library there; "
            + "name a directory on another disk in 'copy.to'"
        }
      } catch {
        finding.problem = "unreadable"
        finding.words = "the copy \(place) cannot be read: \(error.reason); replace its disk"
      }
      findings.append(finding)
    }
    return findings
  }

  // So that nobody relies on one that is damaged, and status says so.
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

  /// The directories that have copies of a photo; by the names that they have there, where the
  /// disk is there.
  public func copyFolders(of entry: CatalogEntry) throws(LibraryError) -> [String] {
    try catalog.copyRows(of: entry).filter { $0.row == .copied }.map { copy in
      let found = try? CopyTarget.find(
        copy.path, identity: copy.target, besides: catalog.root, system)
      guard let target = found ?? nil else { return "\(copy.path)/\(entry.photo.album)" }
      _ = try? target.album(entry.photo.album, makes: false)
      return String(target.place(of: entry.photo).dropLast(entry.photo.name.count + 1))
    }
  }

  /// Makes the catalog of an album anew from its files, and reads those whose bytes nobody knows.
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
