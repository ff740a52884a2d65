/// The state of a camera, for the page, the lamps and the log.
public enum CameraState: Equatable, Sendable, CustomStringConvertible {
  /// The camera was never started, or was stopped.
  case stopped
  /// The device is being opened, or no usable frame has arrived yet.
  case starting
  /// Usable frames arrive.
  case streaming
  /// The device's input has no signal.
  case noSignal
  /// The device stopped sending frames without an error and is being restarted.
  case stalled
  /// The device is not plugged in.
  case absent
  /// Another program uses the device; its name, or nil if it cannot be seen.
  case busy(by: String?)
  /// The user may not open the device.
  case denied
  /// The device cannot be used, for this reason.
  case failed(String)

  /// The name of the state in JSON, events and metrics.
  public var name: String {
    switch self {
    case .stopped: "stopped"
    case .starting: "starting"
    case .streaming: "streaming"
    case .noSignal: "no-signal"
    case .stalled: "stalled"
    case .absent: "absent"
    case .busy: "busy"
    case .denied: "denied"
    case .failed: "failed"
    }
  }

  /// The program that uses the device; nil if no other program does, or its name cannot be seen.
  public var holder: String? {
    if case .busy(let holder) = self { holder } else { nil }
  }

  /// A short description for people.
  public var description: String {
    switch self {
    case .stopped: "stopped"
    case .starting: "starting"
    case .streaming: "streaming"
    case .noSignal: "no signal"
    case .stalled: "stalled, being restarted"
    case .absent: "not plugged in"
    case .busy(let holder): "used by \(holder ?? "another program")"
    case .denied: "no permission"
    case .failed(let reason): "failed: \(reason)"
    }
  }
}
