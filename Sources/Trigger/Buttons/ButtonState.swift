import Platform

/// The state of a button, for the status and the operator.
public enum ButtonState: Equatable, Sendable {
  /// The button is missing, for the given reason, and the station looks for it.
  case waiting(ButtonProblem)
  /// The button can be pressed.
  case armed
  /// The button has been down for too long and is ignored until it is up.
  case stuck

  /// The name of the state, in one word.
  public var name: String {
    switch self {
    case .waiting: "waiting"
    case .armed: "armed"
    case .stuck: "stuck"
    }
  }
}

/// The reason why a button cannot be pressed.
public enum ButtonProblem: Equatable, Sendable, CustomStringConvertible {
  /// The panel has not been started.
  case notStarted
  /// The button's line cannot be used.
  case line(GPIOError)
  /// The button's input device cannot be used.
  case device(KeyError)

  /// The reason, in words that hold for any program.
  public var description: String {
    switch self {
    case .notStarted: "not started"
    case .line(let error): error.message
    case .device(let error): error.message
    }
  }
}
