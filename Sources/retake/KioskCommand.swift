import Glibc
import Platform
import Station
import StationTools
import Trigger

extension Command {
  /// Runs the browser of the kiosk and watches its page.
  ///
  /// The command is hidden, since only `retake-kiosk.service` calls it.
  static let kiosk = Command(
    name: "kiosk",
    summary: "Run the kiosk's browser, and tell systemd that it lives while its page does.",
    extras: ("PROGRAM", "the browser and its arguments, after --", 100),
    options: [.config, Option(name: "--socket", value: "PATH", summary: "the station's socket")]
  ) { arguments in
    guard !arguments.operands.isEmpty else {
      throw Arguments.UsageError(message: "PROGRAM is missing: retake kiosk -- PROGRAM")
    }
    let configuration = (try? Configuration.load(from: arguments.value(.config)))
    let service = Configuration(isService: true).socketPath
    let socket = arguments.value("--socket") ?? configuration?.socketPath ?? service
    let paths = socket == service ? [socket] : [socket, service]
    let watcher = KioskWatcher(manager: ServiceManager.current) {
      for path in paths {
        guard let reply = try? TriggerClient(path: path).send(.status, patience: .seconds(5)),
          reply.isAccepted
        else { continue }
        return KioskWatcher.Answer(json: reply.text)
      }
      return nil
    }
    let status = try watcher.run(arguments.operands)
    guard status == 0 else {
      throw StationError(
        .system,
        "\(arguments.operands[0]) ended with \(status); 'journalctl -u retake-kiosk' says more")
    }
    return .done
  }
}
