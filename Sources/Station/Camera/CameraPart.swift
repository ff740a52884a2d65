import Capture
import DemoCamera
import ImagePicker
import Imaging
import Platform
import Shots
import StationConfiguration

/// The station's camera, with its state and its permissions.
///
/// The state lives on the station's loop; ``current`` serves other threads.
actor CameraPart: LoopActor {
  /// The state that other threads see.
  struct View: Sendable {
    /// The camera in use, or `nil` when no camera is open.
    var camera: Camera?
    /// The operator's name of the camera.
    var label = ""
    /// The names of the configured cameras that are present.
    var present: Set<String> = []
    /// Whether a session uses another camera than the default camera.
    var isBorrowed = false

    /// The model's name, or the operator's name when the camera reports none.
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

  /// The state as last published; callable from any thread.
  nonisolated var current: View { published.current }

  // MARK: Opening

  /// Opens the default camera, or the camera named `named`.
  ///
  /// Throws when the configuration is wrong, or when a camera that the caller or the command line
  /// names cannot be used.
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
        // Only an absent camera is replaced by a fallback; the station waits for a busy one.
        if error.code != .noCamera { break }
        log.info("\(label): \(error.operatorMessage)")
      }
    }
    guard let problem else { return }
    if isDemanded || problem.code == .configuration { throw problem }
    // The station waits for its camera, and until then refuses every press with the reason.
    log.warning("\(problem)")
    if view.camera == nil {
      try await open(
        CameraChoice(wanted, configuration, rate: options.rate, frameLog: options.frameLog),
        patiently: true)
    }
  }

  /// Closes the camera in use and opens the configured camera, or the camera named `named`.
  func reopen(_ named: String? = nil) async throws(StationError) {
    let before = close()
    before?.observe(nil)
    await core.record(.camera, .unavailable(PickerReason(.starting)))
    await threads.worker.run { before?.stop() }
    try await open(named)
  }

  /// Gives the open camera to the caller, who must stop it; returns `nil` when no camera is open.
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
      log.warning("\(error.operatorMessage)")
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

  // MARK: State

  /// Passes a new camera state to the loop; callable from any thread.
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
    // The core is told before the log, since a slow log write would let a press come in between.
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

  /// Records the permission that the camera's state implies.
  ///
  /// A denied camera is probed for the reason.
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

  /// The camera's name with its granted mode, or with its state when no mode is granted.
  nonisolated var description: String {
    let view = current
    guard let camera = view.camera else { return "no camera" }
    return camera.granted.map { "\(view.name), \($0)" } ?? "\(view.name), \(camera.state)"
  }

  /// The condition that a press would meet at the camera; callable from any thread.
  nonisolated var condition: PickerMachine.Condition {
    if let problem = settings.current.problem {
      return .unavailable(
        PickerReason(
          .cameraUnavailable,
          problem: AccessProblem(
            subject: "the station", object: "the configuration", cause: "it cannot be used",
            fix: "\(problem); then 'retake trigger reload'")))
    }
    let view = current
    let state = view.camera?.state ?? .stopped
    if let problem = permissions.current.camera.problem, view.camera == nil || state == .denied {
      return .unavailable(PickerReason(.cameraUnavailable, problem: problem))
    }
    return PickerMachine.Condition(state, label: view.label, error: view.camera?.error)
  }
}
