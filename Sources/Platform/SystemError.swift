import CLinux

/// A call to the operating system that failed: which, on what, and why.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The number in `errno` (`errno(3)`).
  public var errno: Int32
  /// The call by its name in the manual: `open`, `VIDIOC_S_FMT`.
  public var call: String
  /// The path or the device that it was made on, where there is one.
  public var path: String?

  /// Makes the error of `call` on `path`.
  public init(errno: Int32, call: String, path: String? = nil) {
    self.errno = errno
    self.call = call
    self.path = path
  }

  /// The system's own words for `errno`.
  public var reason: String { SystemError.reason(errno) }

  /// What the system calls the error with that number, in English.
  public static func reason(_ number: Int32) -> String {
    clinux_error_text(number).map { String(cString: $0) } ?? "error \(number)"
  }

  /// One line: the path, the reason, the call.
  public var description: String {
    let place = path.map { "\($0): " } ?? ""
    return "\(place)\(reason) (\(call))"
  }
}
