import Glibc
import Platform

/// Reads the text of a configuration's file; whatever stands in its place, it does not wait for it.
enum ConfigurationFile {
  /// More than a megabyte is no configuration.
  static let limit = 1 << 20

  enum Problem: Error, Equatable, CustomStringConvertible {
    case missing
    case denied
    /// What is there in place of a file.
    case noFile(String)
    case tooLarge
    case other(String)

    var description: String {
      switch self {
      case .missing: "is not there"
      case .denied: "cannot be read: permission is denied"
      case .noFile(let what): "is \(what), and must be a plain file"
      case .tooLarge: "is larger than 1 MB, and no configuration is"
      case .other(let reason): "cannot be read: \(reason)"
      }
    }
  }

  static func read(_ path: String) -> Result<String, Problem> {
    let system = LinuxSystemCalls()
    do throws(SystemError) {
      // Without waiting: a pipe has nobody at its other end.
      let file = try Descriptor(
        opening: path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY, system: system)
      var status = stat()
      try system.check(system.fstat(file.number, &status), "fstat", path)
      if let what = kind(status.st_mode) { return .failure(.noFile(what)) }
      guard status.st_size <= limit else { return .failure(.tooLarge) }
      return .success(String(decoding: try readBytes(file, path, limit: limit), as: UTF8.self))
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
