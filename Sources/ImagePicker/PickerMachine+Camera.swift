// From the press to the save of one photo.
extension PickerMachine {
  mutating func shutter(_ turn: inout Turn) {
    guard turn.time >= pressesCountFrom else { return }
    switch state {
    case .live:
      if session?.request.captureMode == .video { record(&turn) } else { press(&turn) }
    case .recording: stopRecording(&turn)
    case .idle, .finished, .cancelled, .failed: startByPress(&turn)
    case .reviewing(let review):
      guard configuration.shutterAccepts, isSeen(review, at: turn.time) else { return }
      pressesCountFrom = turn.time.advanced(by: Self.guardTime)
      save(review, &turn)
    default: return
    }
  }

  private mutating func startByPress(_ turn: inout Turn) {
    guard configuration.startsOnShutter else { return }
    var request = configuration.shutterRequest
    request.source = .camera
    let isMovie = request.captureMode == .video
    if let reason = isMovie ? movieObstacle : obstacle { return turn.emit(.refuse(reason)) }
    if state.isEnd { rest(&turn) }
    open(request, &turn)
    if isMovie { record(&turn) } else { press(&turn) }
  }

  mutating func press(_ turn: inout Turn) {
    if let reason = obstacle { return turn.emit(.refuse(reason)) }
    pressesCountFrom = turn.time.advanced(by: Self.guardTime)
    count(&turn)
  }

  func isSeen(_ review: Review, at time: PickerInstant) -> Bool {
    review.shown.duration(to: time) >= Self.guardTime
  }

  /// The reason why no photo can be taken now; nil if one can.
  private var obstacle: PickerReason? { conditions.camera.reason ?? conditions.storage.reason }

  private mutating func count(_ turn: inout Turn) {
    let moment = turn.time.advanced(by: max(.zero, configuration.countdown))
    guard moment > turn.now else { return expose(moment, &turn) }
    enter(.countdown(moment: moment), deadline: moment, &turn)
  }

  mutating func expose(_ moment: PickerInstant, _ turn: inout Turn) {
    guard let session else { return }
    let candidate = newCandidate()
    let limit = max(.milliseconds(100), configuration.captureTimeout)
    enter(
      .capturing(candidate, moment: moment), deadline: turn.now.advanced(by: limit), &turn)
    turn.emit(.capture(candidate, session: session.id, moment: moment))
  }

  mutating func captured(_ candidate: CandidateID, _ turn: inout Turn) {
    guard case .capturing(candidate, _) = state else {
      return discardUnlessHeld(candidate, &turn)
    }
    let review = Review(candidate: candidate, shown: turn.now)
    enter(.reviewing(review), deadline: reviewDeadline(from: turn.now), &turn)
  }

  mutating func captureFailed(
    _ candidate: CandidateID, _ reason: PickerReason, _ turn: inout Turn
  ) {
    switch state {
    case .capturing(candidate, _), .recording(candidate, _): end(.failed(reason), &turn)
    default: return
    }
  }

  /// Discards a candidate that arrives after its session has ended.
  func discardUnlessHeld(_ candidate: CandidateID, _ turn: inout Turn) {
    if state.candidate == candidate || state == .finished(candidate) { return }
    turn.emit(.discard(candidate))
  }

  mutating func retake(_ turn: inout Turn) {
    guard case .reviewing(let review) = state else { return }
    if review.isMovie { return retakeMovie(review, &turn) }
    if let reason = obstacle { return turn.emit(.refuse(reason)) }
    turn.emit(.discard(review.candidate))
    count(&turn)
  }

  mutating func save(_ review: Review, _ turn: inout Turn) {
    guard let session else { return }
    enter(
      .saving(review.candidate, slow: false), deadline: slowDeadline(from: turn.now), &turn)
    turn.emit(
      .save(
        review.candidate, session: session.id, edit: review.edit, frame: review.frames?.chosen))
  }
}
