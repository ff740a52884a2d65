import Station

/// The reference of the commands as Markdown.
enum CommandReference {
  static var page: String {
    var lines = [
      "# Commands",
      "",
      "<!-- Written by the program: change its tables, then run scripts/docs reference. -->",
      "",
      "`retake COMMAND --help` prints the same, and `man retake` has it as a manual page. Every option is",
      "optional. `--name VALUE` and `--name=VALUE` mean the same.",
      "",
      "| command | does |", "|---|---|",
    ]
    for command in commands {
      let anchor = "retake-\(command.name)".split(separator: " ").joined(separator: "-")
      lines.append(
        "| [`retake \(command.name)`](#\(anchor)) | \(markdownCell(command.summary)) |")
    }
    for command in commands { lines += section(command) }
    lines += [
      "", "## Exit codes", "",
      "Scripts can rely on these. A command whose codes mean something else has a list of its own above.",
      "", "| code | means |", "|---|---|",
    ]
    lines += ExitStatus.meanings.map { "| \($0.0.rawValue) | \(markdownCell($0.1)) |" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The listed commands, with each group replaced by the group's commands.
  private static var commands: [Command] {
    Main.commands.flatMap { Main.groups[$0.name] ?? [$0] }
  }

  private static func section(_ command: Command) -> [String] {
    var usage = "retake \(command.name)" + command.operands.map { " \($0.name)" }.joined()
    usage += command.extraWords.map { " \($0)" } ?? ""
    var lines = [
      "", "## retake \(command.name)", "", markdownCell(command.summary), "", "```",
      "\(usage) [options]", "```",
    ]
    lines += rows("argument", command.words)
    lines += rows(command.operands.first?.name ?? "word", command.choices)
    lines += rows(
      "option",
      command.options.map { ($0.name + ($0.value.map { " \($0)" } ?? ""), $0.summary) })
    lines += rows("exit code", command.exits.map { ("\($0.status)", $0.meaning) })
    lines += rows("example", command.examples.map { ("retake \($0.words)", $0.meaning) })
    return lines
  }

  private static func rows(_ head: String, _ rows: [(name: String, summary: String)]) -> [String] {
    guard !rows.isEmpty else { return [] }
    return ["", "| \(head) | means |", "|---|---|"]
      + rows.map { "| `\($0.name)` | \(markdownCell($0.summary)) |" }
  }
}
