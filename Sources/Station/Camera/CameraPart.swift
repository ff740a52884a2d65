import Capture
import DemoCamera
import ImagePicker
import Imaging
import Platform
import StationConfiguration

/// The station's camera: which one is in use, and what it says.
///
/// Its state lives on the station's loop; ``current`` is for other threads.
actor CameraPart: LoopActor {
  /// The camera as other threads see it.
  struct View: Sendable {
    /// The one in use; nil: none is open.
    var camera: Camera?
    /// The operator's name for it.
    var label = ""
    /// The cameras of the configuration that are there.
    var present: Set<String> = []
    /// Whether a session uses another camera than the default one.
    var isBorrowed = false

    /// The model's name, or the operator's where the camera tells none.
    var name: String { camera?.identity?.name ?? label }
  }

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  nonisolated let threads: StationThreads
  nonisolated let options: Station.Options
  nonisolated let settings: StationSettings
  nonisolated let permissions: AccessPart
  nonisolated let life: StationLife
  private nonisolated let core: StationCore
  private nonisolated let movies: MovieStore
  private nonisolated let published: Published<View>
  nonisolated let log = Log("station")
  var view = View() {
    didSet { published.publish(view) }
  }

  init(
    _ published: Published<View>, threads: StationThreads, options: Station.Options,
    settings: StationSettings, permissions: AccessPart, life: StationLife, core: StationCore,
    movies: MovieStore
  ) {
    loop = threads.loop
    (self.published, self.threads, self.options) = (published, threads, options)
    (self.settings, self.permissions, self.life) = (settings, permissions, life)
    (self.core, self.movies) = (core, movies)
  }

  /// How it stands, from any thread.
  nonisolated var current: View { published.current }

  // MARK: Opening

  /// Opens the default camera, or the one of that name, which must be there then.
  func open(_ named: String? = nil) async throws(StationError) {
    let wanted = named ?? defaultName
    guard wanted != Configuration.Camera.off else {
      await permissions.probe(.camera)
      await core.record(.camera, condition)
      return log.notice("the camera is switched off")
    }
    let configuration = settings.current.configuration
    var problem: StationError?
    let isDemanded = named != nil || options.camera != nil
    let labels = [wanted] + (isDemanded ? [] : configuration.fallback)
    for label in labels {
      let choice = CameraChoice(
        label, configuration, rate: options.rate, sourceLog: options.sourceLog,
        frameLog: options.frameLog)
      do {
        try await open(choice)
        if let problem {
          log.warning("\(problem.message); \(label) is used in place of \(wanted)")
        }
        return
      } catch {
        problem = problem ?? error
        // Only a camera that is not there gives way to another: a busy one is waited for.
        if error.code != .noCamera { break }
        log.info("\(label): \(error.message)")
      }
    }
    guard let problem else { return }
    if isDemanded || problem.code == .configuration { throw problem }
    // The station waits for its camera; until then every press is refused with the reason.
    log.warning("\(problem.message)")
    if view.camera == nil {
      try await open(
        CameraChoice(wanted, configuration, rate: options.rate, frameLog: options.frameLog),
        patiently: true)
    }
  }

  /// Closes the camera in use and opens the one that is configured now, or the one of that name.
  func reopen(_ named: String? = nil) async throws(StationError) {
    let before = close()
    before?.observe(nil)
    await core.record(.camera, .unavailable(PickerReason(.starting)))
    await threads.worker.run { before?.stop() }
    try await open(named)
  }

  /// Lets the camera go, which the caller stops; nil: none is open.
  func close() -> Camera? {
    defer { view.camera = nil }
    return view.camera
  }

  private func open(_ choice: CameraChoice, patiently: Bool = false) async throws(StationError) {
    let camera: Camera
    do {
      camera = try Camera(
        choice.name, options: choice.options, gate: FrameGate.inspect, sources: .demo,
        system: threads.system)
    } catch {
      throw StationError(error)
    }
    camera.preview.setEncoder(rawPreview())
    let result = await threads.worker.run { () -> Result<Void, CaptureError> in
      do throws(CaptureError) {
        try camera.start()
        if !patiently { try camera.waitUntilStreaming(timeout: .seconds(8)) }
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    if case .failure(let error) = result {
      let isWaitedFor =
        options.camera == nil && ![.noCamera, .noMode, .badControl].contains(error.code)
      if !isWaitedFor {
        await threads.worker.run { camera.stop() }
        guard error.code == .denied else { throw choice.explain(error) }
        view.label = choice.label
        throw choice.explain(error).explained(by: await permissions.probe(.camera))
      }
      log.warning("\(error.message)")
    }
    (view.camera, view.label) = (camera, choice.label)
    await core.updateStudio {
      $0.source = Studio.Source(camera: camera, label: choice.label, delay: choice.delay)
    }
    camera.observe { [weak self] event in
      switch event {
      case .state(let state): self?.changed(to: state)
      case .mode: self?.movies.lookAgain()
      case .frame: break
      }
    }
    changed(to: camera.state)
  }

  // MARK: What it says

  /// Takes in a state of the camera's; from any thread.
  nonisolated func changed(to state: CameraState) {
    let view = current
    let error = view.camera?.error
    switch state {
    case .absent, .stopped, .denied: movies.cameraLost()
    default: break
    }
    perform { $0.take(state, error, label: view.label) }
  }

  private func take(_ state: CameraState, _ error: CaptureError?, label: String) {
    recordAccess(of: state)
    // Before the log, which may be slow to write: a press must not come in between.
    let condition = PickerMachine.Condition(state, label: label, error: error)
    core.assumeIsolated { $0.report(.camera, condition) }
    let fields = [("camera", label), ("camera_state", state.name)]
    switch state {
    case .streaming: log.notice("using \(description)", fields)
    case .starting, .stopped: log.info("camera \(label): \(state)", fields)
    default:
      log.warning("camera \(label): \(state)" + (error.map { "; \($0.message)" } ?? ""), fields)
    }
  }

  /// What the camera's state says about permissions; why it is refused is found out elsewhere.
  private func recordAccess(of state: CameraState) {
    switch state {
    case .streaming, .noSignal, .stalled, .busy:
      permissions.assumeIsolated { $0.recordCameraOpened() }
    case .denied:
      Task { [weak self, permissions] in
        await permissions.probe(.camera)
        guard let self else { return }
        await self.core.record(.camera, self.condition)
      }
    default: break
    }
  }

  /// Which camera is used, in words: its label and what it granted.
  nonisolated var description: String {
    let view = current
    guard let camera = view.camera else { return "no camera" }
    return camera.granted.map { "\(view.name), \($0)" } ?? "\(view.name), \(camera.state)"
  }

  /// What a press would meet at the camera, from any thread.
  nonisolated var condition: PickerMachine.Condition {
    if let problem = settings.current.problem {
      return .unavailable(
        PickerReason(
          .cameraUnavailable,
          problem: AccessProblem(
            who: "the station", what: "the configuration", why: "it cannot be used",
            telling: "\(problem); then 'retake trigger reload'")))
    }
    let view = current
    let state = view.camera?.state ?? .stopped
    if let problem = permissions.current.camera.problem, view.camera == nil || state == .denied {
      return .unavailable(PickerReason(.cameraUnavailable, problem: problem))
    }
    return PickerMachine.Condition(state, label: view.label, error: view.camera?.error)
  }
}
