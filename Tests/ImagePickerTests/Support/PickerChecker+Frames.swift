import ImagePicker

// The rules for the frames around the press, in addition to those for every review.
extension PickerChecker {
  func checkFrames(_ turn: Turn) throws(Violation) {
    let used = turn.effects.compactMap { effect -> Int? in
      if case .useFrame(_, _, let frame) = effect { frame } else { nil }
    }
    if let frames = turn.after.state.frames {
      let most = turn.after.request?.reviewFrames ?? configuration.reviewFrames
      try require(frames.count <= most, "no more frames are offered than are wanted", turn)
      try require(
        frames.offsets.indices.contains(frames.chosen), "a frame that there is is chosen", turn)
    }
    guard case .reviewing(let before) = turn.before.state else {
      return try require(used.isEmpty, "frames are chosen in a review", turn)
    }
    try checkKept(before, turn)
    switch turn.step.event {
    case .framesOffered(let candidate, let frames):
      try checkOffer(before, candidate, frames, turn)
    case .chooseFrame(let choice): try checkChoice(before, choice, used, turn)
    case .frameReady(let candidate, let frame):
      let isMeant =
        before.candidate == candidate && before.frames?.chosen == frame
        && before.frames?.isReady == false
      try require(
        isMeant ? turn.after.state.frames?.isReady == true : turn.isUnchanged,
        "what is ready is shown, and nothing else", turn)
    case .frameFailed(let candidate, let frame, let reason):
      try checkFailure(before, candidate, frame, reason, used, turn)
    default:
      try require(used.isEmpty, "only a choice changes the frame", turn)
      guard case .reviewing(let after) = turn.after.state else { return }
      try require(after.frames == before.frames, "only a choice changes the frame", turn)
    }
  }

  /// Checks that a choice of a frame changes nothing else of the review.
  private func checkKept(_ before: PickerMachine.Review, _ turn: Turn) throws(Violation) {
    switch turn.step.event {
    case .framesOffered, .chooseFrame, .frameReady, .frameFailed: break
    default: return
    }
    guard case .reviewing(let after) = turn.after.state else {
      return try require(false, "a frame ends no review", turn)
    }
    try require(
      after.candidate == before.candidate && after.shown == before.shown
        && after.edit == before.edit && after.isMovie == before.isMovie,
      "a frame changes nothing else in a review", turn)
    if case .chooseFrame = turn.step.event { return }
    try require(
      turn.after.deadline == turn.before.deadline, "frames that come give no further time", turn)
  }

  private func checkOffer(
    _ before: PickerMachine.Review, _ candidate: CandidateID, _ frames: ReviewFrames, _ turn: Turn
  ) throws(Violation) {
    let most = turn.before.request?.reviewFrames ?? configuration.reviewFrames
    let counts =
      before.candidate == candidate && before.frames == nil && !before.isMovie
      && frames.count <= most
    guard counts else {
      return try require(turn.isUnchanged, "frames are offered once, to their own photo", turn)
    }
    try require(
      turn.after.state.frames == frames && frames.chosen == frames.nearest,
      "the nearest frame is chosen until the guest chooses", turn)
  }

  private func checkChoice(
    _ before: PickerMachine.Review, _ choice: FrameChoice, _ used: [Int], _ turn: Turn
  ) throws(Violation) {
    guard let frames = before.frames else {
      return try require(turn.isUnchanged, "without frames there is nothing to choose", turn)
    }
    let wanted: Int
    switch choice {
    case .index(let index): wanted = index
    case .next: wanted = frames.chosen + 1 == frames.count ? 0 : frames.chosen + 1
    case .previous: wanted = frames.chosen == 0 ? frames.count - 1 : frames.chosen - 1
    }
    guard frames.offsets.indices.contains(wanted) else {
      return try require(turn.isUnchanged, "without frames there is nothing to choose", turn)
    }
    try require(turn.after.state.frames?.chosen == wanted, "what is chosen is shown", turn)
    try require(
      used == (wanted == frames.chosen ? [] : [wanted]), "what is chosen is made", turn)
    try require(
      wanted == frames.chosen || turn.after.state.frames?.isReady == false,
      "what is chosen is not ready before it is made", turn)
    let limit = configuration.reviewTimeout
    let time = limit > .zero ? max(limit, Self.guardTime) : configuration.abandonment
    try require(
      turn.after.deadline == turn.step.now + time, "who chooses is there, and has time again", turn)
  }

  private func checkFailure(
    _ before: PickerMachine.Review, _ candidate: CandidateID, _ frame: Int,
    _ reason: PickerReason, _ used: [Int], _ turn: Turn
  ) throws(Violation) {
    guard let frames = before.frames, before.candidate == candidate, frames.chosen == frame,
      frame != frames.nearest
    else {
      return try require(turn.isUnchanged, "a frame that nobody waits for fails nothing", turn)
    }
    try require(
      turn.after.state.frames?.chosen == frames.nearest && used == [frames.nearest]
        && turn.effects.contains(.refuse(reason)),
      "a frame that fails gives way to the nearest, and says so", turn)
  }
}
