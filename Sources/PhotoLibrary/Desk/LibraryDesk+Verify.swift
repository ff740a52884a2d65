import Platform

extension LibraryDesk {
  /// What is wrong with a picture.
  public struct Finding: Sendable, Hashable, Encodable {
    /// The file.
    public var path: String
    /// `missing`, `changed`, `cut`, `unreadable`.
    public var problem: String
    /// In words, with what can be done.
    public var words: String
    /// Where whole copies may be.
    public var copies: [String]
  }

  /// Reads every file of an album and compares it with what was saved.
  ///
  /// Returns what is wrong; `progress` gets how many are done, and how many there are. A file that
  /// was never read before is taken as it is.
  public func verify(
    album: String, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(LibraryError) -> [Finding] {
    let total = try catalog.size(album: album).photos
    var findings: [Finding] = []
    var done = 0
    try forEach(album: album) { entry throws(LibraryError) in
      if let finding = try check(entry) { findings.append(finding) }
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
    finding.copies = try catalog.copies(of: entry).map { "\($0)/\(entry.photo.album)" }
    if let copy = finding.copies.first {
      finding.words += "; a copy is in \(copy)"
    }
    return finding
  }

  /// Makes the catalog of an album anew from its files, and reads those whose bytes nobody knows.
  public func rebuild(
    album: String, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(LibraryError) -> Catalog.Changes {
    guard access != .reader else {
      throw LibraryError(
        .denied, "only who may write to \(configuration.root) can make its catalog anew")
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
