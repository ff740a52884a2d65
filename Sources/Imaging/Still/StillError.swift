import Media
import Platform

/// The reason why a still could not be made.
public struct StillError: OperatorError, Equatable, Sendable {
  /// A kind of error.
  public enum Code: Equatable, Sendable {
    /// The decoder gave a warning because data is missing or damaged; the caller tries the next
    /// nearest frame.
    case decoderWarning
    /// The gate refused the frame.
    case damaged(FrameDamage)
    /// No clean frame near the moment came in time.
    case noFrame
    /// The format is not supported.
    case unsupported
    /// The crop lies outside the picture, or a size is impossible.
    case badCrop
    /// The encoder failed, or memory ran out.
    case failed
  }

  /// The kind.
  public var code: Code
  /// The problem, in words that hold for any program.
  public var message: String
  /// The remedy for the person who chose the picture or runs the camera; nil if there is none.
  public var fix: String?
  /// The message of the underlying library.
  public var cause: String?

  /// Creates an error.
  public init(_ code: Code, _ message: String, fix: String? = nil, cause: String? = nil) {
    self.code = code
    self.message = message
    self.fix = fix
    self.cause = cause
  }

  /// The error of a wait for a frame that ended without one.
  package static let noFrame = StillError(
    .noFrame,
    "the camera gave no clean frame in time",
    fix: "check its cable, or try another size")

  /// Whether another frame of the same camera may succeed.
  public var isAboutThisFrame: Bool {
    switch code {
    case .decoderWarning, .damaged: true
    case .noFrame, .unsupported, .badCrop, .failed: false
    }
  }
}
