import Platform

/// How a button stands, for the status and the operator.
public enum ButtonState: Equatable, Sendable {
  /// It is not there, and is looked for; why.
  case waiting(String)
  /// It can be pressed.
  case armed
  /// It has been down for too long and is ignored until it is up.
  case stuck

  /// One word.
  public var name: String {
    switch self {
    case .waiting: "waiting"
    case .armed: "armed"
    case .stuck: "stuck"
    }
  }
}
