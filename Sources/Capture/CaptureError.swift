import Platform

/// The reason why a camera cannot be used, in words for its operator.
public struct CaptureError: OperatorError, Equatable, Sendable {
  /// A kind of error; the raw value is its name in logs and JSON.
  public enum Code: String, Sendable, CaseIterable {
    /// The named camera, or any camera, is missing.
    case noCamera = "no-camera"
    /// Another program uses the device.
    case busy
    /// The user may not open the device.
    case denied
    /// The device has no mode that meets the wish.
    case noMode = "no-mode"
    /// The device lacks a control, or the control does not accept the value.
    case badControl = "bad-control"
    /// The device does not capture pictures.
    case notCamera = "not-a-camera"
    /// The bus cannot carry the mode.
    case noBandwidth = "no-bandwidth"
    /// The device's input has no signal.
    case noSignal = "no-signal"
    /// The clip cannot be used.
    case badClip = "bad-clip"
    /// No usable frame came in time.
    case noFrame = "no-frame"
    /// The driver or the system failed.
    case failed
  }

  /// The kind of the error.
  public var code: Code
  /// The problem, in words that hold for any program.
  public var message: String
  /// The remedy in terms of a station's configuration and commands; nil if there is none.
  public var fix: String?
  /// The failed system call; nil if there was none.
  public var cause: SystemError?
  /// The program that uses the camera, for ``Code/busy``; nil if it cannot be seen.
  public var holder: String?
  /// The name of the control as it was written, for ``Code/badControl``.
  public var control: String?

  /// Creates an error.
  public init(
    _ code: Code, _ message: String, fix: String? = nil, cause: SystemError? = nil,
    holder: String? = nil, control: String? = nil
  ) {
    self.code = code
    self.message = message
    self.fix = fix
    self.cause = cause
    self.holder = holder
    self.control = control
  }
}
