import CLinux
import Glibc
import Platform

/// A directory that copies go to, while it is there.
///
/// It is known again by the random name in its `.retake-copies`, so that another stick at the same
/// place is another target, and the same stick at another place is the same one.
struct CopyTarget: ~Copyable {
  let path: String
  let identity: String
  let folder: Descriptor
  let system: any SystemCalls

  /// What says that it is not there.
  static let absences = [
    -Errno.noEntry, -Errno.noDevice, -Errno.noSuchDevice, -Errno.notConnected,
  ]

  /// Nil while it is not there, or while its disk is not mounted there.
  static func open(
    _ path: String, besides library: String, _ system: any SystemCalls
  ) throws(SystemError) -> CopyTarget? {
    let fd = system.retrying { $0.open(path, clinux_o_directory, 0) }
    if absences.contains(fd) { return nil }
    try system.check(fd, "open", path)
    let folder = Descriptor(owning: fd, system: system)
    if MountTable().missing(for: path) != nil { return nil }
    let isForeign = ["/media/", "/mnt/", "/run/media/"].contains { path.hasPrefix($0) }
    if isForeign, AlbumFolders.isOnSystemDisk(folder.number, system) { return nil }
    let identity = try identify(folder.number, path, system)
    return CopyTarget(path: path, identity: identity, folder: folder, system: system)
  }

  private static func identify(
    _ folder: Int32, _ path: String, _ system: any SystemCalls
  ) throws(SystemError) -> String {
    if let known = try readIdentity(folder, path, system) { return known }
    var generator = SystemRandomNumberGenerator()
    let identity = (0..<4).map { _ -> String in
      let digits = String(UInt32.random(in: .min ... .max, using: &generator), radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
    let new = system.openat(
      folder, name, O_WRONLY | O_CREAT | O_TRUNC | clinux_o_nofollow | clinux_o_nonblock, 0o644)
    try system.check(new, "open", "\(path)/\(name)")
    // A number, not a `Descriptor`, which Swift 6.0 does not let into the closure.
    defer { _ = system.close(new) }
    let text = Array("\(identity)\n".utf8)
    let count = text.withUnsafeBytes { system.write(new, $0) }
    try system.check(count == text.count ? count : Int(-Errno.noSpace), "write", "\(path)/\(name)")
    try system.check(system.fsync(new), "fsync", "\(path)/\(name)")
    try system.check(system.fsync(folder), "fsync", path)
    return identity
  }

  private static let name = ".retake-copies"

  /// Nil where there is none yet, or none that can be.
  static func readIdentity(
    _ folder: Int32, _ path: String, _ system: any SystemCalls
  ) throws(SystemError) -> String? {
    let fd = system.openat(folder, name, O_RDONLY | clinux_o_nofollow | clinux_o_nonblock, 0)
    if fd == -Errno.noEntry { return nil }
    try system.check(fd, "open", "\(path)/\(name)")
    var text = [UInt8](repeating: 0, count: 64)
    let count = text.withUnsafeMutableBytes { system.read(fd, $0) }
    _ = system.close(fd)
    let digits = text.prefix(max(0, count)).prefix {
      (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
    }
    return digits.count == 32 ? String(decoding: digits, as: UTF8.self) : nil
  }

  /// Opens an album in it, and makes it where it is missing.
  func album(_ name: String, makes: Bool = true) throws(SystemError) -> Descriptor? {
    var fd = system.openat(folder.number, name, clinux_o_directory, 0)
    if fd == -Errno.noEntry {
      guard makes else { return nil }
      let made = system.mkdirat(folder.number, name, 0o755)
      if made != -Errno.exists { try system.check(made, "mkdir", "\(path)/\(name)") }
      try system.check(system.fsync(folder.number), "fsync", path)
      fd = system.openat(folder.number, name, clinux_o_directory, 0)
    }
    try system.check(fd, "open", "\(path)/\(name)")
    return Descriptor(owning: fd, system: system)
  }
}
