import Synchronization
import Trigger

/// The life of a station, from its start to its end.
///
/// All calls may come from any thread.
final class StationLife: Sendable {
  private struct State {
    var isStopping = false
    var isStopped = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Whether the station is ending or has ended.
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

  /// Resumes all callers of ``waitForEnd()``.
  func askToEnd() {
    let waiters = state.withLock { state in
      state.isStopping = true
      defer { state.waiters = [] }
      return state.waiters
    }
    waiters.forEach { $0.resume() }
  }

  /// Begins the end of the station; returns false when an earlier call began it.
  func beginStop() -> Bool {
    state.withLock { state in
      defer { state.isStopped = true }
      return !state.isStopped
    }
  }

  /// Marks the station as stopping, so that its parts begin no further work.
  func willStop() { state.withLock { $0.isStopping = true } }
}

/// The open triggers of a station, without buttons and page.
struct OpenTriggers: Sendable {
  var socket: TriggerSocket?
  var signals: SignalTrigger?
  var terminal: TerminalTrigger?
}
