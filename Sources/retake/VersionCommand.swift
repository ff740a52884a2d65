import Station

extension Command {
  static let version = Command(
    name: "version", summary: "Print the version.", options: [.json]
  ) { arguments in
    struct Version: Encodable {
      var name = "retake"
      var version = Retake.version
    }
    if arguments.has(.json) {
      try printJSON(Version())
    } else {
      printLine("retake \(Retake.version)")
    }
    return .done
  }
}
