import CLinux
import Media
import Platform
import Synchronization

/// What the capture thread does, one step at a time, so that tests can be the thread.
///
/// A step gives back what was returned, sleeps until a frame, a wake or a deadline, and takes what
/// arrived. Nothing is allocated for a frame.
final class CaptureLoop {
  enum Phase {
    case closed(until: MonotonicTime)
    case open
  }

  let device: any CaptureDevice
  let shared: CameraShared
  let options: CameraOptions
  let gate: FrameGate
  let log = Log("capture")
  var system: any SystemCalls { shared.system }

  var phase: Phase
  var mode = CameraMode(
    format: PixelFormat(rawValue: 0), size: PixelSize(width: 0, height: 0), rate: nil)
  /// Steps of the recovery ladder since the last usable frame.
  var attempts = 0
  /// When it was first absent or denied; a new node gets its permissions a little later.
  var deniedSince: MonotonicTime?
  /// The last arrival of any buffer, or the start.
  var lastArrival: MonotonicTime
  /// The last usable frame, or the start.
  var lastUsable: MonotonicTime
  var hasArrived = false
  /// How far apart frames come.
  var rhythm = FrameRhythm()
  /// The reason for which all frames since the last usable one were refused; nil: there was none,
  /// or several.
  var refusal: FrameDamage?
  var hasRefused = false
  var startedAt: MonotonicTime
  var toSkip = 0
  var lastSequence: UInt32?
  var lastTimestamp: MonotonicTime?
  /// How many more frames are dated by their arrival because a timestamp was wrong.
  var distrust = 0
  /// Whether the driver's urgent condition means an event.
  var asksForEvents = true
  var copies: [Frame] = []
  /// Where the fate of each frame is written; nil for nowhere, as usual.
  var frameLog: FrameLog?
  /// Hears of new nodes while the device is closed; nil where that cannot be had.
  private(set) var watch: NodeWatch?
  private var canWatch = true
  /// From 0.5 to 1; a test makes it constant.
  var jitter: () -> Double = { Double.random(in: 0.5...1) }
  private let polls: UnsafeMutableBufferPointer<pollfd>

  init(
    device: any CaptureDevice, shared: CameraShared, options: CameraOptions,
    gate: @escaping FrameGate
  ) {
    self.device = device
    self.shared = shared
    self.options = options
    self.gate = gate
    let now = shared.system.monotonicTime()
    phase = .closed(until: now)
    lastArrival = now
    lastUsable = now
    startedAt = now
    polls = .allocate(capacity: 2)
    polls.initialize(repeating: pollfd())
  }

  deinit { polls.deallocate() }

  /// Runs until the camera is stopped.
  func run() { while step() {} }

  /// Does the next thing; false once the camera was stopped and the device is closed.
  func step() -> Bool {
    shared.steps.wrappingAdd(1, ordering: .relaxed)
    if shared.stopping.load(ordering: .acquiring) {
      shutDown()
      return false
    }
    switch phase {
    case .closed(let until):
      if system.monotonicTime() < until {
        rest(until: until)
      } else {
        open()
      }
    case .open:
      stream()
    }
    return true
  }

  private func shutDown() {
    close()
    watch = nil
    shared.set(.stopped)
  }

  /// Waits with the device closed; a node that appears, or that gets other permissions, ends it.
  private func rest(until: MonotonicTime) {
    if watch == nil, canWatch, device.isNode {
      watch = NodeWatch(system: system, name: device.nodeName)
      canWatch = watch != nil
    }
    watch?.addLinks()
    guard case .success(let events) = sleep(until: until, descriptor: watch?.descriptor),
      events != 0, let watch
    else { return }
    switch watch.takeChanges() {
    case .some(true):
      phase = .closed(until: system.monotonicTime())
      // A camera that has just come may need some tries, and soon.
      attempts = min(attempts, CaptureLoop.attemptsOfNewNode)
    case .some(false): break
    case .none:
      // Without it there are the pauses; asking a broken one again would spin.
      self.watch = nil
      canWatch = false
    }
  }

  /// Lets go of the device and all frames that nobody else holds.
  func close() {
    shared.ring.clear()
    device.close()
    copies.removeAll()
  }

  // MARK: Streaming

  private func stream() {
    giveBack()
    let deadline = stallDeadline
    let wait = device.due().map { min($0, deadline) } ?? deadline
    switch sleep(until: wait, descriptor: device.descriptor) {
    case .failure(let error):
      fail(error)
      return
    case .success(let events):
      if events & Int16(POLLPRI) != 0 {
        if device.takeEvents() {
          log.notice("the camera's signal has changed")
          renegotiate()
          return
        }
        // Urgent without an event: asking on would spin.
        asksForEvents = false
      }
      let isReady = events & Int16(POLLIN | POLLERR | POLLHUP | POLLNVAL) != 0
      if isReady || device.descriptor == nil {
        takeNext(failed: events & Int16(POLLERR | POLLHUP | POLLNVAL) != 0)
      }
    }
    if case .open = phase, system.monotonicTime() >= stallDeadline { stalled() }
  }

  /// Takes the buffer that is ready.
  ///
  /// More of them make the next sleep short; asking until there is none would cost a call for each
  /// frame.
  private func takeNext(failed: Bool) {
    switch device.dequeue() {
    case .frame(let frame): take(frame, nil)
    case .damaged(let frame, let reason): take(frame, reason)
    case .invalid: shared.counter.add(\.badBuffers)
    case .failed(let error): fail(error)
    case .nothing:
      // The error condition stays: without a buffer to explain it, polling would spin.
      if failed { fail(SystemError(errno: Errno.io, call: "poll")) }
    }
  }

  /// Gives back every buffer that nobody uses.
  func giveBack() {
    var failure: SystemError?
    let frames = device.frames
    var index = 0
    while let next = frames.firstReturned(from: index) {
      index = next + 1
      do {
        try device.requeue(frames[next])
        shared.counter.add(\.requeued)
      } catch { failure = error }
    }
    if let failure { fail(failure) }
  }

  /// Sleeps until a wake, an event on `descriptor` or `until`; gives the descriptor's events.
  func sleep(
    until: MonotonicTime, descriptor: Int32?
  ) -> Result<Int16, SystemError> {
    polls[0] = pollfd(fd: shared.signal.descriptor, events: Int16(POLLIN), revents: 0)
    polls[1] = pollfd(
      fd: descriptor ?? -1, events: asksForEvents ? Int16(POLLIN | POLLPRI) : Int16(POLLIN),
      revents: 0)
    shared.signal.willSleep()
    // A buffer that was returned before that line woke nobody.
    let isReturned =
      descriptor != nil && device.frames.firstReturned(from: 0) != nil
    let timeout = isReturned ? 0 : milliseconds(until: until)
    let result = system.poll(polls, timeout)
    shared.signal.didWake(signalled: result > 0 && polls[0].revents != 0)
    if result < 0, result != -Errno.interrupted {
      return .failure(SystemError(errno: 0 - result, call: "poll"))
    }
    return .success(result > 0 ? polls[1].revents : 0)
  }

  private func milliseconds(until: MonotonicTime) -> Int32 {
    let nanoseconds = (until - system.monotonicTime()).nanoseconds
    guard nanoseconds > 0 else { return 0 }
    return Int32(clamping: (nanoseconds - 1) / 1_000_000 + 1)
  }

  /// When silence becomes a stall: after three frame periods, those that were granted or those
  /// that were seen, at least half a second.
  ///
  /// In the dark a camera takes longer for a frame than it says. The first frames after a start may
  /// take longer still, and show how long it is.
  var stallDeadline: MonotonicTime {
    let usual = max(mode.period * 3, .milliseconds(500), rhythm.slowest * 3)
    let beginning = Duration.milliseconds(attempts == 0 ? 2000 : 3000)
    let patience = rhythm.isKnown ? usual : max(usual, beginning)
    // A camera that sends nothing but rubbish is no better than a silent one.
    return min(
      lastArrival + min(patience, .seconds(6)), lastUsable + max(.seconds(5), rhythm.slowest * 5))
  }
}
