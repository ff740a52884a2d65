import CLinux
import Dispatch
import Glibc
import PhotoLibrary
import Platform
import Station

/// The entry point, which finds and runs the command, and reports an error in one sentence.
@main
struct Main {
  static let commands: [Command] = [
    .run, .snap, .still, .cameras, .buttons, .trigger, .pick, .photos, .doctor, .config,
    .version,
  ]
  /// The commands that users do not call.
  static let hidden: [Command] = [.documents, .kiosk]

  static func main() {
    clinux_keep_little_memory()
    LostPages.survive()
    let words = Array(CommandLine.arguments.dropFirst())
    do {
      try becomeOwner(words)
    } catch {
      complain(error.operatorMessage)
      exit(StationError(error).exitStatus.rawValue)
    }
    Task { await perform(words) }
    dispatchMain()
  }

  // The user changes here, while the process has one thread. The command itself reports mistakes in
  // the arguments and in the configuration.
  private static func becomeOwner(_ words: [String]) throws(LibraryError) {
    guard geteuid() == 0, let first = words.first else { return }
    let (name, rest) =
      groups[first] == nil
      ? (first, words.dropFirst()) : (words.prefix(2).joined(separator: " "), words.dropFirst(2))
    let library = [Command.run, .pick] + Command.photosCommands
    guard let command = library.first(where: { $0.name == name }),
      let arguments = try? Arguments(Array(rest), for: command),
      !arguments.has(.help), !arguments.has("--access")
    else { return }
    // Files outside the library that root named are written as root.
    let mayReturn =
      name == "photos export" || (name == "pick" && arguments.value("--output") != nil)
    let isService = name == Command.run.name && ServiceManager.current != nil
    do {
      _ = try Configuration.loadAsOwner(
        from: arguments.value(.config), mayReturn: mayReturn, waits: isService)
    } catch let error as LibraryError {
      throw error
    } catch {}
  }

  private static func perform(_ words: [String]) async {
    let status = await run(words)
    if outputIsLost.load(ordering: .relaxed), status == .done {
      complain("the output could not be written; is the disk full?")
      exit(ExitStatus.cannotSave.rawValue)
    }
    exit(status.rawValue)
  }

  private static func run(_ words: [String]) async -> ExitStatus {
    guard let name = words.first else {
      printText(help)
      return .usage
    }
    switch name {
    case _ where isHelp(name):
      // `help run` means the same as `run --help`.
      let topic = words.drop(while: isHelp).filter { !$0.hasPrefix("-") }
      guard topic.isEmpty else { return await run(topic + ["--help"]) }
      printText(help)
      return .done
    case "--version":
      printLine("retake \(Retake.version)")
      return .done
    default: break
    }
    // A command of a group has a name of two words.
    if let group = groups[name] { return await run(Array(words.dropFirst()), in: group, name) }
    return await run(words, in: commands + hidden, nil)
  }

  static let groups = ["photos": Command.photosCommands]

  private static func isHelp(_ word: String) -> Bool { ["--help", "-h", "help"].contains(word) }

  private static func run(
    _ words: [String], in commands: [Command], _ group: String?
  ) async -> ExitStatus {
    let prefix = group.map { "\($0) " } ?? ""
    guard let word = words.first else {
      printText(groupHelp(group ?? "", commands))
      return .usage
    }
    if isHelp(word) {
      let topic = words.drop(while: isHelp).filter { !$0.hasPrefix("-") }
      guard topic.isEmpty else { return await run(topic + ["--help"], in: commands, group) }
      printText(groupHelp(group ?? "", commands))
      return .done
    }
    let name = prefix + word
    guard let command = commands.first(where: { $0.name == name }) else {
      let names = commands.filter { command in !hidden.contains { $0.name == command.name } }
        .map { String($0.name.dropFirst(prefix.count)) }
      let nearest = nearestName(to: word, among: names).map { "the nearest is '\(prefix)\($0)'" }
      complain(
        "there is no command '\(name)'; \(nearest ?? "'retake \(prefix)--help' lists them")")
      return .usage
    }
    do {
      let arguments = try Arguments(Array(words.dropFirst()), for: command)
      if arguments.has(.help) {
        printText(command.help)
        return .done
      }
      return try await command.run(arguments)
    } catch let error as Arguments.UsageError {
      complain("\(error.message); see 'retake \(name) --help'")
      return .usage
    } catch {
      let error = StationError(any: error)
      complain(error.operatorMessage)
      return error.exitStatus
    }
  }

  private static func groupHelp(_ group: String, _ commands: [Command]) -> String {
    """
    \(Main.commands.first { $0.name == group }?.summary ?? "")

    usage: retake \(group) COMMAND [options]

    commands:
    \(rows(commands))

    'retake \(group) COMMAND --help' tells more about one of them.
    """
  }

  private static func rows(_ commands: [Command]) -> String {
    let width = commands.map(\.name.count).max() ?? 0
    return commands.map { command in
      "  " + command.name + String(repeating: " ", count: width - command.name.count + 2)
        + command.summary
    }.joined(separator: "\n")
  }

  private static var help: String {
    """
    Retake, a camera station for photo booths.

    usage: retake COMMAND [options]

    commands:
    \(rows(commands))

    'retake COMMAND --help' tells more about one of them.
    """
  }
}
