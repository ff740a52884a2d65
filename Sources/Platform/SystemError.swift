import CLinux

/// A failed call to the operating system, with its path and its error number.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The number in `errno` (`errno(3)`).
  public var errno: Int32
  /// The call by its name in the manual, such as `open` or `VIDIOC_S_FMT`.
  public var call: String
  /// The path or the device of the call, if it has one.
  public var path: String?

  /// Creates the error of `call` on `path`.
  public init(errno: Int32, call: String, path: String? = nil) {
    self.errno = errno
    self.call = call
    self.path = path
  }

  /// The system's text for `errno`.
  public var reason: String { SystemError.reason(errno) }

  /// Returns the system's text for an error number, in English.
  public static func reason(_ number: Int32) -> String {
    clinux_error_text(number).map { String(cString: $0) } ?? "error \(number)"
  }

  /// One line with the path, the reason and the call.
  public var description: String {
    let place = path.map { "\($0): " } ?? ""
    return "\(place)\(reason) (\(call))"
  }
}
