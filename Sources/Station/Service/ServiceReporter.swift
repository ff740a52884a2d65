import Platform
import Synchronization

/// Tells the service manager how the station stands, and that it lives: only while all of it does.
///
/// It lives on the station's loop, so that a loop that hangs is silent by itself. The other parts
/// are asked each time: the saver by a job, the capture thread by its steps, whatever else is added
/// by its own question.
final class ServiceReporter: Sendable {
  /// How often the status is looked at, at most.
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

  /// Makes one that says `status`; nothing is said before ``begin()``.
  init(
    _ manager: ServiceManager, loop: EventLoop, system: any SystemCalls,
    status: @escaping @Sendable () -> String
  ) {
    self.manager = manager
    self.loop = loop
    self.system = system
    self.status = status
  }

  /// Asks `question` each time, and withholds the station's beat when it stays unanswered for longer
  /// than `patience`.
  func watch(_ name: String, patience: Duration, question: @escaping Heartbeats.Question) {
    let now = system.monotonicTime()
    state.withLock { state in
      state.beats.expect(name, patience: patience, now: now)
      state.questions[name] = question
    }
  }

  /// Says that the station is ready, and beats from now on.
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

  /// Says that the station is ending; nothing is said any more.
  func end() {
    let isFirst = state.withLock { state in
      defer { state.isEnded = true }
      return !state.isEnded
    }
    if isFirst { manager.isStopping() }
  }

  /// Says how the station stands, if that has changed.
  func show() {
    let text = status()
    let isNew = state.withLock { state in
      guard !state.isEnded, !state.shown.isEmpty, state.shown != text else { return false }
      state.shown = text
      return true
    }
    if isNew { manager.show(text) }
  }

  /// For how long each part has been silent.
  var ages: [String: Duration] {
    let now = system.monotonicTime()
    return state.withLock { $0.beats.ages(now: now) }
  }

  /// A third of what the manager waits for, so that one late tick is not the end.
  var pause: Duration { min(ServiceReporter.longestPause, (manager.patience ?? .seconds(60)) / 3) }

  /// One round: judges the answers so far, asks again.
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
