import Platform
import Synchronization

/// Reports the station's status to the service manager, and its signs of life.
///
/// A sign of life is sent only while all parts live. The reporter lives on the station's loop, so a
/// hanging loop sends none. Every other part is asked each time: the saver by a job, the capture
/// thread by its step count, and further parts by their own questions.
final class ServiceReporter: Sendable {
  /// The maximum time between two looks at the status.
  static let longestPause = Duration.seconds(5)

  private struct State {
    var beats = Heartbeats()
    var questions: [String: Heartbeats.Question] = [:]
    var shown = ""
    var hasWarned: [String] = []
    var isEnded = false
  }

  private let manager: ServiceManager
  private let loop: EventLoop
  private let system: any SystemCalls
  private let status: @Sendable () -> String
  private let state = Mutex(State())
  private let log = Log("service")

  /// Creates a reporter of `status`, which is silent before ``begin()``.
  init(
    _ manager: ServiceManager, loop: EventLoop, system: any SystemCalls,
    status: @escaping @Sendable () -> String
  ) {
    self.manager = manager
    self.loop = loop
    self.system = system
    self.status = status
  }

  /// Asks `question` in every round.
  ///
  /// The station's sign of life is withheld while the question is unanswered for longer than
  /// `patience`.
  func watch(_ name: String, patience: Duration, question: @escaping Heartbeats.Question) {
    let now = system.monotonicTime()
    state.withLock { state in
      state.beats.expect(name, patience: patience, now: now)
      state.questions[name] = question
    }
  }

  /// Reports that the station is ready, and sends signs of life from now on.
  func begin() {
    let text = status()
    let now = system.monotonicTime()
    state.withLock { state in
      state.shown = text
      state.beats.begin(now: now)
    }
    manager.isReady(text)
    tick()
  }

  /// Reports that the station is ending, and reports nothing after that.
  func end() {
    let isFirst = state.withLock { state in
      defer { state.isEnded = true }
      return !state.isEnded
    }
    if isFirst { manager.isStopping() }
  }

  /// Reports the status, if it has changed.
  func show() {
    let text = status()
    let isNew = state.withLock { state in
      guard !state.isEnded, !state.shown.isEmpty, state.shown != text else { return false }
      state.shown = text
      return true
    }
    if isNew { manager.show(text) }
  }

  /// The time for which each part has been silent.
  var ages: [String: Duration] {
    let now = system.monotonicTime()
    return state.withLock { $0.beats.ages(now: now) }
  }

  /// The time between two rounds: a third of the manager's patience, so one late round does no
  /// harm.
  var pause: Duration { min(ServiceReporter.longestPause, (manager.patience ?? .seconds(60)) / 3) }

  /// Runs one round, which judges the answers so far and asks again.
  func tick() {
    let now = system.monotonicTime()
    let (silent, questions, isEnded) = state.withLock { state in
      let silent = state.beats.silent(now: now)
      let due = state.questions.filter { state.beats.shouldAsk($0.key) }
      return (silent, due, state.isEnded)
    }
    guard !isEnded else { return }
    warn(silent)
    if silent.isEmpty, manager.patience != nil { manager.beat() }
    for (name, question) in questions {
      question { [weak self] in
        guard let self else { return }
        let now = system.monotonicTime()
        state.withLock { $0.beats.beat(name, now: now) }
      }
    }
    show()
    loop.schedule(at: now + pause) { [weak self] in self?.tick() }
  }

  private func warn(_ silent: [String]) {
    let before = state.withLock { state in
      defer { state.hasWarned = silent }
      return state.hasWarned
    }
    for name in silent where !before.contains(name) {
      log.error("\(name) hangs; the station shows no sign of life until it goes on")
    }
  }
}
