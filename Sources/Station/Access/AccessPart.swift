import ImagePicker
import PhotoLibrary
import Platform
import StationConfiguration

/// Whether the station may use what it needs, as last found out.
///
/// Its state lives on the station's loop; devices and directories are looked at on another thread.
actor AccessPart: LoopActor {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private nonisolated let looker: EventLoop
  private nonisolated let media: Media
  private nonisolated let options: Station.Options
  private nonisolated let settings: StationSettings
  private nonisolated let camera: Published<CameraPart.View>
  private nonisolated let published = Published(AccessReport())
  private nonisolated let log = Log("station")
  private var report = AccessReport() {
    didSet { published.publish(report) }
  }

  init(
    loop: EventLoop, looker: EventLoop, media: Media, options: Station.Options,
    settings: StationSettings, camera: Published<CameraPart.View>
  ) {
    (self.loop, self.looker, self.media) = (loop, looker, media)
    (self.options, self.settings, self.camera) = (options, settings, camera)
  }

  /// What was last found out, from any thread.
  nonisolated var current: AccessReport { published.current }

  /// Finds out again whether the station may use `resource`.
  @discardableResult
  func probe(_ resource: ImagePickerController.Resource) async -> Access {
    let found = await looker.run { [self] in look(at: resource) }
    let before = report[resource]
    // What is absent says nothing new about permissions.
    if found != .unknown || resource != .camera { report[resource] = found }
    if found != before, let problem = found.problem { log.warning("\(problem)") }
    return report[resource]
  }

  /// Notes that the camera was opened, or that it is in use.
  func noteCameraOpened() { report.camera = Access(.authorized) }

  /// Looks at `resource` now; it blocks.
  private nonisolated func look(at resource: ImagePickerController.Resource) -> Access {
    let probe = AccessProbe()
    let configuration = settings.current.configuration
    let view = camera.current
    switch resource {
    case .camera:
      // What is in use may be used; one that is in use is not opened a second time.
      switch view.camera?.state {
      case .streaming, .noSignal, .stalled, .busy: return Access(.authorized)
      default:
        let label = options.camera ?? configuration.camera.device ?? "auto"
        return probe.camera(view.label.isEmpty ? label : view.label, configuration)
      }
    case .library: return library(by: probe, configuration)
    case .buttons:
      return options.usesPanel
        ? probe.panel(configuration)
        : Access(
          .restricted,
          AccessProblem(
            who: "the station", what: "buttons and lamps",
            why: "the program was started without them", fix: "start it with 'retake run'"))
    }
  }

  private nonisolated func library(
    by probe: AccessProbe, _ configuration: Configuration
  ) -> Access {
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
