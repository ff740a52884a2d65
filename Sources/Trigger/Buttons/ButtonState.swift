import Platform

/// The state of a button, for the status and the operator.
public enum ButtonState: Equatable, Sendable {
  /// The button is missing, for the given reason, and the station looks for it.
  case waiting(String)
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
