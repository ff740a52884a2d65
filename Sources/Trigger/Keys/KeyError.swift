import Platform

/// The reason why an input device cannot be used, with the facts of its fix.
public struct KeyError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  public enum Code: String, Sendable {
    /// No device has that name.
    case noDevice = "no-device"
    /// The device went away.
    case gone
    /// Another program has the device to itself.
    case busy
    /// The user has no permission to open input devices.
    case denied
    /// The device cannot be opened.
    case failed
  }

  /// The kind of the error.
  public var code: Code
  /// The name of the device, as it was asked for.
  public var device: String
  /// The group that may open input devices, for ``Code/denied``.
  public var group: String?
  /// The call that failed; nil if the device is missing.
  public var cause: SystemError?

  /// Creates an error.
  public init(_ code: Code, device: String, group: String? = nil, cause: SystemError? = nil) {
    self.code = code
    self.device = device
    self.group = group
    self.cause = cause
  }

  /// The problem, in words that hold for any program.
  public var message: String {
    switch code {
    case .noDevice: "there is no input device '\(device)'; it is waited for"
    case .gone:
      "the input device '\(device)' is gone; it is waited for"
        + (cause.map { " (\($0.reason))" } ?? "")
    case .busy: "another program has the input device '\(device)' to itself"
    case .denied: "you may not open input devices"
    case .failed: cause.map { "\($0)" } ?? "the input device '\(device)' cannot be opened"
    }
  }

  /// The problem.
  public var description: String { message }
}
