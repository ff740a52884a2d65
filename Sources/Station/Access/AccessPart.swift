import ImagePicker
import PhotoLibrary
import Platform
import StationConfiguration

/// The permissions of the station, as last probed.
///
/// The state lives on the station's loop; the looker's thread opens devices and directories.
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

  /// The last report of permissions; callable from any thread.
  nonisolated var current: AccessReport { published.current }

  /// Probes `resource` again and publishes the answer.
  ///
  /// A station that is stopping returns the last answer without a probe.
  @discardableResult
  func probe(_ resource: ImagePickerController.Resource) async -> Access {
    guard !life.isStopping else { return report[resource] }
    let found = await threads.looker.run { [self] in look(at: resource) }
    let before = report[resource]
    // An absent camera gives no new information about permissions.
    if found != .unknown || resource != .camera { report[resource] = found }
    if found != before, let problem = found.problem { log.warning("\(problem)") }
    return report[resource]
  }

  /// Records that the camera was opened, or that it is in use.
  func recordCameraOpened() { report.camera = Access(.authorized) }

  /// Probes `resource` now; blocks.
  private nonisolated func look(at resource: ImagePickerController.Resource) -> Access {
    let probe = AccessProbe()
    let configuration = settings.current.configuration
    let view = camera.current
    switch resource {
    case .camera:
      // A camera in use proves its permission, and must not be opened a second time.
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
            subject: "the station", object: "buttons and lamps",
            cause: "the program was started without them", fix: "start it with 'retake run'"))
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
      // The permission is unknown; the storage report tells the operator that the disk hangs.
      return .unknown
    }
  }
}
