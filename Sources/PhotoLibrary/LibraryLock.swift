import CLinux
import Glibc
import Platform

/// The lock of a library, which keeps a second station away.
///
/// The kernel releases the lock when the process dies.
struct LibraryLock: ~Copyable {
  // The lock is released explicitly, because closing the file is not enough. A child process has a
  // copy of the descriptor until it executes another program, and the lock would last as long.
  private let file: Descriptor

  /// Takes the lock of the library at `path`, which is open as `root`.
  init(_ root: Int32, _ path: String, _ system: any SystemCalls) throws(LibraryError) {
    file = try LibraryLock.take(root, path, system)
  }

  deinit { release() }

  /// Releases the lock; further calls have no effect.
  func release() { _ = file.system.lock(file.number, LOCK_UN) }

  private static func take(
    _ root: Int32, _ path: String, _ system: any SystemCalls
  ) throws(LibraryError) -> Descriptor {
    do throws(SystemError) {
      let name = ".retake.lock"
      let lock = try OwnFile.open(
        name, in: root, at: path, flags: O_RDWR | O_CREAT, mode: 0o644, system)
      let fd = lock.number
      let locked = system.retrying { $0.lock(fd, LOCK_EX | LOCK_NB) }
      switch locked {
      case -Errno.again:
        let pid = holder(fd, system).map { " (process \($0))" } ?? ""
        throw SystemError(errno: Errno.again, call: "flock", path: pid)
      case -Errno.notImplemented, -Errno.notSupported, -Errno.noLocks:
        Log("library").warning(
          "the file system of \(path) has no locks: a second station would not be noticed")
      default: try system.check(locked, "flock", "\(path)/\(name)")
      }
      // The number is only for a second station's message. The text always has the same length, so
      // that it covers an older one.
      var text = Array("\(getpid())".utf8)
      text += [UInt8](repeating: 0x20, count: max(0, 11 - text.count)) + [0x0A]
      _ = text.withUnsafeBytes { system.write(fd, $0) }
      return lock
    } catch {
      if error.call == "flock", error.errno == Errno.again {
        throw LibraryError(
          .inUse,
          "another station\(error.path ?? "") has the library \(path)",
          fix: "stop it, or set another 'library.path'",
          cause: SystemError(errno: Errno.again, call: "flock", path: path))
      }
      throw LibraryError(error, at: path)
    }
  }

  private static func holder(_ fd: Int32, _ system: any SystemCalls) -> Int? {
    var text = [UInt8](repeating: 0, count: 12)
    let count = text.withUnsafeMutableBytes { system.read(fd, $0) }
    guard count > 0 else { return nil }
    return PhotoName.number(digits: text.prefix(count).prefix { (0x30...0x39).contains($0) })
  }
}
