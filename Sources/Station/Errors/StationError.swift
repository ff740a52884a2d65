import Platform
import StationConfiguration

/// An error of a station, in words for the person at the terminal.
public struct StationError: OperatorError, Sendable {
  /// The kinds of errors, each with an exit status.
  public enum Code: String, Sendable, CaseIterable {
    /// The configuration is wrong.
    case configuration
    /// There is no such camera.
    case noCamera = "no-camera"
    /// Another program has the camera.
    case cameraBusy = "camera-busy"
    /// The camera cannot do what is asked, or failed.
    case cameraFailed = "camera-failed"
    /// The camera gave no clean frame in time.
    case noCleanFrame = "no-clean-frame"
    /// The library cannot take the photo.
    case cannotSave = "cannot-save"
    /// The user lacks a permission.
    case noPermission = "no-permission"
    /// Another station runs with the same socket or library.
    case alreadyRunning = "already-running"
    /// The session was cancelled or refused.
    case cancelled
    /// No station answers.
    case notRunning = "not-running"
    /// The operating system refused something that should always work.
    case system
  }

  /// The kind of the error.
  public var code: Code
  /// The fault in words, with the fix of faults that have only one sentence.
  public var message: String
  /// The fix, where it stands apart; nil if the message has it, or there is none.
  public var fix: String?
  /// The underlying error, if there is one.
  public var cause: (any Error)?

  /// Creates an error.
  public init(_ code: Code, _ message: String, fix: String? = nil, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.fix = fix
    self.cause = cause
  }

  /// The message and the fix.
  public var description: String { operatorMessage }

  /// The program's exit status for this error.
  public var exitStatus: ExitStatus {
    switch code {
    case .configuration: .usage
    case .noCamera: .noCamera
    case .cameraBusy: .cameraBusy
    case .cameraFailed, .noCleanFrame: .noCleanFrame
    case .cannotSave, .alreadyRunning: .cannotSave
    case .noPermission: .noPermission
    case .notRunning: .notRunning
    case .cancelled, .system: .cancelled
    }
  }
}
