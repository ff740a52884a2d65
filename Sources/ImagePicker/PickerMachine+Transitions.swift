extension PickerMachine {
  /// Enters `next`: stops the old timer, starts a timer for `deadline`, and emits the new snapshot
  /// if it changed.
  mutating func enter(_ next: State, deadline: PickerInstant?, _ turn: inout Turn) {
    let shown = snapshot
    stopTimer(&turn)
    state = next
    if let deadline { startTimer(deadline, &turn) }
    if snapshot != shown { turn.emit(.changed(snapshot)) }
  }

  private mutating func stopTimer(_ turn: inout Turn) {
    guard let timer else { return }
    turn.emit(.cancelTimer(timer.token))
    self.timer = nil
  }

  mutating func startTimer(_ deadline: PickerInstant, _ turn: inout Turn) {
    lastToken += 1
    let timer = Timer(token: TimerToken(rawValue: lastToken), deadline: deadline)
    self.timer = timer
    turn.emit(.startTimer(timer.token, deadline: deadline))
  }

  mutating func newCandidate() -> CandidateID {
    lastCandidate += 1
    return CandidateID(rawValue: lastCandidate)
  }

  /// Begins a session, whose first state the caller enters.
  mutating func open(_ request: Request, _ turn: inout Turn) {
    lastSession += 1
    let session = Session(id: SessionID(rawValue: lastSession), request: request)
    self.session = session
    turn.emit(.began(session.id, request))
  }

  /// Ends the session with `outcome` and shows its end screen.
  mutating func end(_ outcome: Outcome, _ turn: inout Turn) {
    if case .finished = outcome {
      // The candidate is a saved photo or movie now.
    } else if let candidate = state.candidate {
      turn.emit(.discard(candidate))
    }
    let brief = turn.now.advanced(by: max(.zero, configuration.linger))
    switch outcome {
    case .finished(let candidate): enter(.finished(candidate), deadline: brief, &turn)
    case .cancelled: enter(.cancelled, deadline: brief, &turn)
    case .failed(let reason):
      let linger = max(.zero, configuration.failureLinger)
      enter(.failed(reason), deadline: turn.now.advanced(by: linger), &turn)
    }
    pressesCountFrom = max(pressesCountFrom, turn.now)
    if let session { turn.emit(.deliver(session.id, outcome)) }
  }

  /// Enters `idle`, clears the session and applies a waiting configuration.
  mutating func rest(_ turn: inout Turn) {
    session = nil
    if let nextConfiguration {
      configuration = nextConfiguration
      self.nextConfiguration = nil
    }
    enter(.idle, deadline: nil, &turn)
  }

  /// Returns the time at which a guest who does nothing from now on is taken to have left.
  func leaving(after limit: Duration, from now: PickerInstant) -> PickerInstant {
    let last = max(.seconds(1), configuration.abandonment)
    return now.advanced(by: limit > .zero ? limit : last)
  }

  /// Returns the deadline of the current state for a guest who does nothing; nil in states that do
  /// not wait for a guest.
  func patience(from now: PickerInstant) -> PickerInstant? {
    switch state {
    case .live: leaving(after: configuration.liveTimeout, from: now)
    case .reviewing: reviewDeadline(from: now)
    case .browsing, .editing: leaving(after: .zero, from: now)
    default: nil
    }
  }

  func reviewDeadline(from now: PickerInstant) -> PickerInstant {
    let limit = configuration.reviewTimeout
    return leaving(after: limit > .zero ? max(limit, Self.guardTime) : .zero, from: now)
  }
}
