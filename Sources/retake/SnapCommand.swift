import Platform
import Station

extension Command {
  static let snap = Command(
    name: "snap", summary: "Take one photo with a camera and write it to a file.",
    options: [
      .camera,
      Option(
        name: "--output", value: "FILE", summary: "where the photo goes; replaced if it exists"),
      .fps, .config, .json,
      Option(
        name: "--log", value: "LEVEL",
        summary: "error, warning, notice (default), info or debug"),
    ]
  ) { arguments in
    try setLogLevel(arguments)
    guard let output = arguments.value("--output") else {
      throw Arguments.UsageError(message: "'--output' is missing: --output FILE")
    }
    var snap = Snap(
      configuration: try Configuration.load(from: arguments.value(.config)), output: output)
    snap.camera = arguments.value(.camera)
    snap.rate = try arguments.rate()
    let report = try snap.take()
    if arguments.has(.json) { try printJSON(report) } else { printLine(report.path) }
    return .done
  }
}
