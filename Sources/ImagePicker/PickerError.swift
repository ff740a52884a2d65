/// The reason why a picker was not presented, or why a pick could not be finished.
public struct PickerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of error.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// No station presents pickers.
    case noHost
    /// Nothing can be picked from that source now.
    case sourceUnavailable
    /// No media type was asked for.
    case mediaTypesEmpty
    /// The source does not offer a media type that was asked for.
    case mediaTypeUnavailable
    /// The camera that was asked for is not available now.
    case cameraDeviceUnavailable
    /// The selection limit is below zero.
    case selectionLimitInvalid
    /// The maximum movie duration is zero, negative, or above the configuration's maximum.
    case videoDurationInvalid
    /// The number of frames that a review is to offer is out of range.
    case reviewFramesInvalid
    /// A picker is presented, or a guest's session is under way.
    case alreadyPresenting
    /// The session ended without a picture; ``reason`` says why.
    case sessionFailed
  }

  /// The kind of the error.
  public var code: Code
  /// A description of the problem, for the operator.
  public var message: String
  /// The remedy, for the operator.
  public var fix: String
  /// The reason that the guest was told; nil if no session was to begin.
  public var reason: PickerReason?

  /// Creates an error.
  public init(_ code: Code, message: String, fix: String, reason: PickerReason? = nil) {
    self.code = code
    self.message = message
    self.fix = fix
    self.reason = reason
  }

  /// One line with the message and the fix.
  public var description: String { "\(message). Fix: \(fix)" }
}

extension PickerError {
  /// Returns the error for a source that cannot be used because of `problem`.
  public static func sourceUnavailable(
    _ source: ImagePickerController.SourceType, _ problem: AccessProblem
  ) -> PickerError {
    let code: PickerReason.Code = source == .camera ? .cameraUnavailable : .libraryUnavailable
    return PickerError(
      .sourceUnavailable, message: problem.message, fix: problem.fix,
      reason: PickerReason(code, problem: problem))
  }

  /// The error that a presentation throws while another is active.
  public static var alreadyPresenting: PickerError {
    PickerError(
      .alreadyPresenting, message: "a picker is presented or a session is under way",
      fix: "dismiss it, or wait for its outcome, and present again")
  }

  /// Returns the error for a session that ended, or could not begin, for `reason`.
  public static func sessionFailed(_ reason: PickerReason) -> PickerError {
    PickerError(
      .sessionFailed,
      message: reason.problem?.message ?? "the session failed (\(reason.code))",
      fix: reason.problem?.fix ?? "run 'retake doctor' and read the log", reason: reason)
  }

  static var noHost: PickerError {
    PickerError(
      .noHost, message: "no station presents pickers",
      fix: "start a Station, or give the picker a host")
  }
}
