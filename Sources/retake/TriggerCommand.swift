import Glibc
import Platform
import Station
import StationTools
import Trigger

extension Command {
  static let triggerActions = TriggerAction.remote.map(\.rawValue)

  static let trigger = Command(
    name: "trigger", summary: "Press a button of the running station, or show the status.",
    operands: [("ACTION", "what the station is to do")],
    options: [
      .config,
      Option(name: "--socket", value: "PATH", summary: "the station's socket"),
      .json,
    ],
    choices: TriggerAction.remote.map { ($0.rawValue, meaning(of: $0)) },
    exits: [
      (0, "done"), (1, "refused, with the reason"), (2, "there is no such action"),
      (7, "you may not use the socket"), (8, "no station answers"),
    ]
  ) { arguments in
    let word = arguments.operands[0]
    guard let action = TriggerAction(rawValue: word), TriggerAction.remote.contains(action) else {
      let names = TriggerAction.remote.map(\.rawValue)
      let nearest = nearestName(to: word, among: names)
      throw Arguments.UsageError(
        message: "there is no trigger '\(word)'; "
          + (nearest.map { "the nearest is '\($0)'" }
            ?? "there are \(names.joined(separator: ", "))"))
    }
    let reply = try send(action, to: try socketPaths(arguments))
    if arguments.has(.json) {
      struct Answer: Encodable {
        var accepted: Bool
        var text: String
      }
      // The status is already JSON.
      if action == .status, reply.isAccepted {
        printExactly(reply.text)
      } else {
        try printJSON(Answer(accepted: reply.isAccepted, text: reply.text), isCompact: true)
      }
    } else if action == .status, reply.isAccepted, let text = StatusText(json: reply.text) {
      text.lines.forEach(printLine)
    } else if reply.isAccepted {
      printLine(reply.text)
    } else {
      complain(reply.text)
    }
    return reply.isAccepted ? .done : .cancelled
  }

  private static func meaning(of action: TriggerAction) -> String {
    switch action {
    case .shutter: "take a photo: begins the countdown"
    case .record: "begin a movie, or end the one that is recorded"
    case .accept: "keep the photo that is shown"
    case .retake: "take another one instead of it"
    case .next: "show the next of the frames around the press, while a photo is under review"
    case .previous: "show the frame before it"
    case .cancel: "end the session; the photo that is shown is not kept"
    case .reload: "read the configuration again; it is used from the next session on"
    case .status: "show the status; changes nothing"
    case .quit: "end the station (a service restarts)"
    case .shutdown: "power the machine off"
    }
  }

  /// Returns the sockets to try: the given one, or else the configured one and the service's.
  private static func socketPaths(_ arguments: Arguments) throws -> [String] {
    if let path = arguments.value("--socket") { return [path] }
    let file = arguments.value(.config)
    // A service without a usable configuration listens at the default socket.
    var configured = Configuration.defaults.socketPath
    do throws(ConfigurationError) {
      configured = try Configuration.load(from: file).socketPath
    } catch {
      if file != nil { throw error }
    }
    let service = Configuration(isService: true).socketPath
    return configured == service ? [configured] : [configured, service]
  }

  private static var isServiceInstalled: Bool {
    ["/usr/lib", "/etc"].contains { access("\($0)/systemd/system/retake.service", F_OK) == 0 }
  }

  private static func send(
    _ action: TriggerAction, to paths: [String]
  ) throws(StationError) -> TriggerReply {
    var problem: SystemError?
    for path in paths {
      do {
        return try TriggerClient(path: path).send(action)
      } catch {
        // An error of an existing socket tells more than a missing socket.
        if problem == nil || problem?.errno == ENOENT { problem = error }
      }
    }
    switch problem?.errno {
    case EACCES, EPERM:
      throw StationError(
        .noPermission,
        "you may not use the socket \(problem?.path ?? ""); join the group that owns it, or use sudo",
        cause: problem)
    case EPROTO, EAGAIN, ETIMEDOUT, EMSGSIZE, ECONNRESET, EPIPE:
      throw StationError(
        .notRunning,
        "the station at \(problem?.path ?? "") does not answer now; too many programs may be"
          + " connected to it: try again in a few seconds", cause: problem)
    default:
      throw StationError(
        .notRunning,
        "no station answers at \(paths.joined(separator: " or ")); start one with "
          + (isServiceInstalled ? "'sudo systemctl start retake'" : "'retake run'"),
        cause: problem)
    }
  }
}
