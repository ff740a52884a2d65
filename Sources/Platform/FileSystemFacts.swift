import CLinux
import Glibc

/// The type of a file system by its number in `statfs(2)`.
package struct FileSystemType: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Reads the number from the result of `statfs(2)`.
  package init(_ status: statfs) { rawValue = UInt32(truncatingIfNeeded: status.f_type) }

  /// ext2 to ext4.
  package static let ext = FileSystemType(rawValue: 0xEF53)
  package static let xfs = FileSystemType(rawValue: 0x5846_5342)
  package static let btrfs = FileSystemType(rawValue: 0x9123_683E)
  package static let f2fs = FileSystemType(rawValue: 0xF2F5_2010)
  package static let bcachefs = FileSystemType(rawValue: 0xCA45_1A4E)
  package static let zfs = FileSystemType(rawValue: 0x2FC1_2FC1)
  package static let fat = FileSystemType(rawValue: 0x4D44)
  package static let exfat = FileSystemType(rawValue: 0x2011_BAB0)
  /// NTFS by the driver `ntfs3`, and by the older `ntfs`.
  package static let ntfs3 = FileSystemType(rawValue: 0x7366_746E)
  package static let ntfs = FileSystemType(rawValue: 0x5346_544E)
  package static let nfs = FileSystemType(rawValue: 0x6969)
  package static let overlay = FileSystemType(rawValue: 0x794C_7630)
  package static let tmpfs = FileSystemType(rawValue: 0x0102_1994)
  package static let ramfs = FileSystemType(rawValue: 0x8584_58F6)

  /// Linux's own file systems, on a disk or in memory.
  package static let linux: Set<FileSystemType> = [
    .ext, .xfs, .btrfs, .f2fs, .bcachefs, .zfs, .tmpfs, .ramfs,
  ]

  /// Whether the file system is in memory, and loses its files at power-off.
  package var isInMemory: Bool { self == .tmpfs || self == .ramfs }
}

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
    let number = FileSystemType(status)
    isVolatile = number.isInMemory
    switch number {
    case .ext: type = "ext4"
    case .fat: type = "vfat"
    case .exfat: type = "exfat"
    case .ntfs3, .ntfs: type = "ntfs"
    case .btrfs: type = "btrfs"
    case .xfs: type = "xfs"
    case .f2fs: type = "f2fs"
    case .overlay: type = "overlay"
    case .tmpfs: type = "tmpfs"
    case .ramfs: type = "ramfs"
    default: type = "type \(String(number.rawValue, radix: 16))"
    }
  }
}
