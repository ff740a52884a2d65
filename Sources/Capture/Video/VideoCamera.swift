import Platform

/// A V4L2 camera, which is found by its name at first and by its identity from then on.
final class VideoCamera: CaptureDevice {
  private let name: CameraName
  private let options: CameraOptions
  private let signal: ReturnSignal
  private let system: any SystemCalls
  private let log = Log("capture")
  private var session: Session?
  private let holders: DeviceHolders
  private var known: CameraIdentity?
  /// Whether another camera with the serial number of ``known`` was ever seen beside it.
  private var hasTwin = false
  private var closedAt: MonotonicTime?

  /// The minimum time to plug a camera into another port; a camera that appears there sooner is
  /// another one.
  private static let shortestMove = Duration.milliseconds(500)

  init(
    _ name: CameraName, options: CameraOptions, signal: ReturnSignal, system: any SystemCalls
  ) {
    self.name = name
    self.options = options
    self.signal = signal
    self.system = system
    holders = DeviceHolders(system: system)
  }

  // The resources that exist between opening and closing.
  private final class Session {
    let device: VideoDevice
    var queue: BufferQueue?
    /// The plan for the controls; nil if no values are wished.
    var controls: ControlPlan?

    init(_ device: consuming VideoDevice) { self.device = device }

    var frames: [Frame] {
      // The queue is read through a switch, the only way to read an optional of a noncopyable type.
      switch queue {
      case .some(let queue): queue.frames
      case .none: []
      }
    }

    func dequeue() -> Dequeued {
      switch queue {
      case .some(let queue): queue.dequeue()
      case .none: .nothing
      }
    }

    func requeue(_ frame: Frame) throws(SystemError) {
      switch queue {
      case .some(let queue): try queue.queue(frame)
      case .none: throw SystemError(errno: Errno.notAFile, call: "VIDIOC_QBUF")
      }
    }

    func restart() throws(SystemError) {
      try queue?.stop()
      try queue?.start()
      _ = try applyControls()
    }

    /// Sets the controls and returns the steps that the driver refused; throws if the device is
    /// gone.
    func applyControls() throws(SystemError) -> [(ControlPlan.Step, SystemError)] {
      guard let controls else { return [] }
      return try controls.apply { id, number throws(SystemError) in
        try device.setControl(id, to: number)
      }
    }
  }

  private(set) var frames: [Frame] = []
  let warmsUp = true
  let isNode = true
  var nodeName: String? {
    guard case .device(let text) = name else { return nil }
    return text.split(separator: "/").last.map(String.init)
  }
  var descriptor: Int32? { session?.device.number }
  var isStrict: Bool { session?.device.capability.isCompatibilityLayer ?? false }

  var identity: CameraIdentity { known ?? CameraIdentity(name: name.description) }

  // MARK: Opening

  func open() throws(CaptureError) -> CameraMode {
    let found = try find()
    let device: VideoDevice
    do {
      device = try VideoDevice(opening: found.path, system: system, holders: holders)
    } catch {
      throw error.openingError(found.path, holders)
    }
    guard device.capability.isCamera else { throw CaptureError.notCamera(found.path) }
    let session = Session(device)
    self.session = session
    known = found
    session.device.subscribeToChanges()
    return try negotiate(session)
  }

  /// Finds the camera's identity, and logs a warning if the name refers to two cameras.
  private func find() throws(CaptureError) -> CameraIdentity {
    let list = CameraList(system: system, holders: holders)
    let found = try list.find(name, known: known, hasTwin: hasTwin)
    if name != .best, let known, let closedAt, found.key == known.key, !found.serial.isEmpty,
      found.bus != known.bus, system.monotonicTime() - closedAt < VideoCamera.shortestMove
    {
      hasTwin = true
      throw CameraList.otherTwin(known, found)
    }
    if !found.twins.isEmpty {
      if !hasTwin {
        log.warning(
          "the name \(found.key) means \(found.twins.count + 1) cameras; the one at \(found.bus) is "
            + "used; to choose, set 'camera.device' to the name of its port: \(found.uniqueName)",
          [("device", found.path)])
      }
      hasTwin = true
    }
    return found
  }

  func close() {
    if session != nil { closedAt = system.monotonicTime() }
    frames = []
    session = nil
  }

  func renegotiate() throws(CaptureError) -> CameraMode {
    guard let session else { return try open() }
    frames = []
    session.queue = nil
    return try negotiate(session)
  }

  private func negotiate(_ session: Session) throws(CaptureError) -> CameraMode {
    do {
      try session.device.adoptTimings()
    } catch {
      throw session.device.explain(error)
    }
    try setControls(session)
    let offers = session.device.offers(wish: options.wish.rate)
    let candidates = ModeChoice.order(offers, wish: options.wish)
    var refusal = ModeChoice.refusal(offers, wish: options.wish)
    for candidate in candidates.prefix(16) {
      do {
        let mode = try start(session, candidate)
        // The controls are set once more, because some cameras start each stream with their own
        // values.
        try applyControls(session, isFirst: false)
        return mode
      } catch {
        session.queue = nil
        refusal = error
        // Another mode may work after these errors; others would only occur again.
        guard error.code == .noBandwidth || error.code == .noMode else { break }
        log.notice("\(candidate.size) \(candidate.format) cannot be had: \(error.message)")
      }
    }
    throw refusal
  }

  // The controls are set at each negotiation, because an unplugged camera loses them.
  private func setControls(_ session: Session) throws(CaptureError) {
    session.controls = nil
    guard !options.controls.isEmpty else { return }
    session.controls = try ControlPlan(options.controls, for: session.device.controls())
    try applyControls(session, isFirst: true)
  }

  private func applyControls(_ session: Session, isFirst: Bool) throws(CaptureError) {
    do {
      let refused = try session.applyControls()
      guard isFirst else { return }
      for (step, error) in refused {
        log.warning(
          "the camera does not take \(step.control.name) = \(step.number): \(error.reason)"
            + (step.control.isInactive ? "; an automatic control is in the way" : ""))
      }
    } catch {
      throw session.device.explain(error)
    }
  }

  private func start(
    _ session: Session, _ candidate: ModeCandidate
  ) throws(CaptureError) -> CameraMode {
    var mode: CameraMode
    do {
      mode = try session.device.setFormat(candidate.format, candidate.size)
    } catch {
      throw session.device.explain(error)
    }
    guard mode.size.isCameraSize else { throw .tooSmall(mode.size) }
    mode.rate = session.device.setRate(candidate.rate ?? options.wish.rate)
    session.queue = try BufferQueue(
      session.device, mode: mode, count: options.buffers, signal: signal)
    do {
      try session.queue?.start()
    } catch {
      throw session.device.explain(error)
    }
    frames = session.frames
    if mode.size != candidate.size || mode.format != candidate.format {
      log.notice(
        "asked for \(candidate.size) \(candidate.format), granted \(mode.size) \(mode.format)")
    }
    return mode
  }

  // MARK: Streaming

  func restart() throws(SystemError) { try session?.restart() }

  func dequeue() -> Dequeued { session?.dequeue() ?? .nothing }

  func requeue(_ frame: Frame) throws(SystemError) { try session?.requeue(frame) }

  func takeEvents() -> Bool { session?.device.takeEvents() ?? false }

  func lacksSignal() -> Bool { session?.device.lacksSignal() ?? false }
}
