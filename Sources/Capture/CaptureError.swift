import Platform

/// Why a camera cannot be used, in words for its operator.
public struct CaptureError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kind of trouble it is; the raw value is its name in logs and JSON.
  public enum Code: String, Sendable, CaseIterable {
    /// There is no such camera, or none at all.
    case noCamera = "no-camera"
    /// Another program has it.
    case busy
    /// The user may not open it.
    case denied
    /// It has no mode as wanted.
    case noMode = "no-mode"
    /// A control that it does not have, or a value that the control does not take.
    case badControl = "bad-control"
    /// The device is none that takes pictures.
    case notCamera = "not-a-camera"
    /// The bus cannot carry the mode.
    case noBandwidth = "no-bandwidth"
    /// Nothing is connected to its input.
    case noSignal = "no-signal"
    /// The clip cannot be used.
    case badClip = "bad-clip"
    /// No usable frame came in time.
    case noFrame = "no-frame"
    /// The driver or the system failed.
    case failed
  }

  /// What kind of trouble it is.
  public var code: Code
  /// One sentence or two that say what is wrong and what to do.
  public var message: String
  /// The failed call, where there was one.
  public var cause: SystemError?
  /// Which program has the camera, for ``Code/busy``, where it can be seen.
  public var holder: String?
  /// The control that is meant, as it was written, for ``Code/badControl``.
  public var control: String?

  /// Makes an error.
  public init(
    _ code: Code, _ message: String, cause: SystemError? = nil, holder: String? = nil,
    control: String? = nil
  ) {
    self.code = code
    self.message = message
    self.cause = cause
    self.holder = holder
    self.control = control
  }

  /// The message and its cause.
  public var description: String { message + (cause.map { " [\($0)]" } ?? "") }
}
