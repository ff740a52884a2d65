import Glibc
import Platform

/// Reads the bytes of a configuration file, and never blocks on a pipe or a device in its place.
package enum ConfigurationFile {
  /// The maximum number of bytes; a configuration with every key and its meaning has 20 KB.
  static let limit = 1 << 18

  package enum Problem: Error, Equatable, CustomStringConvertible {
    case missing
    case denied
    /// The kind of the object in place of a file.
    case noFile(String)
    case tooLarge
    case other(String)

    package var description: String {
      switch self {
      case .missing: "does not exist"
      case .denied: "cannot be read: permission is denied"
      case .noFile(let what): "is \(what), and must be a plain file"
      case .tooLarge: "is larger than 256 KB, and no configuration is"
      case .other(let reason): "cannot be read: \(reason)"
      }
    }
  }

  package static func read(_ path: String) -> Result<[UInt8], Problem> {
    let system = LinuxSystemCalls()
    do throws(SystemError) {
      // `O_NONBLOCK` keeps the call from waiting for the other end of a pipe.
      let file = try Descriptor(
        opening: path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY, system: system)
      var status = stat()
      try system.check(system.fstat(file.number, &status), "fstat", path)
      if let what = kind(status.st_mode) { return .failure(.noFile(what)) }
      guard status.st_size <= limit else { return .failure(.tooLarge) }
      return .success(try readBytes(file, path, limit: limit))
    } catch {
      switch error.errno {
      case ENOENT, ENOTDIR: return .failure(.missing)
      case EACCES, EPERM: return .failure(.denied)
      case EFBIG: return .failure(.tooLarge)
      case ENXIO: return .failure(.noFile("a socket"))
      default: return .failure(.other(error.reason))
      }
    }
  }

  private static func kind(_ mode: mode_t) -> String? {
    switch mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "a directory"
    case S_IFIFO: "a pipe"
    case S_IFCHR, S_IFBLK: "a device"
    default: "something else"
    }
  }
}
