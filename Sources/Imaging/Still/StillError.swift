import Media

/// Why there is no still of a frame.
public struct StillError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kinds, for a program.
  public enum Code: Equatable, Sendable {
    /// The decoder warned: data is missing or damaged in the middle. Try the next nearest frame.
    case decoderWarning
    /// The gate had refused the frame.
    case damaged(FrameDamage)
    /// A format that no still can be made of here.
    case unsupported
    /// A crop that lies outside the picture, or an impossible size.
    case badCrop
    /// The encoder failed, or memory ran out.
    case failed
  }

  /// The kind.
  public var code: Code
  /// One sentence for the operator, with the fix.
  public var message: String
  /// What the library below said.
  public var cause: String?

  /// Makes an error.
  public init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message, and the cause in brackets.
  public var description: String { cause.map { "\(message) (\($0))" } ?? message }

  /// Whether another frame of the same camera may do.
  public var isAboutThisFrame: Bool {
    switch code {
    case .decoderWarning, .damaged: true
    case .unsupported, .badCrop, .failed: false
    }
  }
}
