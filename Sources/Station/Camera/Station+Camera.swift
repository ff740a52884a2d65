import Capture
import ImagePicker
import Imaging
import Platform
import StationConfiguration

extension Station {
  /// Opens the usual camera, or the one of that name, which must be there then.
  func openCamera(_ named: String? = nil) async throws(StationError) {
    let wanted = named ?? usualCamera
    guard wanted != Configuration.Camera.off else {
      await looker.run { [self] in probe(.camera) }
      await core.note(.camera, cameraCondition)
      return log.notice("the camera is switched off")
    }
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
    if parts.withLock({ $0.camera == nil }) {
      try await open(
        CameraChoice(wanted, configuration, rate: options.rate, frameLog: options.frameLog),
        patiently: true)
    }
  }

  /// Closes the camera in use and opens the one that is configured now, or the one of that name.
  func reopenCamera(_ named: String? = nil) async throws(StationError) {
    let camera = parts.withLock { parts in
      defer { parts.camera = nil }
      return parts.camera
    }
    camera?.observe(nil)
    await core.note(.camera, .unavailable(PickerReason(.starting)))
    await worker.run { camera?.stop() }
    try await openCamera(named)
  }

  private func open(_ choice: CameraChoice, patiently: Bool = false) async throws(StationError) {
    let system = system
    let camera: Camera
    do {
      camera = try Camera(
        choice.name, options: choice.options, gate: FrameGate.inspect, system: system)
    } catch {
      throw StationError(error)
    }
    camera.preview.setEncoder(rawPreview())
    let result = await worker.run { () -> Result<Void, CaptureError> in
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
        await worker.run { camera.stop() }
        guard error.code == .denied else { throw choice.explain(error) }
        parts.withLock { $0.cameraLabel = choice.label }
        throw choice.explain(error).explained(by: await probeAccess(to: .camera))
      }
      log.warning("\(error.message)")
    }
    parts.withLock { parts in
      parts.camera = camera
      parts.cameraLabel = choice.label
    }
    await core.updateStudio {
      $0.source = Studio.Source(camera: camera, label: choice.label, delay: choice.delay)
    }
    camera.observe { [weak self] event in
      switch event {
      case .state(let state): self?.cameraChanged(state)
      case .mode: self?.movies.lookAgain()
      case .frame: break
      }
    }
    cameraChanged(camera.state)
  }

  func cameraChanged(_ state: CameraState) {
    let (camera, label) = parts.withLock { ($0.camera, $0.cameraLabel) }
    let error = camera?.error
    switch state {
    case .absent, .stopped, .denied: movies.cameraLost()
    default: break
    }
    noteAccess(of: state)
    let condition = PickerMachine.Condition(state, label: label, error: error)
    // Before the log, which may be slow to write: a press must not come in between.
    core.perform { [weak self] core in
      core.note(.camera, condition)
      self?.show(core)
    }
    let fields = [("camera", label), ("camera_state", state.name)]
    switch state {
    case .streaming: log.notice("camera \(label): \(cameraDescription)", fields)
    case .starting, .stopped: log.info("camera \(label): \(state)", fields)
    default:
      log.warning("camera \(label): \(state)" + (error.map { "; \($0.message)" } ?? ""), fields)
    }
    parts.withLock { $0.reporter }?.show()
  }

  /// What the camera's state says about permissions; why it is refused is found out elsewhere.
  private func noteAccess(of state: CameraState) {
    switch state {
    case .streaming, .noSignal, .stalled, .busy:
      parts.withLock { $0.access.camera = Access(.authorized) }
    case .denied:
      looker.submit { [weak self] in
        guard let self else { return }
        probe(.camera)
        let condition = cameraCondition
        core.perform { $0.note(.camera, condition) }
      }
    default: break
    }
  }
}
