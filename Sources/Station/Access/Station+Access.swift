import Capture
import ImagePicker
import PhotoLibrary
import Platform
import StationConfiguration

extension Station {
  /// Whether it may use what it needs, as last found out; opens nothing.
  public var access: AccessReport { parts.withLock { $0.access } }

  /// Finds out again whether it may use `resource`, and notes it.
  public func probeAccess(
    to resource: ImagePickerController.Resource
  ) async -> Access {
    guard !life.isStopping else { return access[resource] }
    return await looker.run { [self] in
      probe(resource)
      return access[resource]
    }
  }

  /// Looks at `resource` now; on a thread that may block.
  func probe(_ resource: ImagePickerController.Resource) {
    let probe = AccessProbe()
    let configuration = configuration
    let (camera, label) = parts.withLock { ($0.camera, $0.cameraLabel) }
    let found: Access =
      switch resource {
      case .camera:
        // What is in use may be used; one that is in use is not opened a second time.
        switch camera?.state {
        case .streaming, .noSignal, .stalled, .busy: Access(.authorized)
        default:
          probe.camera(
            label.isEmpty ? options.camera ?? configuration.camera.device ?? "auto" : label,
            configuration)
        }
      case .library: libraryAccess(by: probe, configuration)
      case .buttons:
        options.usesPanel
          ? probe.panel(configuration)
          : Access(
            .restricted,
            AccessProblem(
              who: "the station", what: "buttons and lamps",
              why: "the program was started without them", fix: "start it with 'retake run'"))
      }
    let before = parts.withLock { parts in
      let before = parts.access[resource]
      // What is absent says nothing new about permissions.
      if found != .unknown || resource != .camera { parts.access[resource] = found }
      return before
    }
    if found != before, let problem = found.problem { log.warning("\(problem)") }
  }

  private func libraryAccess(by probe: AccessProbe, _ configuration: Configuration) -> Access {
    let path = configuration.libraryPath
    var probe = probe
    probe.system = SteppedSystemCalls(probe.system)
    do throws(MediumSilence) {
      return try media.worker("looks", for: path).run(media.reading) { [probe] _ in
        probe.library(configuration)
      }
    } catch {
      // Whether it may use it is not known; that the disk hangs is told by the storage.
      return .unknown
    }
  }
}

extension StationError {
  /// The same, in the words of what was found out about the permissions.
  func explained(by access: Access) -> StationError {
    guard let problem = access.problem, code == .noPermission || code == .cannotSave else {
      return self
    }
    return StationError(
      access.status == .denied ? .noPermission : code, "\(problem)", cause: problem)
  }
}
