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
  private nonisolated let threads: StationThreads
  private nonisolated let options: Station.Options
  private nonisolated let settings: StationSettings
  private nonisolated let life: StationLife
  private nonisolated let camera: Published<CameraPart.View>
  private nonisolated let published = Published(AccessReport())
  private nonisolated let log = Log("station")
  private var report = AccessReport() {
    didSet { published.publish(report) }
  }

  init(
    threads: StationThreads, options: Station.Options, settings: StationSettings,
    life: StationLife, camera: Published<CameraPart.View>
  ) {
    loop = threads.loop
    (self.threads, self.options, self.settings) = (threads, options, settings)
    (self.life, self.camera) = (life, camera)
  }

  /// What was last found out, from any thread.
  nonisolated var current: AccessReport { published.current }

  /// Finds out again whether the station may use `resource`; one that is ending finds out no more.
  @discardableResult
  func probe(_ resource: ImagePickerController.Resource) async -> Access {
    guard !life.isStopping else { return report[resource] }
    let found = await threads.looker.run { [self] in look(at: resource) }
    let before = report[resource]
    // What is absent says nothing new about permissions.
    if found != .unknown || resource != .camera { report[resource] = found }
    if found != before, let problem = found.problem { log.warning("\(problem)") }
    return report[resource]
  }

  /// Notes that the camera was opened, or that it is in use.
  func recordCameraOpened() { report.camera = Access(.authorized) }

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
      let media = threads.media
      return try media.worker("looks", for: path).run(media.reading) { [probe] _ in
        probe.library(configuration)
      }
    } catch {
      // Whether it may use it is not known; that the disk hangs is told by the storage.
      return .unknown
    }
  }
}
