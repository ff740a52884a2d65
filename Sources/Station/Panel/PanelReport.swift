import Trigger

/// How the buttons and lamps stand, for the status.
public struct PanelReport: Equatable, Sendable, Encodable {
  /// One button.
  public struct Button: Equatable, Sendable, Encodable {
    /// What the operator calls it.
    public var name: String
    /// Where it is: `GPIO17`.
    public var place: String
    /// What it is for.
    public var role: String
    /// `armed`, `waiting` or `stuck`.
    public var state: String
    /// Why it is waiting; nil when it is not.
    public var problem: String?
    /// How often it was pressed since the start.
    public var presses: Int
  }

  /// One lamp.
  public struct Lamp: Equatable, Sendable, Encodable {
    /// What the operator calls it.
    public var name: String
    /// Where it is.
    public var place: String
    /// What it shows.
    public var role: String
    /// Whether it is lit.
    public var isLit: Bool
    /// What is wrong with it; nil: nothing.
    public var problem: String?
  }

  /// The buttons, by name.
  public var buttons: [Button] = []
  /// The lamps, by name.
  public var lamps: [Lamp] = []

  init(_ panel: Panel?) {
    buttons = (panel?.buttons.states ?? []).map { button, state, presses in
      var problem: String?
      if case .waiting(let words) = state { problem = words }
      return Button(
        name: button.name, place: button.placeDescription, role: button.role.rawValue,
        state: state.name, problem: problem, presses: presses)
    }
    lamps = (panel?.lamps.states ?? []).map { state in
      Lamp(
        name: state.lamp.name, place: "\(state.lamp.address)",
        role: state.lamp.pattern.role.rawValue, isLit: state.isLit, problem: state.problem)
    }
  }
}
