import Platform
import Station

/// One option of a command.
struct Option: Sendable {
  /// With its dashes: `--camera`.
  var name: String
  /// What its value is, in capitals; nil for one that takes none.
  var value: String?
  var summary: String
}

/// One call of a command, for people to begin with.
struct Example: Sendable {
  /// The words behind `retake`, as a shell reads them.
  var words: String
  /// The effect of the call.
  var meaning: String
}

/// What a command takes, and what it does.
struct Command: Sendable {
  var name: String
  var summary: String
  /// Names of the arguments without dashes, in order, all required.
  var operands: [(name: String, summary: String)] = []
  /// Further arguments without dashes, which may be left out.
  var extras: (name: String, summary: String, most: Int)?
  var options: [Option] = []
  /// What the words mean that the first argument may be; empty: it may be any.
  var choices: [(name: String, summary: String)] = []
  /// What it exits with, where that has a meaning of its own.
  var exits: [(status: Int32, meaning: String)] = []
  var run: @Sendable (Arguments) async throws -> ExitStatus

  /// The arguments without dashes, each once.
  var words: [(name: String, summary: String)] {
    guard let extras, !operands.contains(where: { $0.name == extras.name }) else { return operands }
    return operands + [(extras.name, extras.summary)]
  }

  /// How the further arguments stand in the usage: `[PHOTO...]`.
  var extraWords: String? { extras.map { "[\($0.name)\($0.most > 1 ? "..." : "")]" } }

  /// What `--help` prints.
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

/// The arguments of one call, checked against what the command takes.
struct Arguments: Sendable {
  struct UsageError: Error {
    var message: String
  }

  private(set) var operands: [String] = []
  private var values: [String: String] = [:]
  private var flags: Set<String> = []

  /// Reads `words`; `--name VALUE` and `--name=VALUE` are the same, and `--` ends the options.
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

  /// The value of `--fps`.
  func rate() throws(UsageError) -> Double? {
    guard let text = value(Option.fps) else { return nil }
    guard let rate = Double(text), (1...240).contains(rate) else {
      throw UsageError(message: "'--fps' must be a number from 1 to 240, and is '\(text)'")
    }
    return rate
  }
}
