import Platform

/// Why there is no movie, or why it ended.
public struct MovieError: Error, Sendable, CustomStringConvertible {
  /// The kinds of error.
  public enum Code: String, Sendable, CaseIterable {
    /// Nothing here can encode movies.
    case noEncoder = "no-encoder"
    /// The frames cannot become a movie with that codec.
    case unsupported
    /// Not one usable frame came.
    case noFrames = "no-frames"
    /// The file cannot be written.
    case output
    /// The disk has no room left.
    case full
    /// The encoder failed.
    case encoder
  }

  /// Which kind it is.
  public var code: Code
  /// What happened and what to do about it, for the operator.
  public var message: String
  /// The call that failed, if one did.
  public var cause: SystemError?

  /// Makes the error.
  public init(_ code: Code, _ message: String, cause: SystemError? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message, with its cause.
  public var description: String { message + (cause.map { " (\($0))" } ?? "") }
}
