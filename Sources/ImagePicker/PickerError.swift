/// Why a picker was not presented, or a pick could not be finished.
public struct PickerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of error.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// No station presents pickers.
    case noHost
    /// Nothing can be picked from that source now.
    case sourceUnavailable
    /// No media type was asked for.
    case mediaTypesEmpty
    /// A media type was asked for that the source does not have.
    case mediaTypeUnavailable
    /// There is no such camera now.
    case cameraDeviceUnavailable
    /// The selection limit is below zero.
    case selectionLimitInvalid
    /// The longest movie is no longer than nothing.
    case videoDurationInvalid
    /// The number of frames that a review is to offer is out of range.
    case reviewFramesInvalid
    /// A picker is up, or a guest's session is under way.
    case alreadyPresenting
    /// The session ended without a picture, for that reason.
    case sessionFailed
  }

  /// Which kind it is.
  public var code: Code
  /// What happened, for the operator.
  public var message: String
  /// What to do about it.
  public var fix: String
  /// What the guest was told, where a session or its begin failed.
  public var reason: PickerReason?

  /// Makes the error.
  public init(_ code: Code, message: String, fix: String, reason: PickerReason? = nil) {
    self.code = code
    self.message = message
    self.fix = fix
    self.reason = reason
  }

  /// One line: what happened and the fix.
  public var description: String { "\(message). Fix: \(fix)" }
}

extension PickerError {
  /// The error of a source that cannot be used because of `problem`.
  public static func sourceUnavailable(
    _ source: ImagePickerController.SourceType, _ problem: AccessProblem
  ) -> PickerError {
    let code: PickerReason.Code = source == .camera ? .cameraUnavailable : .libraryUnavailable
    return PickerError(
      .sourceUnavailable, message: "\(problem.who) cannot use \(problem.what): \(problem.why)",
      fix: problem.fix, reason: PickerReason(code, problem: problem))
  }

  /// The error of a presentation while another is up.
  public static var alreadyPresenting: PickerError {
    PickerError(
      .alreadyPresenting, message: "a picker is presented or a session is under way",
      fix: "dismiss it, or wait for its outcome, and present again")
  }

  /// The error of a session that ended, or could not begin, for `reason`.
  public static func sessionFailed(_ reason: PickerReason) -> PickerError {
    PickerError(
      .sessionFailed,
      message: reason.problem.map { "\($0.who) cannot use \($0.what): \($0.why)" }
        ?? "the session failed (\(reason.code))",
      fix: reason.problem?.fix ?? "run 'retake doctor' and read the log", reason: reason)
  }

  static var noHost: PickerError {
    PickerError(
      .noHost, message: "no station presents pickers",
      fix: "start a Station, or give the picker a host")
  }
}
