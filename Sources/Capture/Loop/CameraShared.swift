import Platform
import Synchronization

/// The state that the capture thread shares with other threads.
final class CameraShared: @unchecked Sendable {
  // Unchecked because the status is accessed only under the monitor's lock.

  /// The part of the state that callers may read at any time.
  struct Status {
    var state = CameraState.stopped
    var mode: CameraMode?
    var identity: CameraIdentity?
    var error: CaptureError?
    var observer: CameraObserver?
    var tap: FrameTap?
  }

  let system: any SystemCalls
  let ring: FrameRing
  let counter = Counter()
  let signal: ReturnSignal
  let stopping = Atomic<Bool>(false)
  /// The number of steps that the capture thread has made.
  let steps = Atomic<UInt64>(0)
  /// The mean time between frames of the current stream, in nanoseconds; 0 until it is known.
  let interval = Atomic<Int64>(0)
  private let monitor = Monitor()
  private var guarded = Status()
  private let lastID = Atomic<UInt64>(0)

  init(system: any SystemCalls) throws(SystemError) {
    self.system = system
    ring = FrameRing(system: system)
    signal = try ReturnSignal(system: system)
  }

  var status: Status {
    monitor.lock()
    defer { monitor.unlock() }
    return guarded
  }

  func nextID() -> FrameID { lastID.wrappingAdd(1, ordering: .relaxed).newValue }

  func observe(_ observer: CameraObserver?) {
    monitor.lock()
    guarded.observer = observer
    monitor.unlock()
  }

  func tap(_ tap: FrameTap?) {
    monitor.lock()
    guarded.tap = tap
    monitor.unlock()
  }

  /// Changes the status and then calls the observer with `event`.
  func update(_ event: CameraEvent? = nil, _ change: (inout Status) -> Void) {
    monitor.lock()
    change(&guarded)
    let observer = guarded.observer
    monitor.broadcast()
    monitor.unlock()
    if let event { observer?(event) }
  }

  func set(_ state: CameraState, error: CaptureError? = nil) {
    let before = status
    guard before.state != state || before.error != error else { return }
    // The observer is notified of a new state only, although the error may change during a state.
    update(before.state == state ? nil : .state(state)) {
      $0.state = state
      $0.error = error
    }
  }

  /// Waits until `condition` holds or `timeout` is over, and returns the last status.
  func wait(timeout: Duration, until condition: (Status) -> Bool) -> Status {
    let deadline = system.monotonicTime() + timeout
    monitor.lock()
    defer { monitor.unlock() }
    while !condition(guarded), system.monotonicTime() < deadline {
      if !monitor.wait(until: deadline) { break }
    }
    return guarded
  }
}
