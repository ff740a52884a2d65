import Platform
import Trigger

extension Configuration {
  /// The settings of one button, from `[buttons.NAME]`.
  public struct Button: Equatable, Sendable {
    /// The board's name of the button's line, as in `GPIO17`.
    public var line: String?
    /// The number of the line on its chip, in place of its name.
    public var offset: UInt32?
    /// The chip's label, or `nil` for any chip with a line of that name.
    public var chip: String?
    /// The input device of a key, in place of a line.
    public var device: String?
    /// The key's name, as in `KEY_ENTER`.
    public var key: String?
    /// Whether the station alone receives the keys of the device.
    public var isGrabbed = false
    /// The button's role, or `nil` for the role of the button's name.
    public var role: ButtonRole?
    /// Whether the line is low while the button is pressed.
    public var isActiveLow = true
    /// The resistor of the line, or `nil` for the one against the level of a press.
    public var bias: LineBias?
    /// The minimum contact time of a press, or `nil` for the default.
    public var debounce: Duration?
    /// The meaning of the presses during a review, for the role `one`.
    public var meaning = OneButtonMeaning()

    /// The button's colour on the page, or `nil` when the page does not draw the button.
    public var colour: ButtonColour?
    /// The column on the panel, counted from 1 at the left, or `nil` for a place after the others.
    public var column: Int?
    /// The row on the panel, counted from 1 at the top.
    public var row = 1

    /// Creates a button with default settings.
    public init() {}
  }

  /// The colours of buttons.
  public enum ButtonColour: String, CaseIterable, Sendable {
    /// The common colours of arcade buttons.
    case red, orange, yellow, green, blue, white, black
  }

  /// The settings of one lamp, from `[lamps.NAME]`.
  public struct Lamp: Equatable, Sendable {
    /// The board's name of the lamp's line, as in `GPIO27`.
    public var line: String?
    /// The number of the line on its chip, in place of its name.
    public var offset: UInt32?
    /// The chip's label, or `nil` for any chip with a line of that name.
    public var chip: String?
    /// The lamp's role, or `nil` for the role of the lamp's name.
    public var role: LampRole?
    /// Whether a low level lights the lamp.
    public var isActiveLow = false
    /// The time from the lighting of a flash to the exposure.
    public var lead = Duration.milliseconds(100)
    /// The time from the exposure to the end of a flash.
    public var hold = Duration.milliseconds(150)

    /// The button that contains the lamp, or `nil`.
    public var button: String?

    /// Creates a lamp with default settings.
    public init() {}
  }

  /// The buttons, sorted by name.
  package var panelButtons: [ButtonPanel.Button] {
    buttons.sorted { $0.key < $1.key }.compactMap { name, said in
      guard let role = said.role ?? ButtonRole(rawValue: name) else { return nil }
      if let device = said.device, let code = said.key.flatMap(LinuxKeys.code) {
        let key = KeyButtons.Button(
          name: name, device: device, code: code, isGrabbed: said.isGrabbed)
        return ButtonPanel.Button(
          name: name, role: role, meaning: said.meaning, place: .key(key))
      }
      guard let address = LineAddress(said.line, said.offset, chip: said.chip) else { return nil }
      var line = GPIOButtons.Button(name: name, address: address)
      line.isActiveLow = said.isActiveLow
      if let contact = said.debounce { line.debounce = .init(contact: contact) }
      line.bias = said.bias ?? (said.isActiveLow ? .pullUp : .pullDown)
      return ButtonPanel.Button(name: name, role: role, meaning: said.meaning, place: .line(line))
    }
  }

  /// The lamps, sorted by name.
  public var panelLamps: [Lamps.Lamp] {
    lamps.sorted { $0.key < $1.key }.compactMap { name, said in
      guard let role = said.role ?? LampRole(rawValue: name),
        let address = LineAddress(said.line, said.offset, chip: said.chip)
      else { return nil }
      var lamp = Lamps.Lamp(
        name: name, address: address,
        pattern: LampPattern(role, lead: said.lead, hold: said.hold))
      lamp.isActiveLow = said.isActiveLow
      return lamp
    }
  }

  /// Checks the buttons and lamps together, for a missing place or a line with two users.
  func checkTriggers(file: String?) throws(ConfigurationError) {
    var users: [(place: String, address: LineAddress, name: String)] = []
    var keys: [String: String] = [:]
    for (name, button) in buttons.sorted(by: { $0.key < $1.key }) {
      let table = "buttons.\(name)"
      func problem(_ key: String, _ message: String) -> ConfigurationError {
        self.problem(file, table, key, message)
      }
      if button.role == nil, ButtonRole(rawValue: name) == nil {
        let roles = ButtonRole.allCases.map(\.rawValue).joined(separator: ", ")
        throw problem("role", "has no role; set '\(table).role' to one of \(roles)")
      }
      switch (button.line != nil || button.offset != nil, button.device) {
      case (true, .some):
        throw problem("device", "has a line and a device; a button has one of them")
      case (false, nil):
        throw problem(
          "line", #"has no line; set '\#(table).line', as in "GPIO17", or device and key"#)
      case (false, let device?):
        if button.debounce != nil {
          throw problem(
            "debounce", "has 'debounce', which is for lines; leave it out, a keyboard debounces")
        }
        guard let key = button.key else {
          throw problem("device", #"has no key; set '\#(table).key', as in "KEY_ENTER""#)
        }
        if let other = keys.updateValue(name, forKey: "\(device)\u{0}\(key.uppercased())") {
          throw problem("key", "uses \(key) of \(device), which 'buttons.\(other)' uses already")
        }
      case (true, nil):
        users.append(
          (table, try address(file, table, button.line, button.offset, button.chip), name))
      }
    }
    for (name, lamp) in lamps.sorted(by: { $0.key < $1.key }) {
      let table = "lamps.\(name)"
      if lamp.role == nil, LampRole(rawValue: name) == nil {
        let roles = LampRole.allCases.map(\.rawValue).joined(separator: ", ")
        throw problem(
          file, table, "role", "has no role; set '\(table).role' to one of \(roles)")
      }
      guard lamp.line != nil || lamp.offset != nil else {
        throw problem(
          file, table, "line", #"has no line; set '\#(table).line', as in "GPIO23""#)
      }
      if let button = lamp.button, buttons[button] == nil {
        throw problem(
          file, table, "button",
          "is in the button '\(button)', and there is no [buttons.\(button)]; name another one, "
            + "or leave 'button' out")
      }
      users.append((table, try address(file, table, lamp.line, lamp.offset, lamp.chip), name))
    }
    // The users are in the order of the configuration file, so that the later one gets the error.
    let ordered = users.sorted {
      line(of: "\($0.place).line") ?? 0 < line(of: "\($1.place).line") ?? 0
    }
    for (index, user) in ordered.enumerated() {
      let other = ordered[..<index].first {
        $0.address.line == user.address.line
          && ($0.address.chip == user.address.chip || $0.address.chip == nil
            || user.address.chip == nil)
      }
      if let other {
        throw problem(
          file, user.place, "line",
          "uses \(user.address), which '\(other.place)' uses already; a line has one role")
      }
    }
  }

  private func address(
    _ file: String?, _ table: String, _ line: String?, _ offset: UInt32?, _ chip: String?
  ) throws(ConfigurationError) -> LineAddress {
    if offset != nil, chip == nil {
      throw problem(
        file, table, "line",
        #"is a number, which needs '\#(table).chip'; or name the line, as in "GPIO\#(offset ?? 0)""#
      )
    }
    guard let address = LineAddress(line, offset, chip: chip) else {
      throw problem(file, table, "line", "has no line")
    }
    return address
  }

  /// Returns the error of a table, placed at `key`, or at the table's first key in the file.
  private func problem(
    _ file: String?, _ table: String, _ key: String, _ message: String
  ) -> ConfigurationError {
    let lines = origins.compactMap { name, origin -> (name: String, line: Int)? in
      guard name.hasPrefix("\(table)."), case .file(_, let line) = origin else { return nil }
      return (name, line)
    }
    let line = lines.first { $0.name == "\(table).\(key)" }?.line ?? lines.map(\.line).min()
    return ConfigurationError(file: file, line: line, column: 1, message: "'\(table)' \(message)")
  }
}

extension LineAddress {
  init?(_ line: String?, _ offset: UInt32?, chip: String?) {
    if let line {
      self.init(.name(line), chip: chip)
    } else if let offset {
      self.init(.offset(offset), chip: chip)
    } else {
      return nil
    }
  }
}
