import Platform
import Synchronization

/// A camera: one thread that takes frames from a device, keeps the last ones, and never gives up.
///
/// Everything can be asked from any thread at any time, and nothing waits for a device but
/// ``stop()`` and what says so. A device that is absent, busy or silent is a state, not an error:
/// the camera goes on trying until it is stopped.
public final class Camera: Sendable {
  /// What was asked for.
  public let name: CameraName
  /// How it is run.
  public let options: CameraOptions
  /// The last usable frames.
  public let ring: FrameRing
  /// Pictures for viewers.
  public let preview: PreviewCopier

  let shared: CameraShared
  private let gate: FrameGate
  private let sources: PictureSources
  let system: any SystemCalls
  private let thread = Mutex<Thread?>(nil)

  /// Makes a camera that does not run yet.
  ///
  /// `gate` looks at each frame once, on the capture thread. `sources` has the pictures of cameras
  /// that are no devices; `.demo` of the module `DemoCamera` knows the built-in scene and clips.
  public init(
    _ name: CameraName, options: CameraOptions = CameraOptions(), gate: @escaping FrameGate,
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
      // Said now, when somebody reads it; the loop opens it for itself.
      _ = try options.frameLog.map { (path) throws(SystemError) in
        try FrameLog(path: path, system: system)
      }
    } catch {
      throw CaptureError(
        .failed, "the frame log \(options.frameLog ?? "") cannot be written: \(error.reason)",
        cause: error)
    }
    preview = PreviewCopier(
      ring: shared.ring, counter: shared.counter, tables: options.huffmanTables)
    shared.observe(observer)
  }

  deinit { stop() }

  /// What it is doing.
  public var state: CameraState { shared.status.state }
  /// What the device granted, once it was opened.
  public var granted: CameraMode? { shared.status.mode }
  /// Which device it is, once it was opened.
  public var identity: CameraIdentity? { shared.status.identity }
  /// Why it does not stream, where that is known.
  public var error: CaptureError? { shared.status.error }
  /// What it has counted.
  public var counts: CameraCounts { shared.counter.value }

  /// How many steps its thread has made; it makes some each second, whatever the device does.
  ///
  /// A count that stands still for long means that the thread hangs in the driver.
  public var steps: UInt64 { shared.steps.load(ordering: .relaxed) }

  /// How many frames a second come, as observed; nil until some of the present stream came.
  ///
  /// Frames that the driver lost count as if they had come. Far below the rate of ``granted`` it
  /// means that the camera exposes longer than its rate leaves time for, since it lacks light.
  public var observedRate: Double? {
    let interval = shared.interval.load(ordering: .relaxed)
    return interval > 0 ? 1e9 / Double(interval) : nil
  }

  /// The shortest time from one frame to the next, by the granted rate and by what was observed; nil
  /// where either is not known.
  public var shortestPeriod: Duration? {
    let interval = shared.interval.load(ordering: .relaxed)
    guard interval > 0, let granted = granted?.rate?.period else { return nil }
    return min(granted, .nanoseconds(interval))
  }

  /// Whether so few frames come, for the rate that was granted, that it must be the light.
  public var lacksLight: Bool {
    guard state == .streaming, let rate = observedRate, let granted = granted?.rate else {
      return false
    }
    return rate < granted.perSecond * 0.4
  }

  /// Sets who hears of its events from now on.
  public func observe(_ observer: CameraObserver?) { shared.observe(observer) }

  /// Sets who sees every usable frame from now on; nil for nobody.
  public func tap(_ tap: FrameTap?) { shared.tap(tap) }

  /// Counts that a decoder found a frame damaged that had looked whole, and whether it was shown.
  public func note(_ fault: DecoderFault, in frame: FrameID) {
    let isShown = preview.hasShown(frame)
    shared.counter.add {
      $0.count(fault)
      if isShown { $0.faultsShown += 1 }
    }
  }

  /// Starts the capture thread; does nothing when it runs.
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

  // The loop is made here and used by its thread only.
  private struct LoopStart: @unchecked Sendable {
    let loop: CaptureLoop
    init(camera: Camera) { loop = camera.makeLoop() }
  }

  /// Stops and joins the capture thread.
  ///
  /// Frames in use stay whole for those who hold them.
  ///
  /// It blocks until the device is closed; never call it from an observer.
  public func stop() {
    end()?.join()
  }

  /// Stops the capture thread and waits for it, no longer than `limit`; false: it hangs.
  ///
  /// A thread that hangs in its driver is left to itself. It blocks; never call it from an observer.
  @discardableResult
  public func stop(within limit: Duration) -> Bool { end()?.join(within: limit) ?? true }

  private func end() -> Thread? {
    shared.stopping.store(true, ordering: .releasing)
    shared.signal.wake()
    let running = thread.withLock { (thread: inout Thread?) -> Thread? in
      defer { thread = nil }
      return thread
    }
    return running
  }

  /// Waits until usable frames arrive; throws what keeps them from arriving.
  ///
  /// With `patiently`, a device that is absent, busy or denied is waited for as well. It blocks
  /// its thread.
  public func waitUntilStreaming(
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

  /// The loop that its thread runs; a test steps it instead.
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
  /// Whether waiting a little longer will hardly help.
  public var isFinal: Bool { code != .noSignal && code != .noFrame && code != .failed }
}
