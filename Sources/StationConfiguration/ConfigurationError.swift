/// A fault of a configuration, as one sentence with the place and the fix.
public struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file, as the caller named it.
  public var file: String?
  /// The line in the file, counted from 1.
  public var line: Int?
  /// The column in the line, counted from 1.
  public var column: Int?
  /// The fault and its fix.
  public var message: String

  /// The error as `FILE:LINE:COLUMN: message`.
  public var description: String {
    guard let file else { return message }
    guard let line else { return "\(file): \(message)" }
    return "\(file):\(line):\(column ?? 1): \(message)"
  }
}
