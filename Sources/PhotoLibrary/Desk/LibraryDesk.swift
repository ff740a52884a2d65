import CLinux
import Glibc
import Platform

/// A library as its operator works with it, beside a running station or without one.
///
/// If no station runs, opening the library does what a station's start does: it first repairs what
/// a power cut left. Disks of copies and of exports may never answer. A thread of its own waits for
/// each of them (`DiskWorkers`), after the library's lock was released for other stations.
public final class LibraryDesk: Sendable {
  /// The configuration that the library was opened with.
  public let configuration: LibraryConfiguration
  /// The catalog, up to date.
  public let catalog: Catalog
  /// Whether a station has the library now.
  public let hasStation: Bool
  /// The names of the albums for people.
  package let titles: AlbumTitles
  let access: Catalog.Access
  let system: any SystemCalls
  let media: DiskWorkers
  // Holds the lock until `letGo()`, so that no station starts meanwhile.
  let library: PhotoLibrary?

  /// Opens an existing library; throws if there is none.
  ///
  /// `media` has the threads that wait for the disks of copies and of exports. Blocks on the
  /// library's disk.
  public init(
    configuration: LibraryConfiguration, media: DiskWorkers = DiskWorkers(),
    system: any SystemCalls = LinuxSystemCalls()
  ) throws(LibraryError) {
    self.configuration = configuration
    self.media = media
    self.system = system
    let root = configuration.root
    try AlbumFolders.checkMount(configuration)
    let mayWrite: Bool
    do throws(SystemError) {
      let folder = try Descriptor(
        opening: root, flags: clinux_o_directory | clinux_o_path, system: system)
      mayWrite = system.access(folder.number, R_OK | W_OK | X_OK) >= 0
    } catch {
      guard error.errno == Errno.noEntry else { throw LibraryError(error, at: root) }
      throw LibraryError(
        .gone, "there is no library at \(root)",
        fix: "the first photo makes one, or set 'library.path'", cause: error)
    }
    var library: PhotoLibrary?
    var access = Catalog.Access.holder
    do throws(LibraryError) {
      library = try PhotoLibrary(configuration: configuration, system: system)
    } catch {
      switch error.code {
      case .inUse: access = .visitor
      // A user who may only read the photos may list, check and export them.
      case .denied, .readOnly: access = .reader
      default: throw error
      }
    }
    self.library = library
    titles = AlbumTitles(root: root, system: system)
    if !mayWrite { access = .reader }
    hasStation = access == .visitor
    self.access = access
    catalog = try Catalog(root: root, access: access, system: system)
    let catalog = catalog
    try retrying { () throws(LibraryError) in
      try catalog.inspect()
      for album in try self.albums() {
        do throws(LibraryError) {
          _ = try catalog.synchronize(album: album)
        } catch {
          // A new catalog is filled in the next pass; an album that cannot be read does not hide
          // the others.
          if error.code == .failing { throw error }
          Log("library").warning(
            "the album \(album) is listed as it was known: \(error.operatorMessage)")
        }
      }
    }
  }

  /// Returns whether the library is yet to be made by its first photo; it blocks on the disk.
  ///
  /// That is so where nothing is at its path, and the path is neither below a disk that is to be mounted
  /// nor below a place where disks of others are.
  public static func isYetToBeMade(
    _ configuration: LibraryConfiguration, system: any SystemCalls = LinuxSystemCalls()
  ) -> Bool {
    let root = configuration.root
    guard root.hasPrefix("/"), !CopyPlace.isForeign(root),
      configuration.mounts.missing(for: root) == nil
    else { return false }
    let folder = system.open(root, clinux_o_path, 0)
    if folder >= 0 { _ = system.close(folder) }
    return folder == -Errno.noEntry
  }

  // Runs `body` again if it met damage, after which the catalog was replaced.
  private func retrying(_ body: () throws(LibraryError) -> Void) throws(LibraryError) {
    for _ in 0..<2 {
      let before = catalog.replacements
      do throws(LibraryError) {
        return try body()
      } catch {
        guard catalog.replacements > before else { throw error }
      }
    }
    try body()
  }

  /// Returns the albums, by their directories' names.
  public func albums() throws(LibraryError) -> [String] {
    try PhotoLibrary.albums(root: configuration.root, system: system)
  }

  /// Returns a photo by its name or its number.
  public func find(_ word: String, album: String) throws(LibraryError) -> CatalogEntry {
    let number = PhotoName.number(digits: Array(word.utf8))
    let names = number.map { number in PhotoKind.allCases.map { PhotoName.name(number, $0) } }
    // The word may be a name with control characters escaped, as it was printed.
    for name in names ?? [word, word.fromPlain] {
      if let entry = try catalog.entry(album: album, name: name) { return entry }
    }
    throw LibraryError(
      .notFound,
      "there is no photo '\(word)' in the album '\(titles.title(album))'",
      fix: "'retake photos list' shows those there are")
  }

  /// Calls `body` with every picture of an album, newest first, and pictures from elsewhere last.
  public func forEach(
    album: String, limit: Int = .max, _ body: (CatalogEntry) throws(LibraryError) -> Void
  ) throws(LibraryError) {
    var last: CatalogEntry?
    var left = limit
    while left > 0 {
      let page = try catalog.page(album: album, after: last, limit: min(left, 500))
      for entry in page { try body(entry) }
      guard let end = page.last else { return }
      last = end
      left -= page.count
    }
  }

  /// Deletes a photo: the file, its row and its copies.
  ///
  /// Copies on absent disks are deleted when those disks return.
  public func delete(_ entry: CatalogEntry) throws(LibraryError) {
    try PhotoDeletion(catalog: catalog).delete(entry)
  }

  /// Deletes the copies that are due on the present disks, and waits for each for a limited time.
  public func deleteCopies() throws(LibraryError) {
    letGo()
    Copier(catalog: catalog, targets: targetPaths(), media: media, system: system).removeOnly()
  }

  private func targetPaths() -> [String] { (try? catalog.targets()) ?? [] }

  /// Marks a photo to be kept by retention, or removes the mark.
  ///
  /// The mark is the missing permission to write the file.
  public func keep(_ entry: CatalogEntry, _ isKept: Bool) throws(LibraryError) {
    let directory = try catalog.open(album: entry.photo.album)
    do throws(SystemError) {
      // The permission of the open file is changed, so that no link leads elsewhere.
      guard let file = try PhotoFile.open(entry.photo.name, in: directory.number, system) else {
        throw SystemError(errno: Errno.noEntry, call: "open", path: entry.photo.path)
      }
      try system.check(
        system.chmod(file.file.number, isKept ? 0o444 : 0o644), "chmod", entry.photo.path)
    } catch {
      throw LibraryError(error, at: entry.photo.path)
    }
    try catalog.add(entry.photo, checksum: entry.checksum)
  }

  /// Returns the statistics of the sessions.
  public func statistics() throws(LibraryError) -> SessionStatistics {
    try SessionStatistics(root: configuration.root, system: system)
  }
}
