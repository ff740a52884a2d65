import Platform
import Trigger

extension ConfigurationKey {
  /// The keys of buttons and lamps.
  static let triggers: [ConfigurationKey] = buttons + lamps

  private static let buttons: [ConfigurationKey] = [
    button(
      "line", #"the line's name, such as "GPIO17", or its number with a chip"#,
      "where the button is connected"
    ) { button, value throws(Refusal) in
      (button.line, button.offset) = try value.lineAddress()
    } show: {
      $0.line.map(tomlString) ?? $0.offset.map { "\($0)" }
    },
    button(
      "chip", #"a chip's label, such as "pinctrl-rp1" (Pi 5) or "pinctrl-bcm2711" (Pi 4)"#,
      "the chip of the line; default: whichever has a line of that name"
    ) { button, value throws(Refusal) in
      button.chip = try value.filled("a chip's label")
    } show: {
      $0.chip.map(tomlString)
    },
    button(
      "device", "a name in /dev/input/by-id, an input device's own name, or a path",
      "a keyboard, presenter or pedal, in place of a line"
    ) { button, value throws(Refusal) in
      button.device = try value.filled("an input device")
    } show: {
      $0.device.map(tomlString)
    },
    button(
      "key", #"a key's name, such as "KEY_ENTER" or "PAGEDOWN""#, "the key of that device"
    ) { button, value throws(Refusal) in
      let name = try value.string()
      guard LinuxKeys.code(of: name) != nil else {
        let upper = name.uppercased()
        let isWhole = upper.hasPrefix("KEY_") || upper.hasPrefix("BTN_")
        let nearest = nearestName(to: isWhole ? upper : "KEY_" + upper, among: LinuxKeys.names)
        throw Refusal(
          reason: "is no key's name" + (nearest.map { "; the nearest is '\($0)'" } ?? ""))
      }
      button.key = name
    } show: {
      $0.key.map(tomlString)
    },
    button(
      "grab", "true or false",
      "whether the station alone gets the device's keys, and the page gets none of them"
    ) { button, value throws(Refusal) in
      button.isGrabbed = try value.boolean()
    } show: {
      $0.isGrabbed ? "true" : "false"
    },
    button(
      "role", ButtonRole.allCases.map { tomlString($0.rawValue) }.joined(separator: ", "),
      "the button's role; default: its name"
    ) { button, value throws(Refusal) in
      button.role = try value.oneOf(ButtonRole.self)
    } show: {
      $0.role.map { tomlString($0.rawValue) }
    },
    button(
      "active", #""low" or "high""#, "the line's level while the button is pressed"
    ) { button, value throws(Refusal) in
      button.isActiveLow = try value.oneOf(Level.self) == .low
    } show: {
      tomlString($0.isActiveLow ? "low" : "high")
    },
    button(
      "bias", LineBias.allCases.map { tomlString($0.rawValue) }.joined(separator: ", "),
      "the resistor that holds the line while the button is not pressed; default: against 'active'"
    ) { button, value throws(Refusal) in
      button.bias = try value.oneOf(LineBias.self)
    } show: {
      $0.bias.map { tomlString($0.rawValue) }
    },
    button(
      "debounce", "milliseconds from 1 to 100",
      "how long the contact of a press lasts at least, bounces not counted; shorter is a disturbance"
    ) { button, value throws(Refusal) in
      button.debounce = try value.milliseconds(in: 1...100)
    } show: {
      // A keyboard's key has no contact time.
      $0.device != nil
        ? nil : tomlNumber(($0.debounce ?? ButtonDebouncer.Settings().minimum).milliseconds)
    },
    button(
      "colour",
      Configuration.ButtonColour.allCases.map { tomlString($0.rawValue) }.joined(separator: ", "),
      "the button's colour: the page draws the panel with it, for guests who do not read"
    ) { button, value throws(Refusal) in
      button.colour = try value.oneOf(Configuration.ButtonColour.self)
    } show: {
      $0.colour.map { tomlString($0.rawValue) }
    },
    button(
      "column", "a number from 1 to 8",
      "the button's place on the panel from the left; default: after those that have one"
    ) { button, value throws(Refusal) in
      button.column = try value.place()
    } show: {
      $0.column.map { "\($0)" }
    },
    button("row", "a number from 1 to 8", "the button's place on the panel from the top") {
      button, value throws(Refusal) in
      button.row = try value.place()
    } show: {
      "\($0.row)"
    },
    meaning("short", "a short press", \.short), meaning("long", "a long press", \.long),
    meaning("double", "the second of two quick presses", \.double),
    time("long-time", "from when on a press is a long one", \.longTime, in: 300...5000),
    time(
      "double-time", "how soon a second press makes it two quick ones", \.doubleTime, in: 150...2000
    ),
  ]

  private static let lamps: [ConfigurationKey] = [
    lamp(
      "line", #"the line's name, such as "GPIO23", or its number with a chip"#,
      "where the lamp's driver is connected"
    ) { lamp, value throws(Refusal) in
      (lamp.line, lamp.offset) = try value.lineAddress()
    } show: {
      $0.line.map(tomlString) ?? $0.offset.map { "\($0)" }
    },
    lamp(
      "chip", #"a chip's label, such as "pinctrl-rp1" (Pi 5) or "pinctrl-bcm2711" (Pi 4)"#,
      "the chip of the line; default: whichever has a line of that name"
    ) { lamp, value throws(Refusal) in
      lamp.chip = try value.filled("a chip's label")
    } show: {
      $0.chip.map(tomlString)
    },
    lamp(
      "role", LampRole.allCases.map { tomlString($0.rawValue) }.joined(separator: ", "),
      "the lamp's role; default: its name"
    ) { lamp, value throws(Refusal) in
      lamp.role = try value.oneOf(LampRole.self)
    } show: {
      $0.role.map { tomlString($0.rawValue) }
    },
    lamp(
      "button", #"a button's name, such as "shutter""#,
      "the button that the lamp is inside of: the page shows it in step"
    ) { lamp, value throws(Refusal) in
      lamp.button = try value.filled("a button")
    } show: {
      $0.button.map(tomlString)
    },
    lamp("active", #""low" or "high""#, "the level that lights it") { lamp, value throws(Refusal) in
      lamp.isActiveLow = try value.oneOf(Level.self) == .low
    } show: {
      tomlString($0.isActiveLow ? "low" : "high")
    },
    lamp(
      "lead", "milliseconds from 0 to 5000", "for a flash, how long before the exposure it is lit"
    ) { lamp, value throws(Refusal) in
      lamp.lead = try value.milliseconds(in: 0...5000)
    } show: {
      tomlNumber($0.lead.milliseconds)
    },
    lamp(
      "hold", "milliseconds from 0 to 5000", "for a flash, how long after the exposure it stays lit"
    ) { lamp, value throws(Refusal) in
      lamp.hold = try value.milliseconds(in: 0...5000)
    } show: {
      tomlNumber($0.hold.milliseconds)
    },
  ]

  private enum Level: String, CaseIterable { case low, high }

  /// The actions that a press of the only button of a booth may have during a review.
  private enum Meaning: String, CaseIterable {
    case accept, retake, cancel, next, none
    var action: TriggerAction? { TriggerAction(rawValue: rawValue) }
  }

  private static func button(
    _ key: String, _ form: String, _ summary: String,
    read: @escaping @Sendable (inout Configuration.Button, TOMLValue) throws(Refusal) -> Void,
    show: @escaping @Sendable (Configuration.Button) -> String?
  ) -> ConfigurationKey {
    item(
      "buttons.*.\(key)", form, summary, new: Configuration.Button(), in: \.buttons, read: read,
      show: show)
  }

  private static func lamp(
    _ key: String, _ form: String, _ summary: String,
    read: @escaping @Sendable (inout Configuration.Lamp, TOMLValue) throws(Refusal) -> Void,
    show: @escaping @Sendable (Configuration.Lamp) -> String?
  ) -> ConfigurationKey {
    item(
      "lamps.*.\(key)", form, summary, new: Configuration.Lamp(), in: \.lamps, read: read,
      show: show)
  }

  private static func meaning(
    _ key: String, _ what: String,
    _ path: WritableKeyPath<OneButtonMeaning, TriggerAction?> & Sendable
  ) -> ConfigurationKey {
    button(
      key, #""accept", "retake", "cancel", "next" (the next frame) or "none""#,
      "for the role 'one': what \(what) does during a review"
    ) { button, value throws(Refusal) in
      button.meaning[keyPath: path] = try value.oneOf(Meaning.self).action
    } show: {
      tomlString($0.meaning[keyPath: path]?.rawValue ?? "none")
    }
  }

  private static func time(
    _ key: String, _ summary: String,
    _ path: WritableKeyPath<OneButtonMeaning, Duration> & Sendable,
    in range: ClosedRange<Double>
  ) -> ConfigurationKey {
    button(
      key, "milliseconds from \(tomlNumber(range.lowerBound)) to \(tomlNumber(range.upperBound))",
      "for the role 'one': \(summary)"
    ) { button, value throws(Refusal) in
      button.meaning[keyPath: path] = try value.milliseconds(in: range)
    } show: {
      tomlNumber($0.meaning[keyPath: path].milliseconds)
    }
  }
}

extension TOMLValue {
  /// Returns the line's name, or its number on a chip.
  func lineAddress() throws(ConfigurationKey.Refusal) -> (String?, UInt32?) {
    switch content {
    case .string(let name) where !name.isEmpty: return (name, nil)
    case .integer(let number):
      guard let offset = UInt32(exactly: number), offset < 4096 else {
        throw ConfigurationKey.Refusal(reason: "must be from 0 to 4095")
      }
      return (nil, offset)
    default:
      throw ConfigurationKey.Refusal(
        reason: #"must be a line's name, such as "GPIO17", or its number"#)
    }
  }

  /// Returns the string; throws when it is empty.
  func filled(_ what: String) throws(ConfigurationKey.Refusal) -> String {
    let text = try string()
    guard !text.isEmpty else {
      throw ConfigurationKey.Refusal(reason: "must name \(what), or be left out")
    }
    return text
  }

  /// Returns a row or column of the panel, from 1 to 8.
  func place() throws(ConfigurationKey.Refusal) -> Int {
    let value = try number()
    guard let place = Int(exactly: value), (1...8).contains(place) else {
      throw ConfigurationKey.Refusal(reason: "must be a whole number from 1 to 8")
    }
    return place
  }

  /// Returns a number of milliseconds in `range`.
  func milliseconds(in range: ClosedRange<Double>) throws(ConfigurationKey.Refusal) -> Duration {
    let value = try number()
    guard range.contains(value) else {
      let (low, high) = (tomlNumber(range.lowerBound), tomlNumber(range.upperBound))
      throw ConfigurationKey.Refusal(reason: "must be from \(low) to \(high) milliseconds")
    }
    return .microseconds(Int64((value * 1000).rounded()))
  }
}
