import CLinux
import Glibc
import Platform

/// A library as its operator works with it, beside a running station or without one.
///
/// While no station runs, opening it does what a station's start does: what a power cut left is
/// put right first. Disks of copies and of exports may never answer: each is waited for on a thread of
/// its own (``DiskWorkers``), and while no station is kept away.
public final class LibraryDesk: Sendable {
  /// What it was opened with.
  public let configuration: LibraryConfiguration
  /// The catalog, up to date.
  public let catalog: Catalog
  /// Whether a station has the library now.
  public let hasStation: Bool
  /// What people call the albums.
  public let titles: AlbumTitles
  let access: Catalog.Access
  let system: any SystemCalls
  let media: DiskWorkers
  // Holds the lock, so that no station starts meanwhile, until `letGo()`.
  let library: PhotoLibrary?

  /// Opens a library that is there; makes none.
  ///
  /// `media` has the threads that wait for the disks of copies and of exports.
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
        .gone, "there is no library at \(root); the first photo makes one, or set 'library.path'",
        cause: error)
    }
    var library: PhotoLibrary?
    var access = Catalog.Access.holder
    do throws(LibraryError) {
      library = try PhotoLibrary(configuration: configuration, system: system)
    } catch {
      switch error.code {
      case .inUse: access = .visitor
      // Whoever may read the photos may list, check and export them.
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
          // A catalog that was made anew is filled once more; an album that cannot be read does
          // not hide the others.
          if error.code == .failing { throw error }
          Log("library").warning("the album \(album) is listed as it was known: \(error.message)")
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

  // Damage is met once: then the catalog is made anew.
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

  /// The albums, by their directories' names.
  public func albums() throws(LibraryError) -> [String] {
    try PhotoLibrary.albums(root: configuration.root, system: system)
  }

  /// Finds a photo by its name or its number.
  public func find(_ word: String, album: String) throws(LibraryError) -> CatalogEntry {
    let number = PhotoName.number(digits: Array(word.utf8))
    let names = number.map { number in PhotoKind.allCases.map { PhotoName.name(number, $0) } }
    // A name may be given back as it was printed.
    for name in names ?? [word, word.fromPlain] {
      if let entry = try catalog.entry(album: album, name: name) { return entry }
    }
    throw LibraryError(
      .notFound,
      "there is no photo '\(word)' in the album '\(titles.title(album))'; 'retake photos list' shows those there are"
    )
  }

  /// Passes on every picture of an album, newest first.
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

  /// Deletes a photo: file, thumbnail, row, and copies; those on disks that are away, when they
  /// return.
  public func delete(_ entry: CatalogEntry) throws(LibraryError) {
    try PhotoDeletion(catalog: catalog).delete(entry)
  }

  /// Deletes the copies that are due on the disks that are there, and waits for none without an end.
  public func deleteCopies() throws(LibraryError) {
    letGo()
    Copier(catalog: catalog, targets: targetPaths(), media: media, system: system).removeOnly()
  }

  private func targetPaths() -> [String] { (try? catalog.targets()) ?? [] }

  /// Marks a photo so that retention leaves it alone, by taking its file's permission to be
  /// written; or takes the mark away.
  public func keep(_ entry: CatalogEntry, _ isKept: Bool) throws(LibraryError) {
    let directory = try catalog.open(album: entry.photo.album)
    do throws(SystemError) {
      // Of the file that is open, never of what a name leads to.
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

  /// The account of the sessions.
  public func statistics() throws(LibraryError) -> SessionStatistics {
    try SessionStatistics(root: configuration.root, system: system)
  }
}
