import Station
import StationTools

extension Command {
  /// Writes the package's documents, which come from the program's own tables.
  ///
  /// The command is hidden, since only package builds call it.
  static let documents = Command(
    name: "documents",
    summary: "Write the manual pages, the reference, the completion and a configuration file.",
    operands: [("FOLDER", "where the files go")],
    options: [Option(name: "--date", value: "DATE", summary: "the date in the manual pages")]
  ) { arguments in
    let folder = arguments.operands[0]
    let date = arguments.value("--date") ?? "2026\\-01\\-01"
    let files = [
      "retake.1": Manual.page(date: date), "retake.toml.5": ConfigurationKey.manual(date: date),
      "retake.toml": ConfigurationKey.sample, "retake.bash": Completion.script,
      "configuration.md": ConfigurationKey.reference, "commands.md": CommandReference.page,
      "doctor.md": DoctorMessage.reference,
    ]
    for (name, text) in files.sorted(by: { $0.key < $1.key }) {
      try PictureFile.write(Array(text.utf8), to: "\(folder)/\(name)")
    }
    return .done
  }
}

/// The manual page of the program.
enum Manual {
  static func page(date: String) -> String {
    var lines = [
      ".TH RETAKE 1 \(date) \"Retake \(Retake.version)\" \"User commands\"",
      ".SH NAME", "retake \\- camera station for photo booths",
      ".SH SYNOPSIS", ".B retake", ".I COMMAND", ".RI [ options ]",
      ".SH DESCRIPTION",
      "A guest presses a button, and after the countdown a photo is taken as an upright portrait. "
        + "The guest keeps it, takes another one, or cancels. A photo is on the disk for good before "
        + "the screen says that it is saved.",
      ".PP",
      "As a service it is started by systemd; its commands ask, press and look after what runs.",
      ".SH COMMANDS",
    ]
    for command in Main.commands where !Main.groups.keys.contains(command.name) {
      lines += section(command)
    }
    for (_, commands) in Main.groups.sorted(by: { $0.key < $1.key }) {
      for command in commands { lines += section(command) }
    }
    lines += examples
    lines += [".SH EXIT STATUS"]
    for (status, words) in ExitStatus.meanings {
      lines += [".TP", ".B \(status.rawValue)", manualText(words)]
    }
    lines += [
      ".SH FILES",
      ".TP", ".I /etc/retake/retake.toml", "the configuration; see", ".BR retake.toml (5)",
      ".TP", ".I /var/lib/retake/photos", "the service's photos",
      ".TP", ".I /run/retake/socket", "where the service listens for", ".B retake trigger",
      ".TP", ".I /usr/share/doc/retake/docs", "how a booth is built, wired and looked after",
      ".SH SEE ALSO", ".BR retake.toml (5), ", ".BR systemctl (1), ", ".BR journalctl (1)",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private static var examples: [String] {
    let commands = Main.commands + Main.groups.sorted { $0.key < $1.key }.flatMap(\.value)
    return [".SH EXAMPLES"]
      + commands.flatMap(\.examples).flatMap { example in
        [".TP", ".B retake \(manualText(example.words))", manualText(example.meaning) + "."]
      }
  }

  private static func section(_ command: Command) -> [String] {
    var usage = ".B retake \(manualText(command.name))"
    usage += command.operands.map { "\n.I \(manualText($0.name))" }.joined()
    if let extras = command.extras {
      usage += "\n.RI [ \(manualText(extras.name)) \(extras.most > 1 ? "...]" : "]")"
    }
    var lines = [".SS \(manualText(command.name))", usage, ".PP", manualText(command.summary)]
    for word in command.words {
      lines += [".TP", ".I \(manualText(word.name))", manualText(word.summary)]
    }
    for choice in command.choices {
      lines += [".TP", ".B \(manualText(choice.name))", manualText(choice.summary)]
    }
    for option in command.options {
      let value = option.value.map { " \\fI\(manualText($0))\\fR" } ?? ""
      lines += [".TP", "\\fB\(manualText(option.name))\\fR\(value)", manualText(option.summary)]
    }
    if !command.exits.isEmpty {
      let words = command.exits.map { "\($0.status): \($0.meaning)" }.joined(separator: "; ")
      lines += [".PP", "Exit status: " + manualText(words) + "."]
    }
    return lines
  }
}

/// The completion for bash.
enum Completion {
  static var script: String {
    let groups = Main.groups
    let names = Main.commands.map(\.name).joined(separator: " ")
    var cases: [String] = []
    for command in Main.commands where groups[command.name] == nil {
      cases.append("    \(command.name)) words='\(words(command))' ;;")
    }
    for (name, commands) in groups.sorted(by: { $0.key < $1.key }) {
      let seconds = commands.map { $0.name.split(separator: " ").last.map(String.init) ?? "" }
      cases.append("    \(name))")
      cases.append("      case ${COMP_WORDS[2]} in")
      for (second, command) in zip(seconds, commands) {
        cases.append("        \(second)) words='\(words(command))' ;;")
      }
      cases.append("      esac")
      cases.append(
        "      [ \"$COMP_CWORD\" -gt 2 ] || words='\(seconds.joined(separator: " "))' ;;")
    }
    return """
      # Completion of retake(1) for bash; written by the program itself.
      _retake() {
        local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]} words=
        COMPREPLY=()
        if [ "$COMP_CWORD" -eq 1 ]; then
          mapfile -t COMPREPLY < <(compgen -W '\(names) --help --version' -- "$word")
          return
        fi
        case $last in
          --config|--output|--source-log|--frame-log|--socket) compopt -o default; return ;;
          --camera) mapfile -t COMPREPLY < <(compgen -W "demo $(command ls /dev/v4l/by-id 2>/dev/null | grep -v -- '-video-index[1-9]')" -- "$word"); return ;;
          --album)
            local IFS=$'\\n'
            mapfile -t COMPREPLY < <(compgen -W "$(retake photos album 2>/dev/null | sed -n 's/^[* ] \\(.*\\): [0-9]* photos*, .*/\\1/p')" -- "$word"); return ;;
      \(valueCases)
        esac
        case ${COMP_WORDS[1]} in
      \(cases.joined(separator: "\n"))
        esac
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
        [ ${#COMPREPLY[@]} -gt 0 ] || compopt -o default
      }
      complete -F _retake retake

      """
  }

  /// The permitted values of options.
  private static let values = [
    "--log": "error warning notice info debug", "--source": "camera library saved",
    "--media": "image movie both", "--mount": "0 90 180 270",
    "--mirror": "none preview saved both", "--enforce": "portrait landscape off",
    "--method": "rotate-cw rotate-ccw crop", "--aspect": "3:4 2:3 9:16 free",
  ]

  /// The cases for option values, with no suggestions where the values are unknown.
  private static var valueCases: String {
    var lines = values.sorted { $0.key < $1.key }.map { option, words in
      "    \(option)) mapfile -t COMPREPLY < <(compgen -W '\(words)' -- \"$word\"); return ;;"
    }
    let files = [
      "--config", "--output", "--source-log", "--frame-log", "--socket", "--camera", "--album",
    ]
    let commands = Main.commands + Main.groups.values.flatMap { $0 }
    let others = Set(commands.flatMap(\.options).filter { $0.value != nil }.map(\.name))
      .subtracting(files).subtracting(values.keys)
    lines.append("    \(others.sorted().joined(separator: "|"))) return ;;")
    return lines.joined(separator: "\n")
  }

  private static func words(_ command: Command) -> String {
    var words = command.options.map(\.name) + ["--help"]
    if command.name == "trigger" { words += Command.triggerActions }
    return words.joined(separator: " ")
  }
}
