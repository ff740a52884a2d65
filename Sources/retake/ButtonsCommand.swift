import Glibc
import Platform
import Station
import StationTools

extension Command {
  static let buttons = Command(
    name: "buttons", summary: "List what buttons and lamps can be connected to, and try them.",
    options: [
      Option(name: "--learn", summary: "wait for a press and print the configuration for it"),
      Option(
        name: "--lines", value: "NAME,...",
        summary:
          "with --learn: look at these lines (default: the header's, without I2C, SPI, serial)"
      ),
      Option(name: "--test", summary: "light each lamp in turn"),
      Option(name: "--off", summary: "put all lamps out, after a program that lit them has died"),
      Option(
        name: "--measure-delay", summary: "flash a lamp that the camera sees; prints 'camera.delay'"
      ),
      .camera, .config, .json,
    ]
  ) { arguments in
    let modes = ["--learn", "--test", "--off", "--measure-delay"].filter { arguments.has($0) }
    guard modes.count <= 1 else {
      throw Arguments.UsageError(message: "'\(modes[0])' and '\(modes[1])' cannot be combined")
    }
    let configuration = try Configuration.load(from: arguments.value(.config))
    let asJSON = arguments.has(.json)
    switch modes.first {
    case "--learn": try learn(arguments.value("--lines"), asJSON)
    case "--test":
      try LampTest(configuration: configuration).run(each: .milliseconds(1500)) { lamp in
        printLine("\(lamp.name): \(lamp.address) is lit")
      }
    case "--off" where configuration.lamps.isEmpty:
      // The service runs this command at each end, so without lamps it prints no message there.
      if getenv("INVOCATION_ID") == nil { complain("no lamp is configured") }
    case "--off": try LampTest(configuration: configuration).putOut()
    case "--measure-delay":
      let result = try DelayMeasurement(
        configuration: configuration, camera: arguments.value(.camera)
      ).run()
      if asJSON { try printJSON(result) } else { show(result) }
    default: try list(configuration, asJSON)
    }
    return .done
  }

  private static func list(_ configuration: Configuration, _ asJSON: Bool) throws {
    let inventory = PanelInventory(configuration: configuration)
    if asJSON { return try printJSON(inventory) }
    for chip in inventory.chips {
      printLine("\(chip.label)  \(chip.path)  \(chip.lines.count) lines")
      for line in chip.lines {
        var words = [line.isOutput ? "output" : "input"]
        if let user = line.user { words.append("in use by \(user)") }
        if let role = line.configured { words.append("configured as \(role)") }
        let name = line.name.isEmpty ? "unnamed" : line.name
        let number = String(repeating: " ", count: max(0, 4 - "\(line.offset)".count))
        printLine("\(number)\(line.offset)  \(name)  \(words.joined(separator: ", "))")
      }
    }
    if inventory.chips.isEmpty { remark("there is no GPIO chip that you may open") }
    if inventory.devices.isEmpty { remark("there is no input device that you may open") }
    for device in inventory.devices {
      printLine("\(device.name)  \(device.path)")
      for id in device.ids { printLine("  device = \"\(id)\"") }
    }
    for problem in inventory.problems + inventory.configurationProblems {
      printLine("problem: \(problem)")
    }
    printLine("\(inventory.library); 'retake buttons --learn' finds a button by its press")
  }

  private static func learn(_ lines: String?, _ asJSON: Bool) throws {
    let names = lines?.split(separator: ",").map(String.init)
    let lesson = try ButtonLearner().learn(lines: names, patience: .seconds(60)) { what in
      complain("press the button or key (looking at \(what.joined(separator: ", ")))")
    }
    if asJSON { try printJSON(lesson) } else { printText(lesson.toml) }
  }

  private static func show(_ result: DelayMeasurement.Result) {
    printText("# below the [camera] that is in the file:\ndelay = \(result.delayMilliseconds)")
    complain(
      "\(result.flashes) flashes of \(result.lamp) seen by \(result.camera), give or take "
        + "\(result.spreadMilliseconds) ms")
  }
}
