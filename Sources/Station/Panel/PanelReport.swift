import Trigger

/// The state of the buttons and lamps, for the status.
public struct PanelReport: Equatable, Sendable, Encodable {
  /// A button.
  public struct Button: Equatable, Sendable, Encodable {
    /// The operator's name of the button.
    public var name: String
    /// The button's line, as in `GPIO17`, or its device.
    public var place: String
    /// The button's role.
    public var role: String
    /// The button's state: `armed`, `waiting` or `stuck`.
    public var state: String
    /// The reason for the state `waiting`, or `nil`.
    public var problem: String?
    /// The number of presses since the start.
    public var presses: Int
  }

  /// A lamp.
  public struct Lamp: Equatable, Sendable, Encodable {
    /// The operator's name of the lamp.
    public var name: String
    /// The lamp's line.
    public var place: String
    /// The lamp's role.
    public var role: String
    /// Whether the lamp is lit.
    public var isLit: Bool
    /// The fault of the lamp, or `nil`.
    public var problem: String?
  }

  /// The buttons, sorted by name.
  public var buttons: [Button] = []
  /// The lamps, sorted by name.
  public var lamps: [Lamp] = []

  init(_ panel: Panel?) {
    buttons = (panel?.buttons.states ?? []).map { button, state, presses in
      var problem: String?
      if case .waiting(let reason) = state { problem = reason.operatorMessage }
      return Button(
        name: button.name, place: button.placeDescription, role: button.role.rawValue,
        state: state.name, problem: problem, presses: presses)
    }
    lamps = (panel?.lamps.states ?? []).map { state in
      Lamp(
        name: state.lamp.name, place: "\(state.lamp.address)",
        role: state.lamp.pattern.role.rawValue, isLit: state.isLit,
        problem: state.problem?.operatorMessage)
    }
  }
}
