import Platform
import Station

/// An option of a command.
struct Option: Sendable {
  /// The name with its dashes, as in `--camera`.
  var name: String
  /// The option's value as a word in capitals, or `nil` when the option takes none.
  var value: String?
  var summary: String
}

/// An example call of a command.
struct Example: Sendable {
  /// The words after `retake`, as a shell reads them.
  var words: String
  /// The effect of the call.
  var meaning: String
}

/// A command with its arguments, its options and its code.
struct Command: Sendable {
  var name: String
  var summary: String
  /// The required arguments without dashes, in order.
  var operands: [(name: String, summary: String)] = []
  /// The optional arguments without dashes.
  var extras: (name: String, summary: String, most: Int)?
  var options: [Option] = []
  /// The permitted values of the first argument with their meanings; empty when any word is
  /// permitted.
  var choices: [(name: String, summary: String)] = []
  /// The exit codes that have a meaning of their own for this command.
  var exits: [(status: Int32, meaning: String)] = []
  var run: @Sendable (Arguments) async throws -> ExitStatus

  /// The arguments without dashes; a name that occurs twice is listed once.
  var words: [(name: String, summary: String)] {
    guard let extras, !operands.contains(where: { $0.name == extras.name }) else { return operands }
    return operands + [(extras.name, extras.summary)]
  }

  /// The optional arguments in the usage line, as in `[PHOTO...]`.
  var extraWords: String? { extras.map { "[\($0.name)\($0.most > 1 ? "..." : "")]" } }

  /// The output of `--help`.
  var help: String {
    var lines = [
      "usage: retake \(name)" + operands.map { " \($0.name)" }.joined()
        + (extraWords.map { " \($0)" } ?? "") + " [options]"
    ]
    lines += ["", summary]
    func table(_ rows: [(String, String)]) {
      let width = rows.map(\.0.count).max() ?? 0
      for (name, summary) in rows {
        lines.append("  " + name + String(repeating: " ", count: width - name.count + 2) + summary)
      }
    }
    let rows = words.map { ($0.name, $0.summary) }
    if !rows.isEmpty {
      lines.append("")
      table(rows)
    }
    if !choices.isEmpty {
      lines += ["", "\(operands.first?.name ?? "") is one of:"]
      table(choices.map { ($0.name, $0.summary) })
    }
    lines += ["", "options:"]
    table(
      (options + [Option.help]).map { option in
        (option.name + (option.value.map { " \($0)" } ?? ""), option.summary)
      })
    if !exits.isEmpty {
      lines += ["", "exit codes:"]
      table(exits.map { ("\($0.status)", $0.meaning) })
    }
    if !examples.isEmpty {
      lines += ["", "examples:"]
      lines += examples.flatMap { ["  retake \($0.words)", "      \($0.meaning)"] }
    }
    return lines.joined(separator: "\n")
  }
}

extension Option {
  static let help = Option(name: "--help", summary: "print this")
  static let json = Option(name: "--json", summary: "print JSON, for programs")
  static let config = Option(
    name: "--config", value: "FILE",
    summary: "configuration file (default: /etc/retake/retake.toml, if there is one)")
  static let camera = Option(
    name: "--camera", value: "NAME",
    summary: "demo, clip:FILE, a device's path or by-id name, or a name from the configuration")
  static let fps = Option(
    name: "--fps", value: "N", summary: "frames a second of a clip (default: 30)")
}

/// The arguments of one call, checked against the command's options.
struct Arguments: Sendable {
  struct UsageError: Error {
    var message: String
  }

  private(set) var operands: [String] = []
  private var values: [String: String] = [:]
  private var flags: Set<String> = []

  /// Parses `words`.
  ///
  /// `--name VALUE` and `--name=VALUE` mean the same, and `--` ends the options.
  init(_ words: [String], for command: Command) throws(UsageError) {
    let known = command.options + [Option.help]
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = word == "-h" ? "--help" : String(parts[0])
      guard let option = known.first(where: { $0.name == name }) else {
        let nearest = nearestName(to: name, among: known.map(\.name))
        throw UsageError(
          message: "there is no option '\(name)'"
            + (nearest.map { "; the nearest is '\($0)'" } ?? ""))
      }
      guard let placeholder = option.value else {
        guard parts.count == 1 else { throw UsageError(message: "'\(name)' takes no value") }
        flags.insert(name)
        continue
      }
      if parts.count == 2 {
        values[name] = String(parts[1])
      } else if let value = rest.popFirst() {
        values[name] = value
      } else {
        throw UsageError(message: "'\(name)' needs a value: \(name) \(placeholder)")
      }
    }
    if flags.contains("--help") { return }
    let most = command.operands.count + (command.extras?.most ?? 0)
    guard operands.count <= most else {
      throw UsageError(message: "unexpected '\(operands[most])'")
    }
    guard operands.count >= command.operands.count else {
      throw UsageError(message: "\(command.operands[operands.count].name) is missing")
    }
  }

  func has(_ option: Option) -> Bool { flags.contains(option.name) }
  func has(_ name: String) -> Bool { flags.contains(name) }
  func value(_ option: Option) -> String? { values[option.name] }
  func value(_ name: String) -> String? { values[name] }

  /// Returns the value of `--fps` in frames per second.
  func rate() throws(UsageError) -> Double? {
    guard let text = value(Option.fps) else { return nil }
    guard let rate = Double(text), (1...240).contains(rate) else {
      throw UsageError(message: "'--fps' must be a number from 1 to 240, and is '\(text)'")
    }
    return rate
  }
}
