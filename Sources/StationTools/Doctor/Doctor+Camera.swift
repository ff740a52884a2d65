import Capture
import ImagePicker
import Station
import StationConfiguration

extension Doctor {
  func camera(_ visit: Visit) -> [Finding] {
    var findings: [Finding] = []
    if let problem = visit.access[.camera], visit.configuration.camera.device != off {
      findings.append(say("camera-denied", problem))
    } else if let camera = visit.station?.camera {
      findings += running(camera, visit)
    } else if visit.cameras.isEmpty, needsDevice(visit) {
      findings.append(say("camera-none"))
    }
    if let device = visit.configuration.camera.device, isNumber(device) {
      let name = visit.cameras.first { $0.path == device }?.name ?? "NAME"
      findings.append(say("camera-unstable", ["path": device, "name": name]))
    }
    findings += twins(visit)
    for report in visit.cameras { findings += there(report, visit) }
    return findings
  }

  /// Returns a finding for each configured name that several cameras share.
  private func twins(_ visit: Visit) -> [Finding] {
    let configuration = visit.configuration
    let devices = [configuration.camera.device] + configuration.cameras.values.map(\.device)
    return Set(devices.compactMap { $0 }).sorted().compactMap { device in
      guard let report = visit.cameras.first(where: { $0.ambiguousNames.contains(device) }) else {
        return nil
      }
      let words = ["device": device, "count": "\(report.twins.count + 1)", "name": report.name]
      return say("camera-twins", words)
    }
  }

  // A camera that the operator switched off is not reported.
  private var off: String { Configuration.Camera.off }

  private func needsDevice(_ visit: Visit) -> Bool {
    switch CameraName(visit.configuration.camera.device ?? "auto") {
    case .demo, .clip: false
    case .device, .best: true
    }
  }

  private func isNumber(_ device: String) -> Bool {
    device.hasPrefix("/dev/video") && device.dropFirst("/dev/video".count).allSatisfy(\.isNumber)
  }

  /// Returns the findings about the running service's camera.
  private func running(_ camera: RunningStation.Camera, _ visit: Visit) -> [Finding] {
    let name = camera.name ?? "the camera"
    let state = camera.words ?? camera.state ?? "unknown"
    var words = ["camera": name, "state": state, "user": visit.user, "error": state]
    var findings: [Finding] = []
    switch camera.state {
    case "streaming":
      words["state"] = "streams" + (camera.mode.map { " \($0)" } ?? "")
      findings.append(say("camera", words))
      if camera.lacksLight == true {
        words["rate"] = tomlNumber(camera.observedRate ?? 0)
        words["mode"] = camera.mode ?? "its mode"
        findings.append(say("camera-dark", words))
      }
    case "starting": break
    case "stopped" where visit.station?.configurationProblem != nil: break
    case "absent", nil:
      if visit.cameras.isEmpty {
        findings.append(say("camera-none"))
      } else {
        words["others"] = visit.cameras.map(\.name).joined(separator: ", ")
        findings.append(say("camera-other", words))
      }
    case "denied":
      // A user who is in the group already does not gain from joining it.
      let path = visit.cameras.first { $0.name == name }?.path
      let group = path.flatMap { world.owner(of: $0)?.group } ?? "video"
      let fix =
        world.groups(of: visit.user).contains(group)
        ? "sudo chmod 660 \(path ?? "/dev/video*"), or plug it in again"
        : "sudo usermod -aG \(group) \(visit.user); sudo systemctl restart retake"
      let problem = AccessProblem(
        subject: visit.user, object: name, cause: "permission is denied", fix: fix)
      findings.append(say("camera-denied", problem))
    case "busy":
      words["holder"] = camera.holder ?? "another program"
      findings.append(say("camera-busy", words))
    case "no-signal", "stalled": findings.append(say("camera-silent", words))
    default: findings.append(say("camera-unusable", words))
    }
    let (all, bad) = (camera.framesPublished ?? 0, camera.framesDamaged ?? 0)
    // The limit is one in a hundred, since every camera sends a few damaged frames at the start.
    if bad > 10, bad * 100 > all + bad {
      findings.append(say("camera-damaged", ["count": "\(bad)", "all": "\(all + bad)"]))
    }
    return findings
  }

  /// Returns the findings about a camera that is plugged in.
  private func there(_ report: CameraReport, _ visit: Visit) -> [Finding] {
    var words = ["camera": report.name, "path": report.path, "user": visit.user]
    let owner = world.owner(of: report.path)
    words["owner"] = owner.map { "\($0)" } ?? "unknown owner"
    words["modes"] =
      report.choice?.mode
      ?? report.formats.flatMap { format in
        format.sizes.prefix(1).map { "\($0.size) \(format.format)" }
      }.prefix(3).joined(separator: ", ")
    var findings: [Finding] = []
    if let layer = report.layer {
      words["advice"] = layer
      findings.append(say("camera-layer", words))
    }
    // The service's use of its own camera is no fault.
    let isOurs = visit.station?.camera?.state == "streaming" && report.problem == nil
    if let problem = report.problem, !isOurs, visit.station == nil {
      words["error"] = problem
      findings.append(say("camera-unusable", words))
    } else {
      findings.append(say("camera-there", words))
    }
    return findings
  }
}
