import ImagePicker
import PhotoLibrary
import Platform
import Station
import StationConfiguration

/// The status of a running station as lines of text.
public struct StatusText: Sendable {
  /// The aligned lines, in which an arrow precedes each fix.
  public private(set) var lines: [String] = []

  /// Creates the lines of a status in the socket's format; `nil` when `json` is no status.
  public init?(json: String) {
    guard let station = RunningStation(json: json) else { return nil }
    let session = station.session.map { ", session \($0)" } ?? ""
    add("state", (station.state ?? "unknown") + session)
    camera(station)
    library(station)
    silence(station)
    panel(station)
    if let codec = station.movies?.codec {
      add("movies", codec + (station.movies?.isRecording == true ? ", one is recorded now" : ""))
    }
    if let address = station.page?.address { add("page", "http://\(address)/") }
    if let wanted = station.page?.ignored {
      add(
        "", "'web.listen' is \"\(wanted)\", which is not used: retake.socket listens",
        fix: PageReport.fix(wanted))
    }
    trouble(station)
  }

  private mutating func camera(_ station: RunningStation) {
    let name = station.camera?.name ?? ""
    let words = station.camera?.words ?? station.camera?.state ?? "unknown"
    let mode = station.camera?.mode.map { ", \($0)" } ?? ""
    add("camera", (name.isEmpty ? "" : "\(name): ") + words + mode)
    if station.camera?.lacksLight == true {
      let rate = station.camera?.observedRate.map { "\(tomlNumber($0)) pictures a second" }
      add(
        "", "\(rate ?? "few pictures") come, as in the dark",
        fix: "more light where guests stand, or a fixed exposure in [camera.controls]")
    }
    add(station.access?.camera?.problem)
  }

  private mutating func library(_ station: RunningStation) {
    let library = station.library
    add(
      "library", "\(library?.path ?? ""): \(library?.state ?? "unknown")",
      fix: station.access?.library?.problem == nil ? library?.fix : nil)
    add(station.access?.library?.problem)
    if let omitted = library?.picturesOmitted, omitted > 0 {
      add("pictures", "the first \(PhotoBrowser.mostPictures) are shown, \(omitted) are not")
    }
    let count = station.photos ?? 0
    let last = station.lastPhoto?.path.map { ", the last is \($0)" } ?? ""
    add("photos", "\(count == 0 ? "none" : "\(count)") since the start" + last)
    for copy in library?.copies ?? [] {
      add("copies", "\(copy.path ?? ""): \(copy.state ?? "unknown")", fix: copy.fix)
    }
  }

  private mutating func silence(_ station: RunningStation) {
    for disk in station.silentDisks ?? [] {
      add(
        "disk",
        "\(disk.path ?? ""): has not answered for \((disk.milliseconds ?? 0) / 1000) s",
        fix: LibraryError(MediumSilence(medium: disk.path ?? "")).fix)
    }
  }

  private mutating func panel(_ station: RunningStation) {
    for button in station.panel?.buttons ?? [] {
      let state = button.state == "armed" ? "ready" : button.state ?? "unknown"
      let presses = button.presses ?? 0
      add(
        "button",
        "\(button.name ?? "") at \(button.place ?? ""): "
          + (button.problem ?? "\(state), pressed \(presses == 1 ? "once" : "\(presses) times")"))
    }
    for lamp in station.panel?.lamps ?? [] {
      add(
        "lamp",
        "\(lamp.name ?? "") at \(lamp.place ?? ""): "
          + (lamp.problem ?? (lamp.isLit == true ? "lit" : "out")))
    }
    add(station.access?.buttons?.problem)
  }

  private mutating func trouble(_ station: RunningStation) {
    if let problem = station.configurationProblem {
      add("wrong", "nothing works until the configuration is corrected: \(problem)")
    }
    if let problem = station.refusedConfiguration {
      add("wrong", "the new configuration was refused, the one before it is in use: \(problem)")
    }
    if let problem = station.page?.problem { add("wrong", "there is no page: \(problem)") }
    if let refusal = station.lastRefusal { add("refused", refusal) }
  }

  private mutating func add(_ problem: AccessProblem?) {
    guard let problem else { return }
    add("", problem.message, fix: problem.fix)
  }

  private mutating func add(_ subject: String, _ text: String, fix: String? = nil) {
    let width = 9
    lines.append(
      subject + String(repeating: " ", count: max(1, width - subject.count)) + text)
    if let fix { lines.append(String(repeating: " ", count: width) + "-> \(fix)") }
  }
}
