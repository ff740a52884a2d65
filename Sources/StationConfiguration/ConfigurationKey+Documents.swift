extension ConfigurationKey {
  /// The name with an example in place of each `*`.
  private var example: String { name(exampleNames) }

  /// The examples in place of each `*`.
  var exampleNames: [String] {
    let parts = name.split(separator: ".").map(String.init)
    return parts.indices.filter { parts[$0] == "*" }.map { place in
      ConfigurationKey.exampleNames[name]
        ?? ConfigurationKey.exampleNames[parts.prefix(place).joined()] ?? "NAME"
    }
  }

  private static let exampleNames = [
    "cameras": "front", "buttons": "one", "lamps": "ready", "cameracontrols": "brightness",
    "cameras*controls": "brightness",
    // A button has either a line or a device, so a second button is the example of a device.
    "buttons.*.device": "shutter", "buttons.*.key": "shutter", "buttons.*.grab": "shutter",
  ]

  /// The service's defaults, with the example's cameras, buttons and lamps in their default
  /// settings.
  static let usual: Configuration = {
    var configuration = Configuration(isService: true)
    configuration.cameras["front"] = .init()
    configuration.buttons["one"] = .init()
    configuration.buttons["shutter"] = .init()
    configuration.lamps["ready"] = .init()
    return configuration
  }()

  /// The default value as TOML, or `nil` when the key has no default value.
  var usualValue: String? { show(ConfigurationKey.usual, exampleNames) }

  // The values of keys whose form contains no example, or no useful one.
  private static let examples = [
    "rate": "30", "delay": "60", "keep-days": "30", "directory": "\"/srv/retake/page\"",
    "buttons.*.role": "\"one\"", "buttons.*.column": "2", "title": "\"Anna and Ben\"", "*": "128",
    "buttons.*.device": "\"usb-PCsensor_FootSwitch-event-kbd\"",
  ]

  /// An example value, taken from the form's words where possible.
  var exampleValue: String {
    let last = name.split(separator: ".").last.map(String.init) ?? ""
    if let example = ConfigurationKey.examples[name] ?? ConfigurationKey.examples[last] {
      return example
    }
    let words = form.split(separator: " ").map(String.init)
    let told = words.firstIndex(of: "as").map { words[($0 + 1)...].joined(separator: " ") } ?? form
    if let start = told.firstIndex(of: "["), let end = told[start...].firstIndex(of: "]") {
      return String(told[start...end])
    }
    guard let start = told.firstIndex(of: "\"") else { return "\"NAME\"" }
    let rest = told[told.index(after: start)...]
    return "\"" + rest.prefix { $0 != "\"" } + "\""
  }

  /// The comment before an example in the sample.
  static let unset = "# Not set; for example:"

  private var table: String { String(example[..<(example.lastIndex(of: ".") ?? example.endIndex)]) }
  private var word: String { String(example[example.index(after: lastDot)...]) }
  private var lastDot: String.Index { example.lastIndex(of: ".") ?? example.startIndex }

  /// A configuration file with every key, its meaning and its default, in which every key is a
  /// comment.
  public static var sample: String {
    var lines = [
      "# Retake's configuration, in TOML. Every key is optional. The value behind a '#' is the default,",
      "# or an example where the line above says so. To change one:",
      "#   1. take away the '#' before the line, and the '#' before its [table] if there is one;",
      "#   2. change the value;",
      "#   3. run 'sudo systemctl reload retake'.",
      "# Each [table] may be in the file once: put further lines below the [table] that is here.",
      "# 'retake config' prints what is in effect. retake.toml(5) and /usr/share/doc/retake/docs tell more.",
    ]
    var tables: [(name: String, isOpen: Bool, keys: [ConfigurationKey])] = []
    for key in all {
      if let index = tables.firstIndex(where: { $0.name == key.table }) {
        tables[index].keys.append(key)
      } else {
        tables.append((key.table, key.name.contains("*"), [key]))
      }
    }
    for (name, isOpen, keys) in tables {
      lines += ["", (isOpen ? "#" : "") + "[\(name)]"]
      for key in keys {
        lines.append("# \(key.summary): \(key.form)")
        let value = key.usualValue
        if value == nil { lines.append(unset) }
        lines.append("#\(key.word) = \(value ?? key.exampleValue)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The example configurations of the manual, each with its purpose.
  static let exampleFiles: [(title: String, text: String)] = [
    (
      "A camera on its side, one arcade button, and a guest who walks away keeps the photo:",
      """
      [camera]
      device = "usb-046d_HD_Pro_Webcam_C920_5B5C1E2F-video-index0"

      [orientation]
      mount = 90

      [review]
      at-end = "accept"

      [buttons.one]
      line = "GPIO17"
      """
    ),
    (
      "A page that a tablet in the same network shows:",
      """
      [web]
      listen = "0.0.0.0:8080"
      hosts = ["booth.local"]
      token = "a-long-word-of-your-own"
      """
    ),
    (
      "A copy of every photo on a stick, and no photo older than a month:",
      """
      [copy]
      to = ["/media/retake/copies"]

      [library]
      keep-days = 30
      """
    ),
  ]

  /// Returns the manual page `retake.toml(5)` for `man`.
  public static func manual(date: String) -> String {
    var lines = [
      ".TH RETAKE.TOML 5 \(date) \"Retake \(Retake.version)\" \"File formats\"",
      ".SH NAME", "retake.toml \\- configuration of the Retake camera station",
      ".SH SYNOPSIS", ".I /etc/retake/retake.toml",
      ".SH DESCRIPTION",
      "TOML. Every key is optional. A key that does not exist is refused, with its line and the "
        + "nearest one that does. The file is read at the start, and again by",
      ".BR \"systemctl reload retake\" ;",
      "what changed is used from the next session on. A file with a mistake leaves everything as it "
        + "was; at the start the station waits until it is corrected, and says so.",
      ".PP", "In a key's name,", ".I NAME", "is a word of yours.",
      ".SH KEYS",
    ]
    for key in all {
      let name = key.name.split(separator: "*", omittingEmptySubsequences: false)
        .map { manualText(String($0)) }.joined(separator: "\\fINAME\\fB")
      lines += [".TP", "\\fB\(name)\\fR", manualText(key.summary.capitalizedFirst) + "."]
      lines += [".br", "Value: " + manualText(key.form) + "."]
      let value = key.usualValue
      lines += [
        ".br",
        value.map { "Default: " + manualText($0) + "." }
          ?? "Not set by default; for example: " + manualText(key.exampleValue) + ".",
      ]
    }
    lines.append(".SH EXAMPLES")
    for (title, text) in exampleFiles {
      lines += [".PP", manualText(title), ".PP", ".RS 4", ".nf"]
      lines += text.split(separator: "\n", omittingEmptySubsequences: false).map {
        manualText(String($0))
      }
      lines += [".fi", ".RE"]
    }
    lines += [
      ".SH FILES", ".TP", ".I /etc/retake/retake.toml", "read unless another file is named",
      ".TP", ".I /var/lib/retake/photos", "the service's photos, unless",
      ".B library.path", "says otherwise",
      ".TP", ".I /usr/share/doc/retake/examples/wedding.toml", "the settings of a wedding's booth",
      ".SH SEE ALSO", ".BR retake (1)",
    ]
    return lines.joined(separator: "\n") + "\n"
  }
}

/// Returns text with the escapes that make `man` show it unchanged.
public func manualText(_ text: String) -> String {
  var result = ""
  for character in text {
    switch character {
    case "\\": result += "\\e"
    case "-": result += "\\-"
    case "'": result += "\\(aq"
    case "`": result += "\\(ga"
    default: result.append(character)
    }
  }
  return result.hasPrefix(".") ? "\\&" + result : result
}

extension String {
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
