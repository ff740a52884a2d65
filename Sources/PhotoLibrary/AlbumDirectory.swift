import CLinux
import Glibc
import Platform

/// Opens albums by names from untrusted places: rows of the catalog, listings and commands.
enum AlbumDirectory {
  /// Opens an album of the library at `root`, with O_PATH unless the caller will sync it.
  static func open(
    _ name: String, of root: String, forSync: Bool = false, _ system: any SystemCalls
  ) throws(SystemError) -> Descriptor {
    let folder = try Descriptor(
      opening: root, flags: clinux_o_directory | clinux_o_path, system: system)
    let fd = number(name, in: folder.number, forSync: forSync, system)
    return Descriptor(owning: try system.check(fd, "open", "\(root)/\(name)"), system: system)
  }

  /// Opens an album below an open root and returns the descriptor's number or a negative errno.
  ///
  /// Returns -EINVAL for a name that cannot be an album's. A link in place of an album is followed
  /// only if the station does not run as root and the library lies on the system's own disk. A link
  /// on a removable disk could lead elsewhere.
  static func number(
    _ name: String, in root: Int32, forSync: Bool = false, _ system: any SystemCalls
  ) -> Int32 {
    guard LibraryConfiguration.isAlbumName(name) else { return -Errno.invalid }
    let flags = clinux_o_directory | (forSync ? 0 : clinux_o_path)
    var fd = system.retrying { $0.openBeneath(root, name, flags, 0) }
    // The name has a single component, so O_NOFOLLOW checks as much as `openat2` would.
    if fd == -Errno.notImplemented {
      fd = system.retrying { $0.openat(root, name, flags | clinux_o_nofollow, 0) }
    }
    guard [-Errno.loop, -Errno.notADirectory].contains(fd), geteuid() != 0,
      AlbumFolders.isOnSystemDisk(root, system)
    else { return fd }
    return system.retrying { $0.openat(root, name, flags, 0) }
  }
}
