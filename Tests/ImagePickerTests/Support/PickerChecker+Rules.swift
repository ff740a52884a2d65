import ImagePicker

extension PickerChecker {
  func isReady(movie: Bool = false) -> Bool {
    conditions.camera == .ready && conditions.storage == .ready
      && (!movie || conditions.movies == .ready)
  }

  /// Returns whether the event exposed, began the countdown, or began a movie.
  private func exposes(_ turn: Turn) -> Bool {
    !turn.captures.isEmpty || !turn.records.isEmpty
      || (turn.after.state.name == .countdown && turn.after.state != turn.before.state)
  }

  private func momentOfExposure(_ turn: Turn) -> PickerInstant? {
    if case .countdown(let moment) = turn.after.state { return moment }
    return turn.captures.first?.1 ?? turn.records.first?.1
  }

  /// Returns whether a press begins a movie in that state.
  private func wantsMovie(_ turn: Turn) -> Bool {
    let request = turn.before.state == .live ? turn.before.request : configuration.shutterRequest
    return request?.captureMode == .video
  }

  mutating func checkPress(_ turn: Turn) throws(Violation) {
    try require(
      turn.captures.count + turn.records.count <= 1, "one event is one exposure at most", turn)
    let timed = turn.before.state.name == .countdown && turn.due != nil
    let asked = [.shutter, .retake, .still, .startRecording].contains(turn.step.event)
    try require(!exposes(turn) || timed || asked, "only a press or a retake exposes", turn)
    if exposes(turn), asked {
      let isMovie = !turn.records.isEmpty
      try require(isReady(movie: isMovie), "an exposure is refused before the countdown", turn)
      try require(
        momentOfExposure(turn)
          == turn.step.date + (isMovie ? .zero : max(.zero, configuration.countdown)),
        "the moment is the press and the countdown", turn)
    }
    if exposes(turn), turn.step.event == .still || turn.step.event == .startRecording {
      try require(
        turn.step.date - lastPress >= Self.guardTime && turn.step.date >= lastOutcome,
        "two presses are one exposure", turn)
      lastPress = turn.step.date
    }
    guard turn.step.event == .shutter else { return }
    let isReady = isReady(movie: wantsMovie(turn))
    let counts: Bool
    switch turn.before.state.name {
    case .live: counts = true
    case .idle, .finished, .cancelled, .failed: counts = configuration.startsOnShutter
    case .reviewing:
      if !configuration.shutterAccepts {
        try require(turn.isUnchanged, "a press means nothing in a review", turn)
      }
      return
    case .recording: return
    case .countdown, .capturing, .saving, .browsing, .editing:
      try require(turn.isUnchanged, "two presses are one exposure", turn)
      return
    }
    if exposes(turn) {
      try require(
        turn.records.isEmpty != wantsMovie(turn), "a press takes what the mode says", turn)
      try require(counts, "a press counts where it may", turn)
      try require(
        turn.step.date - lastPress >= Self.guardTime, "two presses are one exposure", turn)
      try require(
        turn.step.date >= lastOutcome, "a press during saving is no second photo", turn)
      lastPress = turn.step.date
    } else if !isReady || !counts {
      try require(
        turn.isUnchanged || (counts && turn.isRefusal), "a press is refused with a reason", turn)
    } else {
      try require(turn.isUnchanged, "a press counts or changes nothing", turn)
    }
    let clear = turn.step.date - lastPress >= Self.guardTime && turn.step.date >= lastOutcome
    if counts, clear {
      try require(
        isReady ? exposes(turn) : turn.isRefusal, "a press that may count does", turn)
    }
  }

  mutating func checkDecisions(_ turn: Turn) throws(Violation) {
    let saves = turn.effects.contains { if case .save = $0 { true } else { false } }
    let accepts =
      turn.step.event == .accept
      || (turn.step.event == .shutter && configuration.shutterAccepts)
    if case .reviewing(let review) = turn.before.state {
      let seen = turn.step.date - review.shown >= Self.guardTime
      if accepts, !saves {
        try require(!seen && turn.isUnchanged, "an early accept is ignored, others count", turn)
      }
      if saves {
        let timed = turn.due.map { $0 - review.shown >= Self.guardTime } ?? false
        try require(
          (accepts && seen)
            || (timed && configuration.reviewEnd == .accept
              && configuration.reviewTimeout > .zero),
          "an accept counts once the review has been on show for 0.8 s", turn)
        try require(
          turn.effects.contains(
            .save(
              review.candidate, session: turn.before.session ?? SessionID(rawValue: 0),
              edit: review.edit, frame: review.frames?.chosen)),
          "what was reviewed is saved, with its edit and its frame", turn)
        if turn.step.event == .shutter { lastPress = turn.step.date }
      }
      if turn.step.event == .retake, review.isMovie {
        try require(
          isReady(movie: true)
            ? turn.after.state == .live && turn.discards(review.candidate) : turn.isRefusal,
          "retake discards the movie and shows the live picture", turn)
      } else if turn.step.event == .retake {
        try require(
          isReady() ? exposes(turn) && turn.discards(review.candidate) : turn.isRefusal,
          "retake discards and shoots again", turn)
      }
    } else {
      try require(!saves, "only what is reviewed is saved", turn)
      if turn.step.event == .retake {
        try require(turn.isUnchanged, "retake counts in a review only", turn)
      }
    }
    try checkLeaving(turn)
    noteOutcome(turn)
  }

  private func checkLeaving(_ turn: Turn) throws(Violation) {
    guard turn.step.event == .cancel || turn.step.event == .dismiss else { return }
    if turn.isCollecting {
      return try require(
        turn.after.state == (turn.step.event == .cancel ? .cancelled : .idle),
        "what only reads can be cancelled", turn)
    }
    switch turn.before.state.name {
    case .idle, .saving:
      try require(turn.isUnchanged, "a save cannot be cancelled", turn)
    case .finished, .cancelled, .failed:
      try require(turn.after.state == .idle, "an end screen can be left", turn)
    case .live, .countdown, .recording, .capturing, .reviewing, .browsing, .editing:
      try require(
        turn.after.state == (turn.step.event == .cancel ? .cancelled : .idle),
        "every state but saving can be cancelled", turn)
    }
  }

  private mutating func noteOutcome(_ turn: Turn) {
    let ended = turn.after.state.isEnd && turn.after.state != turn.before.state
    if turn.step.event == .cancel || turn.step.event == .dismiss {
      guard !turn.before.state.isEnd, turn.before != turn.after else { return }
      lastOutcome = turn.step.date
      lastPress = .distantPast
    } else if ended {
      lastOutcome = max(lastOutcome, turn.step.now)
    }
  }

  func checkTimerEvent(_ turn: Turn) throws(Violation) {
    guard case .timer(let token) = turn.step.event else { return }
    guard let due = turn.due else {
      return try require(turn.isUnchanged, "a late timer changes nothing", turn)
    }
    guard turn.step.now >= due else {
      return try require(
        turn.before == turn.after && turn.effects == [.startTimer(token, deadline: due)],
        "a timer that is early is started again", turn)
    }
    let keeps = configuration.reviewTimeout > .zero && configuration.reviewEnd == .accept
    let expected: PickerMachine.State.Name
    switch turn.before.state.name {
    case .idle, .finished, .cancelled, .failed: expected = .idle
    case .live, .browsing, .editing: expected = .cancelled
    case .countdown, .recording: expected = .capturing
    case .capturing: expected = .failed
    case .reviewing: expected = keeps ? .saving : .cancelled
    case .saving
    where turn.isCollecting
      && turn.step.now - collectingSince >= max(.seconds(1), configuration.collectTimeout):
      expected = .failed
    case .saving:
      expected = .saving
      try require(
        turn.effects.contains(.announce(.saveIsSlow)), "a slow save says that it is slow", turn)
    }
    try require(turn.after.state.name == expected, "each state ends by its timer", turn)
    if case .countdown(let moment) = turn.before.state {
      try require(
        turn.captures.first?.1 == moment, "the moment is the press and the countdown", turn)
    }
  }

  func checkWork(_ turn: Turn) throws(Violation) {
    if case .saving(let candidate, _) = turn.before.state {
      switch turn.step.event {
      case .saved(candidate):
        try require(turn.after.state == .finished(candidate), "a save finishes", turn)
      case .saveFailed(candidate, let reason):
        try require(turn.after.state == .failed(reason), "a failed save never shows success", turn)
      case .cancel, .dismiss, .timer:
        // The rules about leaving guests and about timers cover these cases.
        guard !turn.isCollecting else { break }
        fallthrough
      default:
        guard case .saving(candidate, _) = turn.after.state else {
          return try require(false, "only its own outcome ends a save", turn)
        }
      }
    } else {
      try require(
        turn.after.state.name != .finished || turn.before.state == turn.after.state,
        "only a save finishes", turn)
    }
    if case .capturing(let candidate, _) = turn.before.state {
      switch turn.step.event {
      case .captured(candidate):
        guard case .reviewing(let review) = turn.after.state else {
          return try require(false, "a still is reviewed", turn)
        }
        try require(
          review.candidate == candidate && review.shown == turn.step.now && review.edit == nil
            && review.frames == nil,
          "a review begins with nothing inherited", turn)
      case .captureFailed(candidate, let reason):
        try require(turn.after.state == .failed(reason), "a failed capture fails", turn)
      default: break
      }
    }
  }

  func checkFaults(_ turn: Turn) throws(Violation) {
    let failing: PickerReason
    switch turn.step.event {
    case .fault(let reason):
      if turn.before.state.name == .saving || turn.before.state.isEnd {
        return try require(turn.isUnchanged, "a fault does not touch an outcome", turn)
      }
      failing = reason
    case .condition(let resource, .unavailable(let reason)):
      switch (turn.before.state.name, resource) {
      case (.live, .camera), (.countdown, .camera), (.countdown, .storage),
        (.browsing, .library), (.editing, .library):
        failing = reason
      default:
        return try require(turn.isUnchanged, "what is lost costs no picture that exists", turn)
      }
    case .condition(_, .ready):
      return try require(turn.isUnchanged, "what comes back changes no state", turn)
    default: return
    }
    try require(turn.after.state == .failed(failing), "a fault fails the session", turn)
  }

  mutating func checkLibrary(_ turn: Turn) throws(Violation) {
    if turn.effects.contains(where: { if case .collect = $0 { true } else { false } }) {
      collectingSince = turn.step.now
    }
    try checkChoice(turn)
    if case .begin(let request) = turn.step.event {
      let open = turn.before.state == .idle || turn.before.state.isEnd
      var ready = (request.source == .camera ? conditions.camera : conditions.library) == .ready
      if request.source == .camera, request.captureMode == .video {
        ready = ready && conditions.movies == .ready
      }
      let begins = turn.effects.contains { if case .began = $0 { true } else { false } }
      try require(begins == (open && ready), "a session begins where it can", turn)
      try require(begins || (open ? turn.isRefusal : turn.isUnchanged), "or is refused", turn)
    }
    let limit = turn.before.request?.selectionLimit ?? 0
    if case .browsing(let choices) = turn.after.state, limit > 0 {
      try require(choices.count <= limit, "no more are chosen than may be", turn)
    }
    guard case .browsing(let choices) = turn.before.state else { return }
    switch turn.step.event {
    case .select(let item):
      if choices.contains(where: { $0.item == item }) {
        return try require(
          turn.after.state == turn.before.state, "an item is chosen once", turn)
      }
      let choice = PickerChoice(item: item)
      if limit == 1 {
        try require(turn.after.state == .browsing([choice]), "one replaces the other", turn)
      } else if limit > 0, choices.count >= limit {
        try require(turn.isRefusal, "no more are chosen than may be", turn)
      } else {
        try require(
          turn.after.state == .browsing(choices + [choice]), "the order chosen stays", turn)
      }
    case .accept:
      let collected = turn.effects.contains {
        if case .collect(_, _, choices) = $0 { true } else { false }
      }
      try require(choices.isEmpty ? turn.isRefusal : collected, "what is chosen is read", turn)
    default: break
    }
  }

  /// Checks that all items that a program chooses are read, or that the session fails.
  private func checkChoice(_ turn: Turn) throws(Violation) {
    guard case .choose(let choices) = turn.step.event else { return }
    guard turn.before.state.name == .browsing else {
      return try require(turn.isUnchanged, "a choice counts in a library", turn)
    }
    let limit = turn.before.request?.selectionLimit ?? 0
    if choices.isEmpty || (limit > 0 && choices.count > limit) {
      return try require(turn.after.state.name == .failed, "no choice fails the session", turn)
    }
    let isWhole = turn.effects.contains {
      if case .collect(_, _, choices) = $0 { true } else { false }
    }
    try require(isWhole && turn.after.state.name == .saving, "all that is chosen is read", turn)
  }
}
