import Station

extension Command {
  static let config = Command(
    name: "config", summary: "Print the effective configuration, with where each value came from.",
    options: [.config, .json]
  ) { arguments in
    let configuration = try Configuration.load(from: arguments.value(.config))
    if arguments.has(.json) {
      struct Row: Encodable {
        var key: String
        var value: String?
        var origin: String
        var summary: String
        var form: String
      }
      try printJSON(
        configuration.settings.map { setting in
          Row(
            key: setting.key, value: setting.value,
            origin: setting.origin.map { "\($0)" } ?? "default", summary: setting.summary,
            form: setting.form)
        })
      return .done
    }
    printText(configuration.commented)
    return .done
  }
}
