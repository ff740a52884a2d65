import Platform
import Trigger

extension Configuration {
  /// `[buttons.NAME]`: what is said of one button.
  public struct Button: Equatable, Sendable {
    /// The board's name of its line, as in `GPIO17`.
    public var line: String?
    /// The line's place on its chip, if it is given by that.
    public var offset: UInt32?
    /// The chip's label; nil: whichever has a line of that name.
    public var chip: String?
    /// The input device of a key, in place of a line.
    public var device: String?
    /// The key's name, as in `KEY_ENTER`.
    public var key: String?
    /// Whether nobody else gets the device's keys.
    public var isGrabbed = false
    /// What it is for; nil: what its name says.
    public var role: ButtonRole?
    /// Whether its line is low while it is pressed.
    public var isActiveLow = true
    /// What holds the line; nil: the opposite of what a press makes of it.
    public var bias: LineBias?
    /// The contact time of a press on its line; nil: the usual one.
    public var debounce: Duration?
    /// What it means during a review, if it is the only one.
    public var meaning = OneButtonMeaning()

    /// Its colour, for the page to draw it; nil: the page draws none.
    public var colour: ButtonColour?
    /// Its place on the panel from the left, from 1 on; nil: after those that have one.
    public var column: Int?
    /// Its place on the panel from the top, from 1 on.
    public var row = 1

    /// Makes a button of which nothing is said.
    public init() {}
  }

  /// The colours of buttons.
  public enum ButtonColour: String, CaseIterable, Sendable {
    /// The colours that arcade buttons are sold in.
    case red, orange, yellow, green, blue, white, black
  }

  /// `[lamps.NAME]`: what is said of one lamp.
  public struct Lamp: Equatable, Sendable {
    /// The board's name of its line, as in `GPIO27`.
    public var line: String?
    /// The line's place on its chip, if it is given by that.
    public var offset: UInt32?
    /// The chip's label; nil: whichever has a line of that name.
    public var chip: String?
    /// What it shows; nil: what its name says.
    public var role: LampRole?
    /// Whether a low level lights it.
    public var isActiveLow = false
    /// For a flash, how long before the exposure it is lit.
    public var lead = Duration.milliseconds(100)
    /// For a flash, how long after it.
    public var hold = Duration.milliseconds(150)

    /// The button that it is inside of; nil: none.
    public var button: String?

    /// Makes a lamp of which nothing is said.
    public init() {}
  }

  /// The buttons, in the order of their names.
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

  /// The lamps, in the order of their names.
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

  /// Finds what no single key can be blamed for: a button without a place, a line that two use.
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
    // By their place in the file, so that the later of two is the one that is told of.
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

  /// A problem of a table, at `key` in it, or where the table first says something.
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
