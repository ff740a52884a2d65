/// What is wrong with a configuration: one sentence with the place and the fix.
public struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file, as it was named.
  public var file: String?
  /// The line in it, from 1.
  public var line: Int?
  /// The column in the line, from 1.
  public var column: Int?
  /// What is wrong, and what would be right.
  public var message: String

  /// `FILE:LINE:COLUMN: message`.
  public var description: String {
    guard let file else { return message }
    guard let line else { return "\(file): \(message)" }
    return "\(file):\(line):\(column ?? 1): \(message)"
  }
}
