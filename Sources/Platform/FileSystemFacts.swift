import CLinux
import Glibc

/// The properties of a file system.
package struct FileSystemFacts: Equatable, Sendable {
  /// The type, such as `ext4` or `vfat`.
  package var type: String
  /// The number of bytes that an ordinary user may still use.
  package var free: Int64
  /// Whether the file system loses its files at power-off.
  package var isVolatile: Bool

  /// Creates the properties.
  package init(type: String, free: Int64, isVolatile: Bool = false) {
    (self.type, self.free, self.isVolatile) = (type, free, isVolatile)
  }

  /// Reads the properties of the file system of `path`; returns nil if there is no such path.
  package init?(of path: String) {
    var status = statfs()
    guard
      // O_PATH reads nothing, so that opening a pipe does not block.
      let place = try? Descriptor(opening: path, flags: clinux_o_path, system: LinuxSystemCalls()),
      LinuxSystemCalls().fstatfs(place.number, &status) >= 0
    else { return nil }
    free = Int64(clamping: UInt64(status.f_bavail) &* UInt64(status.f_bsize))
    isVolatile = false
    switch UInt32(truncatingIfNeeded: status.f_type) {
    case 0xEF53: type = "ext4"
    case 0x4D44: type = "vfat"
    case 0x2011_BAB0: type = "exfat"
    case 0x7366_746E, 0x5346_544E: type = "ntfs"
    case 0x9123_683E: type = "btrfs"
    case 0x5846_5342: type = "xfs"
    case 0xF2F5_2010: type = "f2fs"
    case 0x794C_7630: type = "overlay"
    case 0x0102_1994: (type, isVolatile) = ("tmpfs", true)
    case 0x8584_58F6: (type, isVolatile) = ("ramfs", true)
    default: type = "type \(String(UInt32(truncatingIfNeeded: status.f_type), radix: 16))"
    }
  }
}
