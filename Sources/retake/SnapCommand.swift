import Platform
import Station
import StationTools

extension Command {
  static let snap = Command(
    name: "snap", summary: "Take one photo or movie with a camera and write it to a file.",
    options: [
      .camera,
      Option(
        name: "--output", value: "FILE", summary: "where it goes; replaced if it exists"),
      Option(
        name: "--movie", value: "SECONDS",
        summary: "record a movie of that length (MP4); Ctrl-C ends it earlier"),
      .fps, .config, .json,
      Option(
        name: "--source-log", value: "FILE",
        summary: "write number and time of each frame that a clip or the demo camera sends"),
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
    snap.sourceLog = arguments.value("--source-log")
    // Ctrl-C ends a movie with the frames there are, and a second Ctrl-C ends the program.
    Interruption.watch(once: true)
    snap.isOver = { Interruption.isWanted }
    if let length = try arguments.movieLength() {
      let movie = try snap.record(length)
      if arguments.has(.json) { try printJSON(movie) } else { printLine(movie.path) }
      if let problem = movie.movie.problem { complain("the movie ended early: \(problem)") }
      return movie.movie.problem == nil ? .done : .cannotSave
    }
    let report = try snap.take()
    if arguments.has(.json) { try printJSON(report) } else { printLine(report.path) }
    return .done
  }
}

extension Arguments {
  /// Returns the value of `--movie` as a duration.
  func movieLength() throws(UsageError) -> Duration? {
    guard let text = value("--movie") else { return nil }
    guard let seconds = Double(text), (0.1...600).contains(seconds) else {
      throw UsageError(
        message: "'--movie' must be a number of seconds from 0.1 to 600, and is '\(text)'")
    }
    return .milliseconds(Int64((seconds * 1000).rounded()))
  }
}
