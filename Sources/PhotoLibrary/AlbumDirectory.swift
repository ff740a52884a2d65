import CLinux
import Glibc
import Platform

/// Albums, opened by names that may come from anywhere: rows of the catalog, listings, commands.
enum AlbumDirectory {
  /// Opens an album of the library at `root`; with O_PATH unless it is to be synced.
  static func open(
    _ name: String, of root: String, forSync: Bool = false, _ system: any SystemCalls
  ) throws(SystemError) -> Descriptor {
    let folder = try Descriptor(
      opening: root, flags: clinux_o_directory | clinux_o_path, system: system)
    let fd = number(name, in: folder.number, forSync: forSync, system)
    return Descriptor(owning: try system.check(fd, "open", "\(root)/\(name)"), system: system)
  }

  /// The same below an open root; the result is a descriptor, or what went wrong.
  ///
  /// EINVAL for what cannot be an album's name. A link in place of an album is followed only by a
  /// user's own station in a library on the system's own disk: a stick must not lead elsewhere.
  static func number(
    _ name: String, in root: Int32, forSync: Bool = false, _ system: any SystemCalls
  ) -> Int32 {
    guard LibraryConfiguration.isAlbumName(name) else { return -Errno.invalid }
    let flags = clinux_o_directory | (forSync ? 0 : clinux_o_path)
    let fd = system.retrying { $0.openBeneath(root, name, flags, 0) }
    guard [-Errno.loop, -Errno.notADirectory].contains(fd), geteuid() != 0,
      AlbumFolders.isOnSystemDisk(root, system)
    else { return fd }
    return system.retrying { $0.openat(root, name, flags, 0) }
  }
}
