import CLinux
import Media
import Platform
import Synchronization

/// The work of the capture thread in single steps, so that a test can run them without a thread.
///
/// A step gives released buffers back to the driver, sleeps until a frame, a wake or a deadline,
/// and handles a frame that arrived. A frame causes no allocation.
final class CaptureLoop {
  enum Phase {
    case closed(until: MonotonicTime)
    case open
  }

  let device: any CaptureDevice
  let shared: CameraShared
  let options: CameraOptions
  let gate: FrameInspector
  let log = Log("capture")
  var system: any SystemCalls { shared.system }

  var phase: Phase
  var mode = CameraMode(
    format: PixelFormat(rawValue: 0), size: PixelSize(width: 0, height: 0), rate: nil)
  /// The number of steps up the recovery ladder since the last usable frame.
  var attempts = 0
  /// The time of the first refusal to open the device; a new node gets its permissions a little
  /// later.
  var deniedSince: MonotonicTime?
  /// The time of the last arrival of any buffer, or of the start.
  var lastArrival: MonotonicTime
  /// The time of the last usable frame, or of the start.
  var lastUsable: MonotonicTime
  var hasArrived = false
  /// The observed time between frames.
  var rhythm = FrameRhythm()
  /// The reason for which all frames since the last usable one were refused; nil if there were none
  /// or several reasons.
  var refusal: FrameDamage?
  var hasRefused = false
  var startedAt: MonotonicTime
  var toSkip = 0
  var lastSequence: UInt32?
  var lastTimestamp: MonotonicTime?
  /// The number of coming frames that are dated by their arrival because a timestamp was
  /// implausible.
  var distrust = 0
  /// Whether the loop polls for the driver's urgent condition, which stands for an event.
  var asksForEvents = true
  var copies: [Frame] = []
  /// The log of each frame's fate; nil, the default, writes none.
  var frameLog: FrameLog?
  /// The watch for new nodes while the device is closed; nil if the system offers none.
  private(set) var watch: NodeWatch?
  private var canWatch = true
  /// Returns a random factor from 0.5 to 1 for pauses; a test makes it constant.
  var jitter: () -> Double = { Double.random(in: 0.5...1) }
  private let polls: UnsafeMutableBufferPointer<pollfd>

  init(
    device: any CaptureDevice, shared: CameraShared, options: CameraOptions,
    gate: @escaping FrameInspector
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

  /// Runs the next step; returns false once the camera was stopped and the device is closed.
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

  /// Waits with the device closed, until `until` or until a node appears or changes its
  /// permissions.
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
      // A newly connected camera may need several attempts in quick succession.
      attempts = min(attempts, CaptureLoop.attemptsOfNewNode)
    case .some(false): break
    case .none:
      // The pauses alone suffice; polling a broken watch again would spin.
      self.watch = nil
      canWatch = false
    }
  }

  /// Closes the device and releases all frames that no other thread holds.
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
        // The condition is urgent without an event, so polling for it again would spin.
        asksForEvents = false
      }
      let isReady = events & Int16(POLLIN | POLLERR | POLLHUP | POLLNVAL) != 0
      if isReady || device.descriptor == nil {
        takeNext(failed: events & Int16(POLLERR | POLLHUP | POLLNVAL) != 0)
      }
    }
    if case .open = phase, system.monotonicTime() >= stallDeadline { stalled() }
  }

  /// Dequeues and handles the buffer that is ready.
  ///
  /// Further ready buffers end the next sleep at once. Dequeuing until none is left would cost an
  /// extra call for each frame.
  private func takeNext(failed: Bool) {
    switch device.dequeue() {
    case .frame(let frame): take(frame, nil)
    case .damaged(let frame, let reason): take(frame, reason)
    case .invalid: shared.counter.add(\.badBuffers)
    case .failed(let error): fail(error)
    case .nothing:
      // The error condition persists, so without a buffer that explains it, polling would spin.
      if failed { fail(SystemError(errno: Errno.io, call: "poll")) }
    }
  }

  /// Gives every unused buffer back to the driver.
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

  /// Sleeps until a wake, an event on `descriptor` or `until`, and returns the descriptor's events.
  func sleep(
    until: MonotonicTime, descriptor: Int32?
  ) -> Result<Int16, SystemError> {
    polls[0] = pollfd(fd: shared.signal.descriptor, events: Int16(POLLIN), revents: 0)
    polls[1] = pollfd(
      fd: descriptor ?? -1, events: asksForEvents ? Int16(POLLIN | POLLPRI) : Int16(POLLIN),
      revents: 0)
    shared.signal.willSleep()
    // A buffer that was released before that line did not wake this thread.
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

  /// The time at which silence counts as a stall, after three granted or observed frame periods and
  /// at least half a second.
  ///
  /// In the dark a camera takes longer for a frame than its mode says. The first frames after a
  /// start may take even longer, and show how long the period is.
  var stallDeadline: MonotonicTime {
    let usual = max(mode.period * 3, .milliseconds(500), rhythm.slowest * 3)
    let beginning = Duration.milliseconds(attempts == 0 ? 2000 : 3000)
    let patience = rhythm.isKnown ? usual : max(usual, beginning)
    // A camera that sends only damaged frames is treated like a silent one.
    return min(
      lastArrival + min(patience, .seconds(6)), lastUsable + max(.seconds(5), rhythm.slowest * 5))
  }
}
