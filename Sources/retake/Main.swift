import Glibc
import Platform
import Station

/// The program: finds the command, runs it, says in one sentence what went wrong.
@main
struct Main {
  static let commands: [Command] = [.run, .snap, .still, .cameras, .trigger, .config, .version]

  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    exit(await run(words).rawValue)
  }

  private static func run(_ words: [String]) async -> ExitStatus {
    guard let name = words.first else {
      printLine(help)
      return .usage
    }
    switch name {
    case "--help", "-h", "help":
      printLine(help)
      return .done
    case "--version":
      printLine("retake \(Retake.version)")
      return .done
    default: break
    }
    guard let command = commands.first(where: { $0.name == name }) else {
      let nearest = nearestName(to: name, among: commands.map(\.name))
      complain(
        "there is no command '\(name)'"
          + (nearest.map { "; the nearest is '\($0)'" } ?? "; 'retake --help' lists them"))
      return .usage
    }
    do {
      let arguments = try Arguments(Array(words.dropFirst()), for: command)
      if arguments.has(.help) {
        printLine(command.help)
        return .done
      }
      return try await command.run(arguments)
    } catch let error as Arguments.UsageError {
      complain("\(error.message); see 'retake \(name) --help'")
      return .usage
    } catch let error as ConfigurationError {
      complain("\(error)")
      return .usage
    } catch let error as StationError {
      complain(error.message)
      return error.exitStatus
    } catch {
      complain("\(error)")
      return .cancelled
    }
  }

  private static var help: String {
    let width = commands.map(\.name.count).max() ?? 0
    let rows = commands.map { command in
      "  " + command.name + String(repeating: " ", count: width - command.name.count + 2)
        + command.summary
    }
    return """
      Retake, a camera station for photo booths.

      usage: retake COMMAND [options]

      commands:
      \(rows.joined(separator: "\n"))

      'retake COMMAND --help' tells more about one of them.
      """
  }
}
