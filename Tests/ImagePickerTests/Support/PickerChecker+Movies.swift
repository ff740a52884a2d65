import ImagePicker

// The rules for movies, in addition to those for every picture.
extension PickerChecker {
  mutating func checkMovie(_ turn: Turn) throws(Violation) {
    for effect in turn.effects {
      guard case .record(let candidate, _, let moment, let maximum) = effect else { continue }
      try require(
        turn.after.state == .recording(candidate, since: moment), "what is recorded is shown", turn)
      let wanted = turn.after.request?.longestMovie ?? configuration.longestMovie
      try require(
        maximum > .zero && maximum <= wanted && maximum <= configuration.longestMovie
          && turn.after.deadline == turn.step.now + maximum, "a movie has a longest time", turn)
      try require(
        turn.after.request?.allowsMovies == true, "a movie is taken where it may be", turn)
    }
    try checkStart(turn)
    switch turn.before.state {
    case .recording(let candidate, let since): try checkRecording(candidate, since, turn)
    case .capturing(let candidate, _): try checkMade(candidate, turn)
    case .reviewing(let review) where review.isMovie:
      if case .edit = turn.step.event {
        try require(turn.isUnchanged, "a movie is not edited", turn)
      }
    default:
      try require(!turn.stops, "only what is recorded is stopped", turn)
    }
  }

  private func checkStart(_ turn: Turn) throws(Violation) {
    guard turn.step.event == .startRecording else { return }
    guard turn.before.state == .live, turn.before.request?.allowsMovies == true else {
      return try require(turn.isUnchanged, "a movie begins in the live picture", turn)
    }
    guard turn.records.isEmpty else { return }
    // An event that exposed has changed the last press by now.
    let clear = turn.step.date - lastPress >= Self.guardTime && turn.step.date >= lastOutcome
    if clear {
      try require(
        !isReady(movie: true) && turn.isRefusal, "a start that may count does", turn)
    }
  }

  private mutating func checkRecording(
    _ candidate: CandidateID, _ since: PickerInstant, _ turn: Turn
  ) throws(Violation) {
    let clear = turn.step.date - lastPress >= Self.guardTime && turn.step.date >= lastOutcome
    switch turn.step.event {
    case .shutter where !clear:
      try require(turn.isUnchanged, "a bounce does not end a movie", turn)
    case .shutter, .stopRecording:
      try require(
        turn.effects.contains(
          .stopRecording(candidate, moment: max(turn.step.date, since)))
          && turn.after.state.name == .capturing, "a movie is stopped when it is asked for", turn)
      lastPress = max(lastPress, turn.step.date)
    case .still:
      let taken = turn.effects.contains {
        if case .addStill(candidate, _, turn.step.date) = $0 { true } else { false }
      }
      try require(
        turn.before == turn.after && taken == clear, "a photo does not end a movie", turn)
      if taken { lastPress = turn.step.date }
    case .timer:
      if turn.stops { lastPress = max(lastPress, turn.step.date) }
    case .recordingEnded, .captureFailed: try checkMade(candidate, turn)
    case .cancel, .dismiss, .fault: break
    default: try require(turn.before == turn.after, "nothing else touches a movie", turn)
    }
  }

  private func checkMade(_ candidate: CandidateID, _ turn: Turn) throws(Violation) {
    switch turn.step.event {
    case .recordingEnded(candidate, let reason):
      guard case .reviewing(let review) = turn.after.state else {
        return try require(false, "a movie is reviewed", turn)
      }
      try require(
        review.candidate == candidate && review.shown == turn.step.now && review.isMovie
          && review.edit == nil, "a review begins with nothing inherited", turn)
      try require(
        turn.effects.contains(.announce(.movieCutShort)) == (reason != nil),
        "a movie that ended early says so", turn)
    case .captureFailed(candidate, let reason):
      try require(turn.after.state == .failed(reason), "a failed movie fails", turn)
    default: break
    }
  }
}

extension PickerChecker.Turn {
  var stops: Bool {
    effects.contains { if case .stopRecording = $0 { true } else { false } }
  }
}
