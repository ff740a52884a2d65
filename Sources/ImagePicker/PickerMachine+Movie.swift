// From the press to the review of one movie.
extension PickerMachine {
  mutating func startRecording(_ turn: inout Turn) {
    guard turn.time >= pressesCountFrom, case .live = state, let session,
      session.request.allowsMovies
    else { return }
    record(&turn)
  }

  /// Begins recording a movie, or refuses if none can be recorded now.
  mutating func record(_ turn: inout Turn) {
    guard let session else { return }
    if let reason = movieObstacle { return turn.emit(.refuse(reason)) }
    pressesCountFrom = turn.time.advanced(by: Self.guardTime)
    let candidate = newCandidate()
    let maximum = longestMovie(session.request)
    enter(
      .recording(candidate, since: turn.time), deadline: turn.now.advanced(by: maximum), &turn)
    turn.emit(.record(candidate, session: session.id, moment: turn.time, maximum: maximum))
  }

  private func longestMovie(_ request: Request) -> Duration {
    let configured = max(.milliseconds(500), configuration.longestMovie)
    guard let wanted = request.longestMovie, wanted > .zero else { return configured }
    return min(wanted, configured)
  }

  mutating func stopRecording(_ turn: inout Turn) {
    guard case .recording(let candidate, let since) = state else { return }
    // A stop that is dated before the start counts as a stop at the start, so the movie has a
    // frame.
    let moment = max(turn.time, since)
    pressesCountFrom = max(pressesCountFrom, turn.time.advanced(by: Self.guardTime))
    // The limit is longer than for a still because an encoder that has fallen behind must still
    // encode the waiting frames.
    let limit = max(.milliseconds(100), configuration.captureTimeout) * 4
    enter(
      .capturing(candidate, moment: moment), deadline: turn.now.advanced(by: limit), &turn)
    turn.emit(.stopRecording(candidate, moment: moment))
  }

  mutating func recordingEnded(
    _ candidate: CandidateID, _ reason: PickerReason?, _ turn: inout Turn
  ) {
    switch state {
    case .recording(candidate, _), .capturing(candidate, _): break
    default: return discardUnlessHeld(candidate, &turn)
    }
    var review = Review(candidate: candidate, shown: turn.now)
    review.isMovie = true
    enter(.reviewing(review), deadline: reviewDeadline(from: turn.now), &turn)
    if reason != nil { turn.emit(.announce(.movieCutShort)) }
  }

  /// Handles `takePicture()`, which takes a photo even if the shutter records movies.
  mutating func still(_ turn: inout Turn) {
    switch state {
    case .recording(let candidate, _):
      guard turn.time >= pressesCountFrom, let session else { return }
      pressesCountFrom = turn.time.advanced(by: Self.guardTime)
      turn.emit(.addStill(candidate, session: session.id, moment: turn.time))
    case .live where session?.request.mediaTypes.contains(.image) == true:
      guard turn.time >= pressesCountFrom else { return }
      press(&turn)
    case .reviewing: return
    default: shutter(&turn)
    }
  }

  mutating func retakeMovie(_ review: Review, _ turn: inout Turn) {
    if let reason = movieObstacle { return turn.emit(.refuse(reason)) }
    turn.emit(.discard(review.candidate))
    enter(.live, deadline: leaving(after: configuration.liveTimeout, from: turn.now), &turn)
  }

  /// The reason why no movie can be recorded now; nil if one can.
  var movieObstacle: PickerReason? {
    conditions.camera.reason ?? conditions.storage.reason ?? conditions.movies.reason
  }
}
