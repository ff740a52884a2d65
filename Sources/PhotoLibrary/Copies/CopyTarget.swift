import CLinux
import Glibc
import Platform

/// A present directory for copies.
///
/// The random name in its `.retake-copies` identifies it. So another stick at the same path is
/// another target, and the same stick at another path is the same target.
///
/// All its content may be foreign. Therefore files are opened below its descriptor, no link is
/// followed, and only regular files are read.
struct CopyTarget: ~Copyable {
  let path: String
  let identity: String
  let folder: Descriptor
  let system: any SystemCalls
  /// The directories of the albums.
  let albums = AlbumNames()

  /// Opens the target; returns nil while it does not exist, or while its disk is not mounted.
  static func open(
    _ path: String, besides library: String, _ system: any SystemCalls
  ) throws(CopyRefusal) -> CopyTarget? {
    guard let folder = try openFolder(path, besides: library, system) else { return nil }
    let identity: String
    do throws(SystemError) {
      if let known = try readIdentity(folder.number, path, system) {
        identity = known
      } else {
        identity = try identify(folder.number, path, system)
      }
    } catch {
      throw .failed(error)
    }
    guard !shows(library, identity, system) else {
      throw .unfit(
        "\(path) shows the library by another file system, and nothing there would be a copy: name "
          + "a directory on another disk in 'copy.to'")
    }
    return CopyTarget(path: path, identity: identity, folder: folder, system: system)
  }

  /// Opens a directory that has been used for copies before; creates nothing.
  ///
  /// With an identity, only that target is returned. Returns nil for a missing directory, and for
  /// one that may hold no copies.
  static func find(
    _ path: String, identity: String? = nil, besides library: String, _ system: any SystemCalls
  ) throws(SystemError) -> CopyTarget? {
    let folder: Descriptor
    do throws(CopyRefusal) {
      guard let found = try openFolder(path, besides: library, system) else { return nil }
      folder = found
    } catch {
      switch error {
      case .failed(let cause): throw cause
      case .library, .unfit: return nil
      }
    }
    let known = try readIdentity(folder.number, path, system)
    guard let known, known == identity ?? known, !shows(library, known, system) else { return nil }
    return CopyTarget(path: path, identity: known, folder: folder, system: system)
  }

  private static func openFolder(
    _ path: String, besides library: String, _ system: any SystemCalls
  ) throws(CopyRefusal) -> Descriptor? {
    let isForeign = CopyPlace.isForeign(path)
    guard let folder = try CopyPlace.open(path, isForeign: isForeign, system) else { return nil }
    if MountTable().missing(for: path) != nil { return nil }
    if isForeign, AlbumFolders.isOnSystemDisk(folder.number, system) { return nil }
    try CopyPlace.check(folder.number, path, besides: library, system)
    return folder
  }

  // Returns whether the library itself has the target's mark.
  //
  // A bind mount with bindfs, an overlay, or a network share of this machine shows the same files
  // with other devices and inodes.
  private static func shows(
    _ library: String, _ identity: String, _ system: any SystemCalls
  ) -> Bool {
    guard
      let root = try? Descriptor(
        opening: library, flags: clinux_o_directory | clinux_o_path, system: system)
    else { return false }
    let found = try? readIdentity(root.number, library, system)
    withExtendedLifetime(root) {}
    return found == identity
  }

  // MARK: - Identity

  /// The name of the file that marks a directory of copies and identifies it.
  static let mark = ".retake-copies"

  private static func identify(
    _ folder: Int32, _ path: String, _ system: any SystemCalls
  ) throws(SystemError) -> String {
    var generator = SystemRandomNumberGenerator()
    let identity = (0..<4).map { _ -> String in
      let digits = String(UInt32.random(in: .min ... .max, using: &generator), radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
    let place = "\(path)/\(mark)"
    // A damaged mark that a power cut left may be there.
    let flags = O_WRONLY | O_CREAT | clinux_o_nofollow | clinux_o_nonblock
    let new = system.openBeneath(folder, mark, flags, 0o644)
    try checkNode(new, place)
    try system.check(new, "open", place)
    // A number, not a `Descriptor`: Swift 6.0 does not capture noncopyable values in the closure.
    defer { _ = system.close(new) }
    try checkRegular(new, place, system)
    try system.check(system.truncate(new, 0), "truncate", place)
    try system.writeAll(new, Array("\(identity)\n".utf8), place)
    try system.check(system.retrying { $0.fsync(new) }, "fsync", place)
    try system.check(system.retrying { $0.fsync(folder) }, "fsync", path)
    return identity
  }

  // Returns nil if there is no mark yet, or no valid one.
  private static func readIdentity(
    _ folder: Int32, _ path: String, _ system: any SystemCalls
  ) throws(SystemError) -> String? {
    let place = "\(path)/\(mark)"
    // O_NONBLOCK keeps a pipe with this name from blocking the copier.
    let flags = O_RDONLY | clinux_o_nofollow | clinux_o_nonblock
    let fd = system.retrying { $0.openBeneath(folder, mark, flags, 0) }
    if fd == -Errno.noEntry { return nil }
    try checkNode(fd, place)
    try system.check(fd, "open", place)
    defer { _ = system.close(fd) }
    try checkRegular(fd, place, system)
    let digits = try system.readAll(fd, limit: 64, place).prefix {
      (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
    }
    return digits.count == 32 ? String(decoding: digits, as: UTF8.self) : nil
  }

  // Rejects a socket, or a pipe without a reader, for which opening returns ENXIO.
  //
  // The error does not mean a missing disk, because the disk's directory is open.
  private static func checkNode(_ result: Int32, _ place: String) throws(SystemError) {
    guard result == -Errno.noSuchDevice else { return }
    throw SystemError(errno: Errno.notAFile, call: "open", path: place)
  }

  private static func checkRegular(
    _ fd: Int32, _ place: String, _ system: any SystemCalls
  ) throws(SystemError) {
    var status = stat()
    try system.check(system.fstat(fd, &status), "fstat", place)
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SystemError(errno: Errno.notAFile, call: "open", path: place)
    }
  }
}
