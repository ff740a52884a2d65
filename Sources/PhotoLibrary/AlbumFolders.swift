import CLinux
import Glibc
import Platform

/// The library's directories, opened, and the lock that keeps a second station away.
struct AlbumFolders: ~Copyable {
  let root: Descriptor
  /// The album's directory; `refresh` replaces it after the album was removed and made again.
  var album: Descriptor
  /// Whether the album lies on the disk that the system runs from.
  let isOnSystemDisk: Bool
  private let lock: LibraryLock

  /// Opens the root and the album, and creates and syncs those that are missing.
  static func open(
    _ configuration: LibraryConfiguration, _ system: any SystemCalls
  ) throws(LibraryError) -> AlbumFolders {
    guard configuration.root.hasPrefix("/") else {
      throw LibraryError(
        .notADirectory, "the library path \"\(configuration.root)\" is relative",
        fix: "give a full one")
    }
    try checkMount(configuration)
    let root = try openRoot(configuration.root, system)
    let lock = try LibraryLock(root.number, configuration.root, system)
    let album = try openAlbum(root.number, configuration, system)
    let isOnSystemDisk = AlbumFolders.isOnSystemDisk(album.number, system)
    return AlbumFolders(root: root, album: album, isOnSystemDisk: isOnSystemDisk, lock: lock)
  }

  /// Throws if a disk that belongs at the album, or above it, is not mounted.
  static func checkMount(_ configuration: LibraryConfiguration) throws(LibraryError) {
    let path = "\(configuration.root)/\(configuration.album)"
    guard let place = configuration.mounts.missing(for: path) else { return }
    throw .notMounted(configuration.root, place)
  }

  /// Opens the album below a root, creates it if it is missing, and syncs the root in any case.
  static func openAlbum(
    _ root: Int32, _ configuration: LibraryConfiguration, _ system: any SystemCalls
  ) throws(LibraryError) -> Descriptor {
    let name = configuration.album
    let path = "\(configuration.root)/\(name)"
    do throws(SystemError) {
      var fd = AlbumDirectory.number(name, in: root, forSync: true, system)
      if fd == -Errno.noEntry {
        let made = system.mkdirat(root, name, 0o755)
        if made != -Errno.exists { try system.check(made, "mkdir", path) }
        fd = AlbumDirectory.number(name, in: root, forSync: true, system)
      }
      try system.check(fd, "open", path)
      let album = Descriptor(owning: fd, system: system)
      // A process that created the album may have died before it synced the root.
      try system.check(system.retrying { $0.fsync(root) }, "fsync", configuration.root)
      return album
    } catch {
      throw LibraryError(error, at: path)
    }
  }

  /// Returns whether an open file or directory lies on the disk that the system runs from.
  static func isOnSystemDisk(_ fd: Int32, _ system: any SystemCalls) -> Bool {
    let top = system.open("/", clinux_o_directory | clinux_o_path, 0)
    guard top >= 0 else { return false }
    defer { _ = system.close(top) }
    var (here, there) = (stat(), stat())
    guard system.fstat(fd, &here) >= 0, system.fstat(top, &there) >= 0 else { return false }
    return here.st_dev == there.st_dev
  }

  // MARK: - Making the root

  private static func openRoot(
    _ path: String, _ system: any SystemCalls
  ) throws(LibraryError) -> Descriptor {
    let fd = system.retrying { $0.open(path, clinux_o_directory, 0) }
    if fd >= 0 { return Descriptor(owning: fd, system: system) }
    if fd == -Errno.noEntry { return try make(path, system) }
    throw LibraryError(SystemError(errno: 0 - fd, call: "open", path: path), at: path)
  }

  private static func make(
    _ path: String, _ system: any SystemCalls
  ) throws(LibraryError) -> Descriptor {
    // A directory below one of these paths belongs to a removable disk.
    let isForeign = ["/media/", "/mnt/", "/run/media/"].contains { path.hasPrefix($0) }
    var walked = ""
    do throws(SystemError) {
      // A number, not a `Descriptor`: Swift 6.0 crashes on noncopyable variables that loops
      // replace.
      let flags = clinux_o_directory | clinux_o_path
      var current = try system.check(system.open("/", flags, 0), "open", "/")
      defer { _ = system.close(current) }
      for part in path.split(separator: "/").map(String.init) {
        walked += "/\(part)"
        var fd = system.openat(current, part, flags, 0)
        if fd == -Errno.noEntry {
          if isForeign, isOnSystemDisk(current, system) { break }
          let made = system.mkdirat(current, part, 0o755)
          if made != -Errno.exists { try system.check(made, "mkdir", walked) }
          try syncParent(current, walked, system)
          fd = system.openat(current, part, flags, 0)
        }
        try system.check(fd, "open", walked)
        _ = system.close(current)
        current = fd
      }
      return try Descriptor(opening: path, flags: clinux_o_directory, system: system)
    } catch {
      if error.errno == Errno.noEntry, isForeign {
        throw LibraryError(
          .gone,
          "\(path) does not exist, and its disk seems not to be mounted",
          fix:
            "plug it in, or make the directory yourself if photos shall go to the system's own disk",
          cause: error)
      }
      throw LibraryError(error, at: path)
    }
  }

  private static func syncParent(
    _ parent: Int32, _ path: String, _ system: any SystemCalls
  ) throws(SystemError) {
    // This user cannot open, and so cannot sync, a directory without permission to read it.
    let fd = system.openat(parent, ".", clinux_o_directory, 0)
    guard fd != -Errno.accessDenied else { return }
    try system.check(fd, "open", path)
    let opened = Descriptor(owning: fd, system: system)
    try system.check(system.retrying { $0.fsync(opened.number) }, "fsync", path)
  }

  /// Releases the lock, so that other stations can open the library; writing must have ended.
  func unlock() { lock.release() }
}
