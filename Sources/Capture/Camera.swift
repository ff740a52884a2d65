import Platform
import Synchronization

/// A camera whose thread takes frames from a device, keeps the last ones in a ring, and recovers
/// from failures.
///
/// All members may be used from any thread. Only ``stop()``, ``stop(within:)`` and
/// ``waitUntilStreaming(timeout:patiently:)`` wait for the device, without blocking Swift's pool. An
/// absent, busy or silent device is a ``state``, not an error; the camera keeps trying until it is
/// stopped.
public final class Camera: Sendable {
  /// The name by which the camera was requested.
  public let name: CameraName
  /// The options of the camera.
  public let options: CameraOptions
  /// The last usable frames.
  public let ring: FrameRing
  /// The pictures for viewers.
  public let preview: PreviewCopier

  let shared: CameraShared
  private let gate: FrameInspector
  private let sources: PictureSources
  package let system: any SystemCalls
  private let thread = Mutex<Thread?>(nil)

  /// Creates a camera that does not run yet.
  ///
  /// `gate` inspects each frame once, on the capture thread. `sources` supplies the pictures of
  /// cameras without a device; `.demo` of the module `DemoCamera` supplies the built-in scene and
  /// clips. Throws if the system has no descriptors left or the frame log cannot be written.
  public init(
    _ name: CameraName, options: CameraOptions = CameraOptions(), gate: @escaping FrameInspector,
    sources: PictureSources = .none, system: any SystemCalls = LinuxSystemCalls(),
    observer: CameraObserver? = nil
  ) throws(CaptureError) {
    self.name = name
    self.options = options
    self.gate = gate
    self.sources = sources
    self.system = system
    do {
      shared = try CameraShared(system: system)
    } catch {
      throw CaptureError(.failed, "the system has no descriptors left", cause: error)
    }
    ring = shared.ring
    do {
      // The log is opened here only to report an error to the caller; the loop opens its own.
      _ = try options.frameLog.map { (path) throws(SystemError) in
        try FrameLog(path: path, system: system)
      }
    } catch {
      throw CaptureError(
        .failed, "the frame log \(options.frameLog ?? "") cannot be written: \(error.reason)",
        cause: error)
    }
    preview = PreviewCopier(
      ring: shared.ring, counter: shared.counter, tables: options.huffmanTables
    ) { [shared] in shared.stopping.load(ordering: .acquiring) }
    shared.observe(observer)
  }

  deinit { stop() }

  /// The current state of the camera.
  public var state: CameraState { shared.status.state }
  /// The mode that the device granted; nil until it was first opened.
  public var granted: CameraMode? { shared.status.mode }
  /// The identity of the device; nil until it was first opened.
  public var identity: CameraIdentity? { shared.status.identity }
  /// The reason why the camera does not stream; nil if it streams or the reason is unknown.
  public var error: CaptureError? { shared.status.error }
  /// The current counts.
  public var counts: CameraCounts { shared.counter.value }

  /// The number of steps that the capture thread has made; a healthy thread makes several each
  /// second, even without a device.
  ///
  /// A count that does not change for long means that the thread hangs in the driver.
  public var steps: UInt64 { shared.steps.load(ordering: .relaxed) }

  /// The observed number of frames per second; nil until some frames of the current stream have
  /// arrived.
  ///
  /// Frames that the driver lost are included. A value far below the rate of ``granted`` means that
  /// the camera lacks light and exposes longer than a frame period.
  public var observedRate: Double? {
    let interval = shared.interval.load(ordering: .relaxed)
    return interval > 0 ? 1e9 / Double(interval) : nil
  }

  /// The shorter of the granted and the observed time from one frame to the next; nil if either is
  /// unknown.
  public var shortestPeriod: Duration? {
    let interval = shared.interval.load(ordering: .relaxed)
    guard interval > 0, let granted = granted?.rate?.period else { return nil }
    return min(granted, .nanoseconds(interval))
  }

  /// Whether the camera streams at less than 0.4 of the granted rate, which means that it lacks
  /// light.
  public var lacksLight: Bool {
    guard state == .streaming, let rate = observedRate, let granted = granted?.rate else {
      return false
    }
    return rate < granted.perSecond * 0.4
  }

  /// Sets the observer of the camera's events, which replaces the one before.
  public func observe(_ observer: CameraObserver?) { shared.observe(observer) }

  /// Sets the closure that is called with every usable frame, which replaces the one before; nil
  /// removes it.
  public func tap(_ tap: FrameTap?) { shared.tap(tap) }

  /// Counts a frame that passed the frame gate but failed to decode, and whether a viewer had seen
  /// it.
  package func note(_ fault: DecoderFault, in frame: FrameID) {
    let isShown = preview.hasShown(frame)
    shared.counter.add {
      $0.count(fault)
      if isShown { $0.faultsShown += 1 }
    }
  }

  /// Starts the capture thread; does nothing if it runs already.
  public func start() throws(CaptureError) {
    do {
      try thread.withLock { (thread: inout Thread?) throws(SystemError) in
        guard thread == nil else { return }
        shared.stopping.store(false, ordering: .releasing)
        shared.set(.starting)
        let start = LoopStart(camera: self)
        thread = try Thread("capture") { start.loop.run() }
      }
    } catch {
      shared.set(.stopped)
      throw CaptureError(.failed, "the capture thread cannot be started", cause: error)
    }
  }

  // The loop is created here and used only by its thread.
  private struct LoopStart: @unchecked Sendable {
    let loop: CaptureLoop
    init(camera: Camera) { loop = camera.makeLoop() }
  }

  /// Stops and joins the capture thread.
  ///
  /// Frames stay valid for callers that hold a use of them.
  ///
  /// The call blocks until the device is closed; never call it from an observer.
  @available(*, noasync, message: "this call blocks; await the asynchronous one")
  package func stop() {
    end()?.join()
  }

  /// Stops and joins the capture thread, without blocking Swift's pool.
  public func stop() async {
    await OffPool.run("camera-stop") { self.stop() }
  }

  /// Stops the capture thread and waits for it for at most `limit`; returns false if the thread
  /// hangs.
  ///
  /// A thread that hangs in its driver is abandoned. The call blocks; never call it from an
  /// observer.
  @discardableResult
  @available(*, noasync, message: "this call blocks; await the asynchronous one")
  package func stop(within limit: Duration) -> Bool { end()?.join(within: limit) ?? true }

  /// Stops the capture thread and waits for it for at most `limit`; returns false if the thread
  /// hangs.
  @discardableResult
  public func stop(within limit: Duration) async -> Bool {
    await OffPool.run("camera-stop") { self.stop(within: limit) }
  }

  private func end() -> Thread? {
    shared.stopping.store(true, ordering: .releasing)
    shared.signal.wake()
    let running = thread.withLock { (thread: inout Thread?) -> Thread? in
      defer { thread = nil }
      return thread
    }
    return running
  }

  /// Waits until usable frames arrive, and throws the reason if none arrive.
  ///
  /// If `patiently` is true, this also waits for an absent, busy or denied device. The call blocks
  /// its thread for at most `timeout`.
  @available(*, noasync, message: "this call blocks; await the asynchronous one")
  package func waitUntilStreaming(
    timeout: Duration, patiently: Bool = false
  ) throws(CaptureError) {
    let status = shared.wait(timeout: timeout) { status in
      status.state == .streaming || (!patiently && status.error?.isFinal == true)
    }
    if status.state == .streaming { return }
    throw status.error
      ?? CaptureError(
        .noFrame, "no usable frame came from the camera in time; check its cable, or try another")
  }

  /// Waits until usable frames arrive, without blocking Swift's pool, and throws the reason if none
  /// arrive within `timeout`.
  ///
  /// If `patiently` is true, this also waits for an absent, busy or denied device.
  public func waitUntilStreaming(
    timeout: Duration, patiently: Bool = false
  ) async throws(CaptureError) {
    try await OffPool.run("camera-wait") { () throws(CaptureError) in
      try self.waitUntilStreaming(timeout: timeout, patiently: patiently)
    }
  }

  /// Returns the loop for the capture thread, which a test steps instead.
  func makeLoop() -> CaptureLoop {
    let loop = CaptureLoop(device: makeDevice(), shared: shared, options: options, gate: gate)
    loop.frameLog = options.frameLog.flatMap { try? FrameLog(path: $0, system: system) }
    return loop
  }

  private func makeDevice() -> any CaptureDevice {
    switch name {
    case .device, .best:
      return VideoCamera(name, options: options, signal: shared.signal, system: system)
    case .demo, .clip:
      return TimedCamera(
        sources.make(name, system) ?? AbsentSource(name), rate: options.wish.rate,
        buffers: options.buffers, log: options.sourceLog, signal: shared.signal, system: system)
    }
  }
}

extension CaptureError {
  /// Whether waiting longer is unlikely to help.
  public var isFinal: Bool { code != .noSignal && code != .noFrame && code != .failed }
}
