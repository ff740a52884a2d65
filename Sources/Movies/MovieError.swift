import Platform

/// The reason why there is no movie, or why it ended.
public struct MovieError: OperatorError, Sendable {
  /// The kinds of errors.
  public enum Code: String, Sendable, CaseIterable {
    /// No encoder for movies works on this machine.
    case noEncoder = "no-encoder"
    /// The frames cannot become a movie with that codec.
    case unsupported
    /// The camera gave no usable frame.
    case noFrames = "no-frames"
    /// The file cannot be written.
    case output
    /// The disk has no room left.
    case full
    /// The encoder failed.
    case encoder
  }

  /// The kind of the error.
  public var code: Code
  /// The problem, in words that hold for any program.
  public var message: String
  /// The remedy in terms of a station's configuration and commands; nil if there is none.
  public var fix: String?
  /// The call that failed, if one did.
  public var cause: SystemError?

  /// Creates an error.
  public init(_ code: Code, _ message: String, fix: String? = nil, cause: SystemError? = nil) {
    self.code = code
    self.message = message
    self.fix = fix
    self.cause = cause
  }
}
