// Choosing among the frames around the press, while the photo is under review.
extension PickerMachine {
  /// The number of frames that a review of the current session offers; 1 means only the nearest.
  public var reviewFrames: Int {
    let wanted = session?.request.reviewFrames ?? configuration.reviewFrames
    return min(max(1, wanted), ReviewFrames.limit)
  }

  mutating func offer(_ candidate: CandidateID, _ frames: ReviewFrames, _ turn: inout Turn) {
    guard case .reviewing(var review) = state, review.candidate == candidate, !review.isMovie,
      review.frames == nil, frames.chosen == frames.nearest, frames.count <= reviewFrames
    else { return }
    review.frames = frames
    // The guest has done nothing, so the running deadline stays.
    enter(.reviewing(review), deadline: timer?.deadline, &turn)
  }

  mutating func choose(_ choice: FrameChoice, _ turn: inout Turn) {
    guard case .reviewing(var review) = state, let session, var frames = review.frames,
      let index = frames.index(of: choice)
    else { return }
    guard index != frames.chosen else { return extend(&turn) }
    frames.chosen = index
    frames.isReady = false
    review.frames = frames
    enter(.reviewing(review), deadline: reviewDeadline(from: turn.now), &turn)
    turn.emit(.useFrame(review.candidate, session: session.id, frame: index))
  }

  mutating func frameReady(_ candidate: CandidateID, _ frame: Int, _ turn: inout Turn) {
    guard case .reviewing(var review) = state, review.candidate == candidate,
      review.frames?.chosen == frame, review.frames?.isReady == false
    else { return }
    review.frames?.isReady = true
    enter(.reviewing(review), deadline: timer?.deadline, &turn)
  }

  /// Chooses the nearest frame again, whose still existed before the review began.
  mutating func frameFailed(
    _ candidate: CandidateID, _ frame: Int, _ reason: PickerReason, _ turn: inout Turn
  ) {
    guard case .reviewing(var review) = state, let session, review.candidate == candidate,
      var frames = review.frames, frames.chosen == frame, frame != frames.nearest
    else { return }
    frames.chosen = frames.nearest
    frames.isReady = false
    review.frames = frames
    enter(.reviewing(review), deadline: timer?.deadline, &turn)
    turn.emit(.useFrame(candidate, session: session.id, frame: frames.nearest))
    turn.emit(.refuse(reason))
  }
}
