// The start, the end and the timers of sessions of every source.
extension PickerMachine {
  mutating func begin(_ request: Request, _ turn: inout Turn) {
    guard !isOccupied else { return }
    if let reason = obstacle(to: request) { return turn.emit(.refuse(reason)) }
    if state.isEnd { rest(&turn) }
    open(request, &turn)
    if request.source == .camera {
      enter(.live, deadline: leaving(after: configuration.liveTimeout, from: turn.now), &turn)
    } else {
      enter(.browsing([]), deadline: leaving(after: .zero, from: turn.now), &turn)
    }
  }

  mutating func accept(_ turn: inout Turn) {
    switch state {
    case .reviewing(let review):
      guard isSeen(review, at: turn.time) else { return }
      save(review, &turn)
    case .browsing(let choices): confirm(choices, &turn)
    case .editing(let item, let edit, let choices): keep(item, edit, choices, &turn)
    default: return
    }
  }

  mutating func cancel(_ turn: inout Turn) {
    switch state {
    case .idle: return
    case .saving where !isCollecting: return
    case .finished, .cancelled, .failed: rest(&turn)
    default:
      end(.cancelled, &turn)
      // A press right after a cancel counts, because a guest who cancels so early means it.
      pressesCountFrom = turn.time
    }
  }

  mutating func dismiss(_ turn: inout Turn) {
    cancel(&turn)
    if state == .cancelled { rest(&turn) }
  }

  mutating func extend(_ turn: inout Turn) {
    guard let deadline = patience(from: turn.now) else { return }
    enter(state, deadline: deadline, &turn)
  }

  mutating func edit(_ edit: PickerEdit?, _ turn: inout Turn) {
    switch state {
    case .reviewing(var review):
      guard session?.request.allowsEditing == true, !review.isMovie else { return }
      review.edit = edit
      enter(.reviewing(review), deadline: reviewDeadline(from: turn.now), &turn)
    case .editing(let item, _, let choices):
      let next = State.editing(item: item, edit: edit, choices: choices)
      enter(next, deadline: leaving(after: .zero, from: turn.now), &turn)
    default: return
    }
  }

  mutating func fire(_ token: TimerToken, _ turn: inout Turn) {
    guard let timer, timer.token == token else { return }
    guard turn.now >= timer.deadline else {
      return turn.emit(.startTimer(timer.token, deadline: timer.deadline))
    }
    switch state {
    case .idle: return
    case .live, .browsing, .editing: end(.cancelled, &turn)
    case .countdown(let moment): expose(moment, &turn)
    case .recording: stopRecording(&turn)
    case .capturing: end(.failed(PickerReason(.captureTimedOut)), &turn)
    case .reviewing(let review):
      let kept = configuration.reviewTimeout > .zero && configuration.reviewEnd == .accept
      if kept { save(review, &turn) } else { end(.cancelled, &turn) }
    case .saving(let candidate, _):
      if isCollecting, let collectEnd, turn.now >= collectEnd {
        return end(.failed(PickerReason(.libraryUnavailable)), &turn)
      }
      enter(.saving(candidate, slow: true), deadline: slowDeadline(from: turn.now), &turn)
      turn.emit(.announce(.saveIsSlow))
    case .finished, .cancelled, .failed: rest(&turn)
    }
  }

  mutating func saved(_ candidate: CandidateID, _ turn: inout Turn) {
    guard case .saving(candidate, _) = state else { return }
    end(.finished(candidate), &turn)
  }

  mutating func saveFailed(
    _ candidate: CandidateID, _ reason: PickerReason, _ turn: inout Turn
  ) {
    guard case .saving(candidate, _) = state else { return }
    end(.failed(reason), &turn)
  }

  mutating func note(
    _ resource: Condition.Resource, _ condition: Condition, _ turn: inout Turn
  ) {
    switch resource {
    case .camera: conditions.camera = condition
    case .storage: conditions.storage = condition
    case .library: conditions.library = condition
    case .movies: conditions.movies = condition
    }
    guard let reason = condition.reason else { return }
    switch (state, resource) {
    case (.live, .camera), (.countdown, .camera), (.countdown, .storage),
      (.browsing, .library), (.editing, .library):
      end(.failed(reason), &turn)
    default: return
    }
  }

  mutating func fault(_ reason: PickerReason, _ turn: inout Turn) {
    if case .saving = state { return }
    if state.isEnd { return }
    end(.failed(reason), &turn)
  }

  /// Whether the machine waits for items of a library to be read, which writes nothing to the disk.
  var isCollecting: Bool {
    guard case .saving = state, let session else { return false }
    return session.request.source != .camera
  }

  func slowDeadline(from now: PickerInstant) -> PickerInstant {
    let slow = now.advanced(by: max(.milliseconds(100), configuration.slowSave))
    guard let session, session.request.source != .camera, let collectEnd else { return slow }
    return min(slow, max(now, collectEnd))
  }
}

extension PickerMachine {
  /// Returns why a session cannot begin now with `request`, or nil if nothing stands in its way; a
  /// request during another session is ignored (see ``isOccupied``).
  public func obstacle(to request: Request) -> PickerReason? {
    guard request.source == .camera else { return conditions.library.reason }
    let movies = request.captureMode == .video ? conditions.movies.reason : nil
    return conditions.camera.reason ?? movies
  }

  /// Whether a session is under way whose outcome has not been delivered.
  public var isOccupied: Bool { state != .idle && !state.isEnd }
}
