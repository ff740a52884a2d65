import Synchronization
import Trigger

/// From the start of a station to its end; all calls may come from any thread.
final class StationLife: Sendable {
  private struct State {
    var isStopping = false
    var isStopped = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Whether the station is to end, or has.
  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Waits until the station is asked to end.
  func waitForEnd() async {
    await withCheckedContinuation { continuation in
      let isStopping = state.withLock { state in
        if !state.isStopping { state.waiters.append(continuation) }
        return state.isStopping
      }
      if isStopping { continuation.resume() }
    }
  }

  /// Lets go those who wait for the end.
  func askToEnd() {
    let waiters = state.withLock { state in
      state.isStopping = true
      defer { state.waiters = [] }
      return state.waiters
    }
    waiters.forEach { $0.resume() }
  }

  /// Begins the end; returns false where that was done before.
  func beginStop() -> Bool {
    state.withLock { state in
      defer { state.isStopped = true }
      return !state.isStopped
    }
  }

  /// Has nothing begun any more that takes its time.
  func willStop() { state.withLock { $0.isStopping = true } }
}

/// The triggers that a station listens to, but for buttons and the page.
struct OpenTriggers: Sendable {
  var socket: TriggerSocket?
  var signals: SignalTrigger?
  var terminal: TerminalTrigger?
}
