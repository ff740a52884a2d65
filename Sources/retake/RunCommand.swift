import Glibc
import Platform
import Station

extension Command {
  static let run = Command(
    name: "run", summary: "Run the station: frames in, photos out, until it is told to stop.",
    options: [
      Option(
        name: "--once",
        summary: "one unattended session: press, countdown, accept; print the photo's path"),
      .camera, .fps, .config, .json,
      Option(
        name: "--log", value: "LEVEL",
        summary: "error, warning, notice (default), info or debug"),
      Option(
        name: "--source-log", value: "FILE",
        summary: "write number and time of each frame that a clip or the demo camera sends"),
      Option(
        name: "--frame-log", value: "FILE",
        summary: "write what became of each frame of the camera: published, skipped, or why not"),
    ]
  ) { arguments in
    let once = arguments.has("--once")
    let hasLine = !once && !arguments.has(.json) && isatty(1) == 1 && isatty(2) == 1
    // An unattended run reports errors once at the end, and the live line replaces the log.
    if once { Log.setLevel(.error) }
    if hasLine {
      Log.setLevel(.warning)
      // Lines of the log go above the live line, which is then drawn again.
      Log.setSink { level, category, text, fields in
        printPart("\r\u{1B}[K")
        Told.note(text)
        Log.standardError(level, category, text, fields)
      }
    }
    try setLogLevel(arguments)
    let file = arguments.value(.config)
    let manager = once ? nil : ServiceManager.current
    var options = Station.Options()
    let configuration: Configuration
    do {
      configuration = try Configuration.loadAsOwner(from: file, waits: manager != nil).configuration
    } catch let error as ConfigurationError where manager != nil {
      // The service keeps running to show the fault, since operators would not notice its end.
      configuration = .defaults
      options.configurationProblem = error
    }
    options.manager = manager
    if manager != nil { options.webListener = ServiceManager.listeners().first }
    options.isPatient = manager != nil
    options.camera = arguments.value(.camera)
    options.rate = try arguments.rate()
    options.usesSignals = true
    options.reload = { () throws(ConfigurationError) in try Configuration.load(from: file) }
    options.sourceLog = arguments.value("--source-log")
    options.frameLog = arguments.value("--frame-log")
    options.usesTerminal = !once && !arguments.has(.json)
    options.terminalAnswer = { Told.add($0) }
    // An unattended run can work beside a station that uses the socket and the buttons.
    options.usesSocket = !once
    options.usesPanel = !once
    options.usesWeb = !once
    let station = try Station(configuration: configuration, options: options)
    try await station.start()
    do {
      if once {
        try await takeOne(station, asJSON: arguments.has(.json))
      } else {
        await serve(station, asJSON: arguments.has(.json))
      }
    } catch {
      await station.end()
      throw error
    }
    await station.end()
    return .done
  }

  private static func takeOne(_ station: Station, asJSON: Bool) async throws {
    try await station.waitUntilReady(timeout: .seconds(10))
    if !asJSON { complain("using \(station.cameraDescription)") }
    let interruption = Task {
      await station.waitForQuit()
      await station.trigger(.cancel, source: "signal")
    }
    defer { interruption.cancel() }
    let report = try await station.takePhoto()
    if asJSON {
      try printJSON(report)
    } else {
      printLine(report.path)
      complain(
        "\(report.width)x\(report.height), the frame was taken "
          + "\(milliseconds(report.deltaMilliseconds)) the end of the countdown")
    }
  }

  private static func serve(_ station: Station, asJSON: Bool) async {
    let isTerminal = isatty(1) == 1 && !asJSON
    // The journal and the log already report the camera of a managed station.
    if !station.isManaged {
      if !isTerminal { complain("using \(station.cameraDescription)") }
      if let address = station.webAddress { complain("the page is at \(address)") }
    }
    let drawing = Task {
      var line = LiveLine()
      while !Task.isCancelled, isTerminal {
        line.draw(station.status, now: station.now)
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
    await station.waitForQuit()
    drawing.cancel()
    await drawing.value
    if isTerminal { printLine("") }
  }

  /// Returns a delta in words, as in `3.2 ms after` or `3.2 ms before`.
  private static func milliseconds(_ delta: Double) -> String {
    let tenths = Int((delta.magnitude * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) ms \(delta < 0 ? "before" : "after")"
  }
}

/// Sets the log level from `--log`.
func setLogLevel(_ arguments: Arguments) throws(Arguments.UsageError) {
  guard let name = arguments.value("--log") else { return }
  guard let level = Log.Level.allCases.first(where: { "\($0)" == name }) else {
    let names = Log.Level.allCases.map { "\($0)" }.joined(separator: ", ")
    throw Arguments.UsageError(message: "'--log' must be one of \(names), and is '\(name)'")
  }
  Log.setLevel(level)
}

extension Station {
  /// Stops the station for good, in a program that ends right after.
  ///
  /// The object is kept alive, since freeing it would close the open files, which may block on a
  /// disk forever. The kernel closes them when the program has ended.
  func end() async {
    await stop()
    _ = Unmanaged.passRetained(self)
  }
}
