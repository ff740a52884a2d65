import Station
import StationTools

extension Command {
  static let still = Command(
    name: "still", summary: "Make an upright still of a picture file or a raw dump.",
    operands: [("INPUT", "a JPEG or PNG file, or a raw dump of one frame with --raw")],
    options: [
      Option(
        name: "--output", value: "FILE", summary: "where the still goes; replaced if it exists")
    ] + orientation + [
      Option(
        name: "--crop", value: "X,Y,W,H",
        summary: "keep this box of the upright picture instead of what the shape asks for"),
      Option(
        name: "--exact",
        summary: "encode again where moving the data would cost pixels at the edge"),
      Option(
        name: "--raw", value: "FORMAT:SIZE",
        summary: "what the dump holds, such as YUYV:1920x1080 or NV12:1280x720"),
      .config, .json,
    ]
  ) { arguments in
    guard let output = arguments.value("--output") else {
      throw Arguments.UsageError(message: "'--output' is missing: --output FILE")
    }
    var configuration = try Configuration.load(from: arguments.value(.config))
    for option in orientation {
      guard let value = arguments.value(option) else { continue }
      let key = "orientation." + option.name.drop { $0 == "-" }
      try configuration.set(key, to: value, option: option.name)
    }
    if arguments.has("--exact") { configuration.orientation.isExact = true }
    var still = StillFile(
      configuration: configuration, input: arguments.operands[0], output: output)
    still.raw = arguments.value("--raw")
    still.crop = arguments.value("--crop")
    let report = try still.make()
    if arguments.has(.json) { try printJSON(report) } else { printLine(report.path) }
    return .done
  }

  /// The options for the keys of `[orientation]` with the same names.
  private static let orientation = [
    Option(
      name: "--mount", value: "DEGREES",
      summary: "how far the camera's body is turned clockwise: 0, 90, 180 or 270"),
    Option(name: "--mirror", value: "WHAT", summary: "none, preview, saved or both"),
    Option(name: "--enforce", value: "SHAPE", summary: "portrait, landscape or off"),
    Option(name: "--method", value: "HOW", summary: "rotate-cw, rotate-ccw or crop"),
    Option(name: "--aspect", value: "RATIO", summary: "3:4, 2:3, 9:16 or free"),
  ]
}
