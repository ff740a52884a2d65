import Capture
import ImagePicker
import Imaging
import PhotoLibrary
import Platform
import Synchronization
import Trigger

/// A camera station: a camera, a library, triggers, and the picker between them.
///
/// Nothing is opened before ``start()``. From then on it works by itself until ``stop()``: a press
/// begins a session, and everything else follows from what guests do. All of it is safe from any
/// thread.
public final class Station: Sendable {
  /// What is decided by whoever starts it, not by the configuration.
  public struct Options: Sendable {
    /// The camera to use, in place of the configuration's; it must be there at the start.
    public var camera: String?
    /// The rate to ask for, in place of the configuration's.
    public var rate: Double?
    /// Whether the keys of the terminal are triggers.
    public var usesTerminal = false
    /// Whether signals are triggers: `SIGUSR1` is the shutter, `SIGHUP` reloads, `SIGTERM` ends.
    public var usesSignals = false
    /// Whether a socket listens for triggers.
    public var usesSocket = true
    /// A file to which the demo camera and clips write the number and time of each frame.
    public var sourceLog: String?

    /// Makes the options of a station inside another program.
    public init() {}
  }

  /// What it was made with.
  public let configuration: Configuration
  private let options: Options
  private let system: any SystemCalls
  private let loop: EventLoop
  private let worker: EventLoop
  private let core: StationCore
  private let store: CandidateStore
  private let log = Log("station")

  private struct Parts {
    var camera: Camera?
    var cameraLabel = ""
    var library: PhotoLibrary?
    var storage = StorageReport(state: "starting", reason: nil)
    var socket: TriggerSocket?
    var signals: SignalTrigger?
    var terminal: TerminalTrigger?
    var snapshot: PickerMachine.Snapshot?
    var photos = 0
    var lastPhoto: PhotoReport?
    var lastRefusal: String?
    var isStopping = false
    var stopWaiters: [CheckedContinuation<Void, Never>] = []
  }
  private let parts = Mutex(Parts())

  /// Makes a station that does nothing yet.
  public convenience init(configuration: Configuration) throws(StationError) {
    try self.init(configuration: configuration, options: Options())
  }

  /// Makes a station that does nothing yet.
  public init(
    configuration: Configuration, options: Options, system: any SystemCalls = LinuxSystemCalls()
  ) throws(StationError) {
    self.configuration = configuration
    self.options = options
    self.system = system
    do {
      loop = try EventLoop("station", system: system)
      worker = try EventLoop("saver", system: system)
    } catch {
      throw StationError(.system, "a thread cannot be started: \(error)", cause: error)
    }
    store = CandidateStore(worker: worker, orientation: configuration.orientation, system: system)
    core = StationCore(
      machine: PickerMachine(configuration: .init(configuration)), store: store, loop: loop,
      system: system)
  }

  // MARK: Life

  /// Opens the library and the camera and begins to listen for triggers.
  ///
  /// A camera that ``Options/camera`` names must be there; one of the configuration may come later.
  /// On an error everything is closed again.
  public func start() async throws(StationError) {
    do {
      try await openLibrary()
      try await openCamera()
      try startTriggers()
    } catch {
      await stop()
      throw error
    }
    await core.listen { [weak self] snapshot in self?.changed(snapshot) }
  }

  /// Ends the session, closes everything and joins the threads; a save under way is finished first.
  public func stop() async {
    let (camera, socket, terminal, signals) = parts.withLock { parts in
      parts.isStopping = true
      defer { (parts.socket, parts.terminal, parts.signals) = (nil, nil, nil) }
      return (parts.camera, parts.socket, parts.terminal, parts.signals)
    }
    terminal?.restore()
    await core.dismiss()
    // Joining blocks, so it is done on a thread for it.
    await withCheckedContinuation { continuation in
      let close: @Sendable () -> Void = { [self] in
        socket?.stop()
        worker.stop()  // runs what is queued: a save is finished
        camera?.stop()
        store.close()
        loop.stop()
        withExtendedLifetime(signals) {}
        continuation.resume()
      }
      if (try? Thread("stop", close)) == nil { close() }
    }
    let waiters = parts.withLock { parts in
      defer { parts.stopWaiters = [] }
      parts.camera = nil
      parts.library = nil
      return parts.stopWaiters
    }
    waiters.forEach { $0.resume() }
  }

  /// Waits until somebody asks the station to end, by a key or a signal.
  public func waitForQuit() async {
    await withCheckedContinuation { continuation in
      let isStopping = parts.withLock { parts in
        if !parts.isStopping { parts.stopWaiters.append(continuation) }
        return parts.isStopping
      }
      if isStopping { continuation.resume() }
    }
  }

  // MARK: Use

  /// Which camera is used, in words: its label and what it granted.
  public var cameraDescription: String {
    let (camera, label) = parts.withLock { ($0.camera, $0.cameraLabel) }
    guard let camera else { return "no camera" }
    let name = camera.identity.map { $0.name } ?? label
    return camera.granted.map { "\(name), \($0)" } ?? "\(name), \(camera.state)"
  }

  /// How it stands now.
  public var status: StationStatus {
    let parts = parts.withLock { $0 }
    let counts = parts.camera?.counts ?? CameraCounts()
    let state = parts.camera?.state ?? .stopped
    return StationStatus(
      state: parts.snapshot?.state.name.rawValue ?? "starting",
      session: parts.snapshot?.session?.rawValue,
      deadlineNanoseconds: parts.snapshot?.deadline?.nanoseconds,
      camera: .init(
        name: parts.camera?.identity?.name ?? parts.cameraLabel, state: state.name,
        words: state.description, mode: parts.camera?.granted?.description,
        framesPublished: counts.published, framesDamaged: counts.damaged,
        framesDropped: counts.dropped, framesCopied: counts.framesCopied,
        bytesCopied: counts.bytesCopied),
      library: .init(
        path: parts.library?.path ?? configuration.libraryPath, state: parts.storage.state,
        fix: parts.storage.reason?.problem?.fix),
      photos: parts.photos, lastPhoto: parts.lastPhoto, lastRefusal: parts.lastRefusal)
  }

  /// The instant by the clock that dates everything here.
  public var now: MonotonicTime { system.monotonicTime() }

  /// Does what a button of that kind would do; the reply says what came of it.
  @discardableResult
  public func trigger(_ action: TriggerAction, source: String) async -> TriggerReply {
    let event = TriggerEvent(
      action: action, time: system.monotonicTime(), clock: .arrival, source: source)
    return await withCheckedContinuation { continuation in
      handle(event) { continuation.resume(returning: $0) }
    }
  }

  /// One session without anybody there: press, countdown, photo, accept.
  public func takePhoto() async throws(StationError) -> PhotoReport {
    try await waitUntilReady(timeout: .seconds(10))
    let session: SessionID
    do {
      session = try await core.press(at: system.monotonicTime())
    } catch {
      throw StationError(error)
    }
    // Accepts as soon as an accept counts; a retake is nobody's to ask for here.
    await core.listen { [weak core, system] snapshot in
      guard let core, snapshot.session == session, case .reviewing(let review) = snapshot.state
      else { return }
      core.assumeIsolated { core in
        let due = MonotonicTime(review.shown) + PickerMachine.guardTime
        core.loop.schedule(at: max(due, system.monotonicTime())) {
          core.perform { $0.send(.accept, session: session) }
        }
      }
    }
    switch await core.outcome(of: session) {
    case .finished(let candidate):
      guard let report = await core.report(of: candidate) else {
        throw StationError(.system, "the photo was saved, but nothing is known of it")
      }
      return report
    case .cancelled: throw StationError(.cancelled, "the session was cancelled")
    case .failed(let reason): throw StationError(reason)
    }
  }

  // MARK: Start

  private func openLibrary() async throws(StationError) {
    let (configuration, system) = (configuration, system)
    let opened = await worker.run { () -> Result<PhotoLibrary, LibraryError> in
      do throws(LibraryError) {
        return .success(
          try PhotoLibrary(configuration: LibraryConfiguration(configuration), system: system))
      } catch {
        return .failure(error)
      }
    }
    switch opened {
    case .success(let library):
      parts.withLock { $0.library = library }
      store.use(library)
      await core.note(.library, .ready)
      await checkStorage()
    case .failure(let error): throw StationError(error)
    }
  }

  /// Asks the library for its room, now and again every few seconds.
  private func checkStorage() async {
    guard let library = parts.withLock({ $0.library }) else { return }
    let size = largestPhoto
    let report = await worker.run { StorageReport(library, largestPhoto: size) }
    noteStorage(report)
    scheduleStorageCheck()
  }

  /// The most bytes that a photo of the camera can have.
  private var largestPhoto: Int {
    let granted = parts.withLock { $0.camera }?.granted?.imageBytes ?? 0
    // A photo is hardly ever larger than the camera's own buffer; some air for its metadata.
    return max(granted, 4 << 20) + (128 << 10)
  }

  private func scheduleStorageCheck() {
    guard !parts.withLock({ $0.isStopping }) else { return }
    loop.schedule(at: system.monotonicTime() + .seconds(5)) { [weak self] in
      guard let self else { return }
      worker.submit { [weak self] in
        guard let self, let library = parts.withLock({ $0.library }) else { return }
        noteStorage(StorageReport(library, largestPhoto: largestPhoto))
        scheduleStorageCheck()
      }
    }
  }

  private func noteStorage(_ report: StorageReport) {
    let before = parts.withLock { parts in
      defer { parts.storage = report }
      return parts.storage
    }
    guard before != report else { return }
    if let problem = report.reason?.problem { log.warning("library: \(problem)") }
    core.perform { $0.note(.storage, report.condition) }
  }

  private func openCamera() async throws(StationError) {
    let wanted = options.camera ?? configuration.camera.device ?? "auto"
    var problem: StationError?
    let labels = [wanted] + (options.camera == nil ? configuration.fallback : [])
    for label in labels {
      let choice = CameraChoice(
        label, configuration, rate: options.rate, sourceLog: options.sourceLog)
      do {
        try await open(choice)
        return
      } catch {
        problem = problem ?? error
        // Only a camera that is not there gives way to another: a busy one is waited for.
        if error.code != .noCamera { break }
        log.info("\(label): \(error.message)")
      }
    }
    guard let problem else { return }
    if options.camera != nil || problem.code == .configuration { throw problem }
    // The station waits for its camera; until then every press is refused with the reason.
    log.warning("\(problem.message)")
    if parts.withLock({ $0.camera == nil }) {
      try await open(
        CameraChoice(wanted, configuration, rate: options.rate), patiently: true)
    }
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
    camera.preview.setEncoder(nil)
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
      let isWaitedFor = options.camera == nil && error.code != .noCamera && error.code != .noMode
      if !isWaitedFor {
        await worker.run { camera.stop() }
        throw StationError(error)
      }
      log.warning("\(error.message)")
    }
    parts.withLock { parts in
      parts.camera = camera
      parts.cameraLabel = choice.label
    }
    store.use(camera, label: choice.label)
    camera.observe { [weak self] event in
      if case .state(let state) = event { self?.cameraChanged(state) }
    }
    cameraChanged(camera.state)
  }

  private func cameraChanged(_ state: CameraState) {
    let (camera, label) = parts.withLock { ($0.camera, $0.cameraLabel) }
    let error = camera?.error
    let condition = PickerMachine.Condition(state, label: label, error: error)
    switch state {
    case .streaming: log.notice("camera \(label): \(cameraDescription)")
    case .starting, .stopped: log.info("camera \(label): \(state)")
    default: log.warning("camera \(label): \(state)" + (error.map { ". \($0.message)" } ?? ""))
    }
    core.perform { $0.note(.camera, condition) }
  }

  private func startTriggers() throws(StationError) {
    let handler: TriggerHandler = { [weak self] event, reply in
      guard let self else {
        return reply(TriggerReply(isAccepted: false, text: "the station is ending"))
      }
      handle(event, reply)
    }
    if options.usesSignals {
      do {
        let signals = try SignalTrigger(loop: loop, system: system, handler: handler)
        parts.withLock { $0.signals = signals }
      } catch {
        throw StationError(.system, "signals cannot be handled: \(error)", cause: error)
      }
    }
    if options.usesTerminal {
      let terminal = TerminalTrigger(loop: loop, system: system, handler: handler)
      parts.withLock { $0.terminal = terminal }
    }
    guard options.usesSocket else { return }
    do {
      let socket = try TriggerSocket(
        path: configuration.socketPath, mode: configuration.socketMode, loop: loop, system: system,
        handler: handler)
      parts.withLock { $0.socket = socket }
    } catch {
      throw StationError(socketError: error, path: configuration.socketPath)
    }
  }

  private func handle(
    _ event: TriggerEvent, _ reply: @escaping @Sendable (TriggerReply) -> Void
  ) {
    switch event.action {
    case .shutter, .accept, .retake, .cancel:
      core.perform { reply($0.handle(event)) }
    case .status:
      reply(TriggerReply(isAccepted: true, text: status.json))
    case .reload:
      reload(reply)
    case .quit:
      log.info("quit from \(event.source)")
      let waiters = parts.withLock { parts in
        parts.isStopping = true
        defer { parts.stopWaiters = [] }
        return parts.stopWaiters
      }
      waiters.forEach { $0.resume() }
      reply(TriggerReply(isAccepted: true, text: "ending"))
    }
  }

  private func reload(_ reply: @escaping @Sendable (TriggerReply) -> Void) {
    reply(TriggerReply(isAccepted: false, text: "there is nothing to read again yet"))
  }

  private func changed(_ snapshot: PickerMachine.Snapshot) {
    core.assumeIsolated { core in
      let (photos, lastPhoto, refusal) = (core.photos, core.lastPhoto, core.lastRefusal)
      parts.withLock { parts in
        parts.snapshot = snapshot
        parts.photos = photos
        parts.lastPhoto = lastPhoto
        parts.lastRefusal = refusal?.operatorMessage
      }
    }
    if case .finished = snapshot.state {
      worker.submit { [weak self] in
        guard let self, let library = parts.withLock({ $0.library }) else { return }
        noteStorage(StorageReport(library, largestPhoto: largestPhoto))
      }
    }
  }

  /// Waits until a press would be taken; throws what is in its way.
  public func waitUntilReady(timeout: Duration) async throws(StationError) {
    let (camera, storage) = parts.withLock { ($0.camera, $0.storage) }
    if let reason = storage.reason { throw StationError(reason) }
    guard let camera else { throw StationError(.noCamera, "there is no camera") }
    let result = await worker.run { () -> Result<Void, CaptureError> in
      do throws(CaptureError) {
        try camera.waitUntilStreaming(timeout: timeout)
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    if case .failure(let error) = result { throw StationError(error) }
    // The state reached the loop before this does.
    cameraChanged(camera.state)
  }
}
