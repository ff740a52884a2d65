import Capture
import Platform
import StationConfiguration

extension CameraReport {
  /// Returns a report of each camera of this machine, with its use by `configuration`.
  ///
  /// Opens each camera briefly, and blocks.
  public static func all(
    configuration: Configuration = Configuration(), system: any SystemCalls = LinuxSystemCalls()
  ) -> [CameraReport] {
    let list = CameraList(system: system)
    let plans = Plans(configuration, list)
    let entries = list.entries()
    // A name in `/dev/v4l/by-id` that two cameras share leads to only one of them.
    let shared = Dictionary(grouping: entries.map(\.identity), by: \.key).mapValues {
      $0.flatMap(\.links)
    }
    return entries.map { entry in
      var identity = entry.identity
      if !identity.twins.isEmpty { identity.links = shared[identity.key] ?? identity.links }
      var report = CameraReport(identity)
      report.byId = entry.identity.links
      report.use = plans.used?.path == report.path ? plans.used?.reason : nil
      report.holder = list.holder(of: report.path)
      if entry.needsCompatibilityLayer { report.layer = CompatibilityLayer.advice(system: system) }
      if let error = entry.error {
        report.problem = error.operatorMessage
      } else {
        report.fill(from: list, plans.choice(for: report.path, configuration))
      }
      return report
    }
  }

  private mutating func fill(from list: CameraList, _ choice: CameraChoice) {
    let abilities: CameraAbilities
    do {
      abilities = try list.abilities(at: path)
    } catch {
      problem = error.operatorMessage
      return
    }
    formats = abilities.offers.map { Format($0) }
    controls = abilities.controls.map { Control($0) }
    // A receiver streams only after libcamera has set up the devices behind it.
    guard layer == nil else { return }
    if let (mode, reason) = ModeChoice.explain(abilities.offers, wish: choice.options.wish) {
      let rate = mode.rate.map { " at \($0) fps" } ?? ""
      self.choice = Choice(mode: "\(mode.size) \(mode.format)\(rate)", reason: reason)
    }
    if let refusal = abilities.refusal(of: choice.options.wish) {
      problem = choice.explain(refusal).message
    } else if let refusal = abilities.refusal(of: choice.options.controls) {
      problem = choice.explain(refusal).message
    } else if !abilities.hasSignal {
      problem = "nothing is connected to its input, or it is switched off"
    }
  }

  /// The cameras that the configuration selects.
  private struct Plans {
    var used: (path: String, reason: String)?
    private var choices: [String: CameraChoice] = [:]

    init(_ configuration: Configuration, _ list: CameraList) {
      let first = configuration.camera.device ?? "auto"
      // The order is that of the station; a named camera that is not tried only gets its own
      // wishes.
      let tried = [first] + configuration.fallback
      var isDecided = false
      for label in tried + configuration.cameras.keys.sorted() {
        let choice = CameraChoice(label, configuration)
        let isTried = tried.contains(label)
        switch choice.name {
        case .demo, .clip:
          // The station would use the demo camera or the clip, and would try no device after it.
          if isTried { isDecided = true }
        case .device, .best:
          guard let path = try? list.path(of: choice.name) else { continue }
          if choices[path] == nil { choices[path] = choice }
          guard isTried, !isDecided else { continue }
          isDecided = true
          used = (path, Plans.reason(label, first, choice.name, configuration))
        }
      }
    }

    private static func reason(
      _ label: String, _ first: String, _ name: CameraName, _ configuration: Configuration
    ) -> String {
      if label != first { return "it is the first of 'camera.fallback' that is there" }
      if name == .best { return "it is the first camera that can be used" }
      let place = configuration.origins["camera.device"].map { " (\($0))" } ?? ""
      return "'camera.device' names it\(place)"
    }

    func choice(for path: String, _ configuration: Configuration) -> CameraChoice {
      choices[path] ?? CameraChoice(path, configuration)
    }
  }
}
