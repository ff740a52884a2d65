import Glibc
import ImagePicker
import Platform
import Station
import StationConfiguration

/// Checks everything that a booth needs, and reports faults with their fixes.
///
/// The doctor asks the running service for its own view, since root's permissions in a shell differ
/// from the service's. The doctor changes nothing, and blocks while devices and disks answer.
public struct Doctor: Sendable {
  /// The findings of an examination.
  public struct Report: Sendable, Encodable {
    /// The findings in the order of the checks.
    public var findings: [Finding] = []
    /// The worst level of the findings.
    public var worst: Finding.Level

    init(_ findings: [Finding]) {
      self.findings = findings
      worst = findings.map(\.level).max() ?? .ok
    }

    /// The program's exit status: 0, or 1 for warnings, or 2 for problems.
    public var exitStatus: Int32 {
      switch worst {
      case .ok: 0
      case .warning: 1
      case .problem: 2
      }
    }
  }

  let world: DoctorWorld
  let file: String
  let isNamed: Bool
  /// The threads that wait for disks.
  let media: DiskWorkers

  /// Creates a doctor.
  ///
  /// - Parameters:
  ///   - file: The configuration file, or `nil` for the default file.
  ///   - world: The machine to examine.
  ///   - media: The threads that wait for disks.
  public init(file: String? = nil, world: DoctorWorld = .this, media: DiskWorkers = DiskWorkers()) {
    self.media = media
    self.file = file ?? Configuration.defaultFile
    isNamed = file != nil
    self.world = world
  }

  /// The facts that all checks share.
  struct Visit {
    var configuration: Configuration
    var unit: [String: String]?
    var station: RunningStation?
    var user: String
    var cameras: [CameraReport]
    var panel: PanelInventory
    /// The permission problems of the station, or of this user when no station runs.
    var access: [ImagePickerController.Resource: AccessProblem]
    /// Whether the service's user cannot read the configuration, which has a finding of its own.
    var isConfigurationShut: Bool

    /// Whether the service is installed on the machine.
    var hasService: Bool { unit != nil }
  }

  /// Runs all checks.
  public func examine() -> Report {
    let unit = properties(of: "retake.service")
    let usual = Configuration(
      environment: processEnvironment(), isService: unit != nil || Configuration.isService())
    var findings: [Finding] = []
    let user = unit?["User"].flatMap { $0.isEmpty ? nil : $0 } ?? currentUser()
    let configuration = read(usual, service: unit == nil ? nil : user, &findings)
    let station = ask(configuration, unit, &findings)
    let visit = Visit(
      configuration: configuration, unit: unit, station: station,
      user: user,
      cameras: world.cameras(configuration), panel: world.panel(configuration),
      access: access(configuration, station, hasService: unit != nil),
      isConfigurationShut: findings.contains { $0.code == "configuration-shut" })
    findings += secrets(visit)
    findings += service(visit)
    findings += camera(visit)
    findings += movies(visit)
    findings += groups(visit)
    findings += buttons(visit)
    findings += disks(visit)
    findings += machine(visit)
    return Report(findings)
  }

  private func access(
    _ configuration: Configuration, _ station: RunningStation?, hasService: Bool
  ) -> [ImagePickerController.Resource: AccessProblem] {
    var problems: [ImagePickerController.Resource: AccessProblem] = [:]
    if let access = station?.access {
      problems[.camera] = access.camera?.problem
      problems[.library] = access.library?.problem
      problems[.buttons] = access.buttons?.problem
    } else if station == nil, !hasService {
      let looks = media.worker("looks", for: configuration.libraryPath)
      // The silent disk is reported by the check of the library.
      guard let report = try? looks.run(media.reading, { [world] _ in world.access(configuration) })
      else { return problems }
      for resource in [ImagePickerController.Resource.camera, .library, .buttons] {
        problems[resource] = report[resource].problem
      }
    }
    return problems
  }

  /// Returns the finding of a permission problem, in the same words as the log and the page.
  func say(_ code: String, _ problem: AccessProblem) -> Finding {
    say(
      code,
      [
        "who": problem.subject, "what": problem.object, "why": problem.cause, "fix": problem.fix,
      ])
  }

  func say(_ code: String, _ words: [String: String] = [:]) -> Finding {
    DoctorMessage.named(code).finding(words)
  }

  // MARK: Configuration and service

  /// Reads the configuration file; `service` is the service's user, or `nil` without a service.
  private func read(
    _ usual: Configuration, service: String?, _ findings: inout [Finding]
  ) -> Configuration {
    let bytes: [UInt8]
    switch ConfigurationFile.read(world.root + file) {
    case .success(let read): bytes = read
    case .failure(.missing) where !isNamed:
      findings.append(say("configuration-none", ["file": file]))
      return usual
    case .failure(.denied):
      findings.append(say("configuration-denied", ["file": file]))
      return usual
    case .failure(let problem):
      findings.append(say("configuration-wrong", ["error": "\(file) \(problem)"]))
      return usual
    }
    do {
      let configuration = try usual.reading(bytes, file: file)
      if let shut = service.flatMap(shutOut) {
        findings.append(shut)
      } else {
        findings.append(say("configuration", ["file": file]))
      }
      return configuration
    } catch {
      findings.append(say("configuration-wrong", ["error": "\(error)"]))
      if let shut = service.flatMap(shutOut) { findings.append(shut) }
      return usual
    }
  }

  /// Returns the finding about a file that this user can read and the service's user cannot.
  private func shutOut(_ user: String) -> Finding? {
    guard user != "root" else { return nil }
    let group = world.mainGroup(of: user) ?? user
    var path = ""
    let parts = file.split(separator: "/")
    for (index, part) in parts.enumerated() {
      path += "/\(part)"
      let isFile = index == parts.count - 1
      guard let owner = world.owner(of: path),
        !owner.lets(user, in: world.groups(of: user), do: isFile ? 4 : 1)
      else { continue }
      let fix =
        if owner.user == user {
          "sudo chmod u+\(isFile ? "r" : "x") \(path)"
        } else if isFile {
          "sudo chgrp \(group) \(path) && sudo chmod 640 \(path)"
        } else {
          "sudo chmod o+x \(path)"
        }
      return say(
        "configuration-shut",
        ["user": user, "file": file, "path": path, "owner": "\(owner)", "fix": fix])
    }
    return nil
  }

  /// Returns the finding about secrets that every user can read.
  private func secrets(_ visit: Visit) -> [Finding] {
    let group = world.mainGroup(of: visit.user) ?? visit.user
    let secrets = ExposedSecrets(visit.configuration, user: visit.user, group: group) {
      world.owner(of: $0)
    }
    guard let secrets else { return [] }
    return [
      say(
        "configuration-open",
        [
          "what": secrets.what, "file": secrets.file, "owner": secrets.owner, "fix": secrets.fix,
        ])
    ]
  }

  /// Returns the properties of a unit, or `nil` when there is no such unit or no systemd.
  func properties(of unit: String) -> [String: String]? {
    let names =
      "LoadState,ActiveState,SubState,StatusText,NRestarts,WatchdogUSec,User,UnitFileState"
    guard let text = world.output(["systemctl", "show", "--no-pager", "-p", names, unit]) else {
      return nil
    }
    var result: [String: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
    }
    return result["LoadState"] == "loaded" ? result : nil
  }

  private func ask(
    _ configuration: Configuration, _ unit: [String: String]?, _ findings: inout [Finding]
  ) -> RunningStation? {
    let socket = configuration.socketPath
    switch world.status(socket) {
    case .success(let json): return RunningStation(json: json)
    case .failure(let error):
      guard let unit, unit["ActiveState"] == "active" else { return nil }
      let isDenied = error.errno == EACCES || error.errno == EPERM
      findings.append(say(isDenied ? "service-denied" : "service-silent", ["socket": socket]))
      return nil
    }
  }

  private func service(_ visit: Visit) -> [Finding] {
    guard let unit = visit.unit else {
      return [say("service-none")] + waiting(visit)
    }
    var findings: [Finding] = []
    let isActive = unit["ActiveState"] == "active"
    if isActive {
      findings.append(say("service", ["status": unit["StatusText"] ?? ""]))
    } else {
      findings.append(say("service-down", ["state": unit["ActiveState"] ?? "unknown"]))
    }
    if unit["UnitFileState"] == "disabled" { findings.append(say("service-disabled")) }
    let restarts = Int(unit["NRestarts"] ?? "") ?? 0
    if restarts > 0 {
      findings.append(
        say("service-restarted", ["count": restarts == 1 ? "once" : "\(restarts) times"]))
    }
    let patience = unit["WatchdogUSec"] ?? ""
    if ["", "0", "infinity"].contains(patience) {
      findings.append(say("watchdog-off"))
    } else {
      findings.append(say("watchdog", ["time": patience]))
    }
    return findings + waiting(visit)
  }

  private func waiting(_ visit: Visit) -> [Finding] {
    var findings: [Finding] = []
    // A configuration that the service cannot read was reported by an earlier check.
    if let problem = visit.station?.configurationProblem, !visit.isConfigurationShut {
      findings.append(say("configuration-unused", ["error": problem]))
    }
    for (part, time) in (visit.station?.service?.silentMilliseconds ?? [:]).sorted(by: {
      $0.key < $1.key
    })
    where time > 20_000 {
      findings.append(say("watchdog-silent", ["part": part, "time": "\(time / 1000) s"]))
    }
    return findings
  }
}
