import ImagePicker

/// A judge of every step of a machine, by the input, the effects and the snapshots before and
/// after.
///
/// The checker does not use the machine's internals and keeps a history of its own.
struct PickerChecker {
  typealias Snapshot = PickerMachine.Snapshot
  typealias Effect = PickerMachine.Effect

  let configuration: PickerMachine.Configuration
  var conditions: PickerMachine.Conditions

  var timers: [TimerToken: PickerInstant] = [:]
  var usedTokens: Set<TimerToken> = []
  var usedCandidates: Set<CandidateID> = []
  var began: Set<SessionID> = []
  var delivered: Set<SessionID> = []
  /// The candidates that were asked for and are neither durable nor discarded.
  var undecided: Set<CandidateID> = []
  var durable: Set<CandidateID> = []
  /// The time at which the reading of the chosen items began.
  var collectingSince = PickerInstant.distantPast
  var lastPress = PickerInstant.distantPast
  var lastOutcome = PickerInstant.distantPast

  static let guardTime = Duration.milliseconds(800)

  init(configuration: PickerMachine.Configuration, conditions: PickerMachine.Conditions) {
    self.configuration = configuration
    self.conditions = conditions
  }

  /// One step, with all values that the rules use.
  final class Turn {
    let step: Step
    let before: Snapshot
    let effects: [Effect]
    let after: Snapshot
    /// The deadline of the timer that the event is about, if that timer ran.
    var due: PickerInstant?

    init(step: Step, before: Snapshot, effects: [Effect], after: Snapshot) {
      self.step = step
      self.before = before
      self.effects = effects
      self.after = after
    }

    /// Whether items of a library are being read.
    var isCollecting: Bool {
      before.state.name == .saving && before.request?.source != .camera
    }
    var isUnchanged: Bool { before == after && effects.isEmpty }
    var captures: [(CandidateID, PickerInstant)] {
      effects.compactMap {
        if case .capture(let candidate, _, let moment) = $0 { (candidate, moment) } else { nil }
      }
    }
    var records: [(CandidateID, PickerInstant)] {
      effects.compactMap {
        if case .record(let candidate, _, let moment, _) = $0 { (candidate, moment) } else { nil }
      }
    }
    func discards(_ candidate: CandidateID) -> Bool { effects.contains(.discard(candidate)) }
    var isRefusal: Bool {
      before == after && effects.count == 1
        && { if case .refuse = effects[0] { true } else { false } }()
    }
  }

  mutating func check(
    _ step: Step, before: Snapshot, effects: [Effect], after: Snapshot
  ) throws(Violation) {
    let turn = Turn(step: step, before: before, effects: effects, after: after)
    if let session = step.session, session != before.session {
      try checkForeign(turn)
      return
    }
    if case .timer(let token) = step.event { turn.due = timers[token] }
    if case .condition(let resource, let condition) = step.event {
      switch resource {
      case .camera: conditions.camera = condition
      case .storage: conditions.storage = condition
      case .library: conditions.library = condition
      case .movies: conditions.movies = condition
      }
    }
    try checkShown(turn)
    try checkTimers(turn)
    try checkSession(turn)
    try checkCandidates(turn)
    try checkPress(turn)
    try checkMovie(turn)
    try checkFrames(turn)
    try checkDecisions(turn)
    try checkTimerEvent(turn)
    try checkWork(turn)
    try checkFaults(turn)
    try checkLibrary(turn)
  }

  private func checkForeign(_ turn: Turn) throws(Violation) {
    let rule = "an event of another session changes nothing"
    try require(turn.before == turn.after, rule, turn)
    if let candidate = turn.step.event.made {
      let held =
        turn.before.state.candidate == candidate
        || turn.before.state == .finished(candidate)
      try require(turn.effects == (held ? [] : [.discard(candidate)]), rule, turn)
    } else {
      try require(turn.effects.isEmpty, rule, turn)
    }
  }

  private func checkShown(_ turn: Turn) throws(Violation) {
    let shown = turn.effects.compactMap {
      if case .changed(let snapshot) = $0 { snapshot } else { nil }
    }
    try require(
      turn.before == turn.after ? shown.isEmpty : shown.last == turn.after,
      "what changes is shown, and nothing else", turn)
  }

  private mutating func checkTimers(_ turn: Turn) throws(Violation) {
    var fired: TimerToken?
    if case .timer(let token) = turn.step.event, timers.removeValue(forKey: token) != nil {
      fired = token
    }
    for effect in turn.effects {
      switch effect {
      case .startTimer(let token, let deadline):
        try require(
          timers.isEmpty && (token == fired || !usedTokens.contains(token)),
          "one timer at a time, with a name of its own", turn)
        usedTokens.insert(token)
        timers[token] = deadline
      case .cancelTimer(let token):
        let ran = timers.removeValue(forKey: token) != nil
        try require(ran || token == fired, "only a running timer is cancelled", turn)
      default: break
      }
    }
    let rule = "every state but idle has the one timer that it shows"
    if turn.after.state == .idle {
      try require(timers.isEmpty && turn.after.deadline == nil, rule, turn)
    } else {
      try require(timers.count == 1 && timers.first?.value == turn.after.deadline, rule, turn)
    }
  }

  private mutating func checkSession(_ turn: Turn) throws(Violation) {
    for effect in turn.effects {
      switch effect {
      case .began(let session, let request):
        try require(began.insert(session).inserted, "a session's name is used once", turn)
        try require(turn.after.session == session, "what begins is present", turn)
        try require(turn.after.request == request, "a session has its own request", turn)
        if case .begin(let asked) = turn.step.event {
          try require(asked == request, "a session has its own request", turn)
          try require(
            turn.after.state == (asked.source == .camera ? .live : .browsing([])),
            "a session begins with nothing inherited", turn)
        }
      case .deliver(let session, let outcome):
        try require(
          began.contains(session) && delivered.insert(session).inserted,
          "an outcome is delivered once, to a session that began", turn)
        if case .finished(let candidate) = outcome {
          try require(
            durable.contains(candidate) || turn.step.event == .saved(candidate),
            "a picture reported finished is durable", turn)
        }
      default: break
      }
    }
    let rule = "every session that is over has its outcome, and none that is not"
    if let session = turn.before.session, session != turn.after.session {
      try require(delivered.contains(session), rule, turn)
    }
    if let session = turn.after.session {
      try require(delivered.contains(session) == turn.after.state.isEnd, rule, turn)
    }
    if turn.after.state == .idle {
      try require(
        turn.after.session == nil && turn.after.request == nil, "idle inherits nothing", turn)
    } else if turn.before.state.name == .failed, turn.before.state != turn.after.state {
      try require(
        turn.after.session != turn.before.session, "a failure is followed by idle", turn)
    }
  }

  private mutating func checkCandidates(_ turn: Turn) throws(Violation) {
    if case .saved(let candidate) = turn.step.event,
      case .saving(candidate, _) = turn.before.state
    {
      durable.insert(candidate)
      undecided.remove(candidate)
    }
    for effect in turn.effects {
      switch effect {
      case .capture(let candidate, let session, _), .collect(let candidate, let session, _),
        .record(let candidate, let session, _, _):
        try require(usedCandidates.insert(candidate).inserted, "a candidate's name is new", turn)
        try require(session == turn.after.session, "work is for the present session", turn)
        undecided.insert(candidate)
      case .discard(let candidate):
        undecided.remove(candidate)
      default: break
      }
    }
    try require(
      undecided.allSatisfy { $0 == turn.after.state.candidate },
      "a picture not accepted is discarded", turn)
    if let candidate = turn.step.event.made {
      let held =
        turn.before.state.candidate == candidate
        || turn.before.state == .finished(candidate)
      try require(
        held || turn.discards(candidate), "a still that nobody waits for is discarded", turn)
    }
  }
}

extension PickerMachine.Event {
  /// The candidate that is ready to be shown.
  var made: CandidateID? {
    switch self {
    case .captured(let candidate), .recordingEnded(let candidate, _): candidate
    default: nil
    }
  }
}

/// Throws the violation of `rule` unless it holds.
func require(
  _ holds: Bool, _ rule: @autoclosure () -> String, _ turn: PickerChecker.Turn
) throws(Violation) {
  if holds { return }
  throw Violation(
    rule: rule(),
    detail: "\(turn.step) in \(turn.before.state) gave \(turn.effects), \(turn.after.state)")
}
