/// What a camera is doing, for the page, the lamps and the log.
public enum CameraState: Equatable, Sendable, CustomStringConvertible {
  /// It was never started, or was stopped.
  case stopped
  /// It is opened, or no usable frame came yet.
  case starting
  /// Usable frames arrive.
  case streaming
  /// Nothing is connected to its input.
  case noSignal
  /// It stopped without a word, and is being restarted.
  case stalled
  /// It is not plugged in.
  case absent
  /// Another program has it; its name, where it can be seen.
  case busy(by: String?)
  /// The user may not open it.
  case denied
  /// It cannot be used, for that reason.
  case failed(String)

  /// Its name in JSON, events and metrics.
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

  /// A few words for people.
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
