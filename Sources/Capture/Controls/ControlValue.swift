/// A wished value of a camera's control.
public enum ControlValue: Hashable, Sendable, CustomStringConvertible {
  /// A number, or a menu's entry by its number.
  case number(Int64)
  /// On or off.
  case boolean(Bool)
  /// A menu's entry by its name.
  case name(String)

  /// The value as a person would write it.
  public var description: String {
    switch self {
    case .number(let number): "\(number)"
    case .boolean(let isOn): isOn ? "true" : "false"
    case .name(let name): "\"\(name)\""
    }
  }
}
