@testable import ImagePicker

/// A machine with one injected fault, to show that the checker detects it.
struct PickerMutant: PickerUnderTest {
  enum Fault: String, CaseIterable {
    case noSessionCheck, lateTimerHonoured, earlyTimerHonoured, lostTimer, timerLeftRunning
    case noCaptureWatchdog, noReviewTimeout, slowSaveIsSilent
    case cameraLossIgnored, storageLossIgnored, libraryLossIgnored, faultHandlerOff
    case cameraGateOff, storageGateOff, faultFailsASave
    case captureFailureIgnored, saveFailureIgnored, failedSaveIsFinished
    case acceptWithoutGuard, acceptByHandlingTime, acceptRemembered, timeoutAlwaysAccepts
    case cancelDuringSaving, cancelDuringReviewIgnored, cancelDuringCountdownIgnored
    case doubleDelivery, lostDelivery, deliveryBeforeDurable, savedOfAnotherHonoured
    case secondExposure, bounceCounts, pressDuringSavingRemembered, momentIsHandlingTime
    case nothingDiscardedOnCancel, nothingDiscardedOnRetake, lateStillKept
    case editInherited, selectionInherited, sessionInherited, namesUsedTwice
    case stopIgnored, movieWithoutEnd, movieGateOff, cutShortIsSilent, movieIsEdited
    case stillEndsMovie, movieEndIsDropped, maximumIgnored
    case selectionUnlimited, selectionReversed, showsNothing
    case framesInherited, framesOfAnother, framesOfferedTwice, tooManyFrames, lastFrameChosen
    case nearestIsSaved, choiceIsNotMade, choiceIsLost, choiceDropsTheEdit, choiceGivesNoTime
    case stepsEndAtTheLast, failedFrameIsKept, failedFrameIsSilent, unmadeIsReady
    case offerGivesTime
    case collectWithoutEnd, collectCannotBeCancelled, choiceInPart, emptyChoiceIsIgnored
  }

  private var base: PickerMachine
  private let fault: Fault
  private var lastSelection: [PickerChoice] = []
  private var lastEdit: PickerEdit?
  private var lastFrames: ReviewFrames?
  private var waiting: PickerMachine.Event?
  private var ghost: PickerMachine.Session?

  init(_ base: PickerMachine, fault: Fault) {
    self.base = base
    self.fault = fault
    if fault == .timeoutAlwaysAccepts {
      self.base.configuration.reviewTimeout = .seconds(30)
      self.base.configuration.reviewEnd = .accept
    }
  }

  var snapshot: PickerMachine.Snapshot {
    let shown = base.snapshot
    guard fault == .sessionInherited, shown.state == .idle else { return shown }
    return PickerMachine.Snapshot(
      session: ghost?.id, request: ghost?.request, state: .idle, deadline: nil)
  }

  mutating func handle(
    _ event: PickerMachine.Event, at time: PickerInstant, now: PickerInstant?, session: SessionID?
  ) -> [PickerMachine.Effect] {
    var input = Step(event: event, time: time, now: now ?? time, session: session)
    guard alter(&input) else { return [] }
    let before = base
    var effects = base.handle(
      input.event, at: input.time, now: input.now, session: input.session)
    alter(&effects, input, before)
    ghost = base.session ?? ghost
    if case .browsing(let choices) = base.state { lastSelection = choices }
    if case .reviewing(let review) = base.state { lastEdit = review.edit ?? lastEdit }
    lastFrames = base.state.frames ?? lastFrames
    return effects
  }

  /// Applies the fault to an input; returns false if the input is dropped.
  private mutating func alter(_ input: inout Step) -> Bool {
    switch (fault, input.event, base.state) {
    case (.noSessionCheck, _, _): input.session = nil
    case (.lateTimerHonoured, .timer, _):
      guard let timer = base.timer else { return true }
      input.event = .timer(timer.token)
      input.now = max(input.now, timer.deadline)
    case (.earlyTimerHonoured, .timer, _):
      input.now = max(input.now, base.timer?.deadline ?? input.now)
    case (.noCaptureWatchdog, .timer, .capturing), (.noReviewTimeout, .timer, .reviewing),
      (.cameraLossIgnored, .condition(.camera, .unavailable), _),
      (.storageLossIgnored, .condition(.storage, .unavailable), .countdown),
      (.libraryLossIgnored, .condition(.library, .unavailable), _),
      (.faultHandlerOff, .fault, _), (.captureFailureIgnored, .captureFailed, _),
      (.saveFailureIgnored, .saveFailed, _), (.cancelDuringReviewIgnored, .cancel, .reviewing),
      (.cancelDuringCountdownIgnored, .cancel, .countdown):
      return false
    case (.cameraGateOff, .shutter, .idle), (.cameraGateOff, .shutter, .live):
      base.conditions.camera = .ready
    case (.storageGateOff, .shutter, .idle), (.storageGateOff, .shutter, .live):
      base.conditions.storage = .ready
    case (.stopIgnored, .stopRecording, .recording), (.movieWithoutEnd, .timer, .recording),
      (.movieEndIsDropped, .recordingEnded, .recording):
      return false
    case (.movieGateOff, .begin, _), (.movieGateOff, .shutter, _),
      (.movieGateOff, .startRecording, _):
      base.conditions.movies = .ready
    case (.stillEndsMovie, .still, .recording): input.event = .stopRecording
    case (.maximumIgnored, .startRecording, _), (.maximumIgnored, .shutter, _):
      base.configuration.longestMovie = .seconds(60)
    case (.movieIsEdited, .edit(let edit), .reviewing(var review)):
      review.edit = edit
      base.state = .reviewing(review)
    case (.faultFailsASave, .fault(let reason), .saving(let candidate, _)):
      input.event = .saveFailed(candidate, reason)
    case (.failedSaveIsFinished, .saveFailed(let candidate, _), _):
      input.event = .saved(candidate)
    case (.savedOfAnotherHonoured, .saved, .saving(let candidate, _)):
      input.event = .saved(candidate)
    case (.acceptWithoutGuard, .accept, .reviewing(let review)):
      input.time = max(input.time, review.shown + .seconds(1))
      input.now = max(input.now, input.time)
    case (.acceptByHandlingTime, .accept, _): input.time = input.now
    case (.acceptRemembered, .accept, .reviewing(let review)):
      if min(input.time, input.now) - review.shown < PickerMachine.guardTime {
        waiting = .accept
      }
    case (.pressDuringSavingRemembered, .shutter, .saving): waiting = .shutter
    case (.cancelDuringSaving, .cancel, .saving(let candidate, _)):
      input.event = .saveFailed(candidate, PickerReason(.saveFailed))
    case (.bounceCounts, .shutter, _): base.pressesCountFrom = .distantPast
    case (.momentIsHandlingTime, .shutter, _): input.time = input.now
    case (.collectWithoutEnd, .timer, .saving): base.collectEnd = nil
    case (.collectCannotBeCancelled, .cancel, .saving): return false
    case (.choiceInPart, .choose(let choices), .browsing):
      input.event = .choose(Array(choices.dropLast()))
    case (.emptyChoiceIsIgnored, .choose([]), .browsing): return false
    case (.selectionUnlimited, .select(let item), .browsing(let choices)):
      if choices.count > 1 { base.state = .browsing(choices + [PickerChoice(item: item)]) }
    case (.framesOfAnother, .framesOffered(_, let frames), .reviewing(let review)):
      input.event = .framesOffered(review.candidate, frames)
    case (.framesOfferedTwice, .framesOffered, .reviewing(var review)):
      review.frames = nil
      base.state = .reviewing(review)
    case (.tooManyFrames, .framesOffered, _):
      base.configuration.reviewFrames = ReviewFrames.limit
    case (.stepsEndAtTheLast, .chooseFrame(.next), .reviewing(let review)):
      return review.frames.map { $0.chosen + 1 < $0.count } ?? true
    case (.choiceIsLost, .chooseFrame(.index), _), (.failedFrameIsKept, .frameFailed, _):
      return false
    case (.namesUsedTwice, _, .idle):
      base.lastCandidate = 0
    default: break
    }
    return true
  }

  /// Applies the fault to the effects.
  private mutating func alter(
    _ effects: inout [PickerMachine.Effect], _ input: Step, _ before: PickerMachine
  ) {
    switch fault {
    case .lostTimer:
      effects.removeAll { if case .startTimer = $0 { before.state == .live } else { false } }
    case .timerLeftRunning:
      effects.removeAll { if case .cancelTimer = $0 { input.event == .cancel } else { false } }
    case .cutShortIsSilent: effects.removeAll { $0 == .announce(.movieCutShort) }
    case .slowSaveIsSilent: effects.removeAll { $0 == .announce(.saveIsSlow) }
    case .doubleDelivery:
      effects += effects.filter { if case .deliver = $0 { true } else { false } }
    case .lostDelivery:
      effects.removeAll { if case .deliver(_, .cancelled) = $0 { true } else { false } }
    case .deliveryBeforeDurable:
      guard case .saving(let candidate, _) = base.state, input.event == .accept else { return }
      effects += base.handle(.saved(candidate), at: input.now)
    case .secondExposure:
      guard input.event == .shutter, case .capturing(_, let moment) = before.state else { return }
      let second = base.newCandidate()
      effects.append(
        .capture(second, session: SessionID(rawValue: base.lastSession), moment: moment))
    case .nothingDiscardedOnCancel: dropDiscards(&effects, input.event == .cancel)
    case .nothingDiscardedOnRetake: dropDiscards(&effects, input.event == .retake)
    case .lateStillKept:
      if case .captured = input.event { dropDiscards(&effects, true) }
    case .framesInherited, .lastFrameChosen, .nearestIsSaved, .choiceIsNotMade,
      .choiceDropsTheEdit, .choiceGivesNoTime, .failedFrameIsSilent, .unmadeIsReady,
      .offerGivesTime:
      alterFrames(&effects, input, before)
    case .editInherited:
      guard case .reviewing(var review) = base.state, before.state.name == .capturing else {
        return
      }
      review.edit = lastEdit
      replaceState(.reviewing(review), &effects)
    case .selectionInherited:
      guard before.session != base.session, case .browsing = base.state else { return }
      replaceState(.browsing(lastSelection), &effects)
    case .selectionReversed:
      guard case .browsing(let choices) = base.state, base.state != before.state else { return }
      replaceState(.browsing(choices.reversed()), &effects)
    case .acceptRemembered, .pressDuringSavingRemembered:
      if waiting == .accept, base.state.name != .reviewing { waiting = nil }
      guard let event = waiting, replays(event, at: input.now) else { return }
      waiting = nil
      base.pressesCountFrom = .distantPast
      effects += base.handle(event, at: input.now)
    case .showsNothing:
      effects.removeAll { if case .changed = $0 { true } else { false } }
    default: break
    }
  }

  private mutating func alterFrames(
    _ effects: inout [PickerMachine.Effect], _ input: Step, _ before: PickerMachine
  ) {
    if fault == .nearestIsSaved {
      effects = effects.map { effect in
        guard case .save(let candidate, let session, let edit, _) = effect else { return effect }
        return .save(
          candidate, session: session, edit: edit, frame: before.state.frames?.nearest)
      }
    }
    guard case .reviewing(var review) = base.state, base.state != before.state else { return }
    switch (fault, input.event) {
    case (.framesInherited, .captured): review.frames = lastFrames
    case (.lastFrameChosen, .framesOffered):
      let last = (review.frames?.count ?? 1) - 1
      review.frames?.chosen = last
    case (.choiceIsNotMade, .chooseFrame):
      effects.removeAll { if case .useFrame = $0 { true } else { false } }
      return
    case (.choiceDropsTheEdit, .chooseFrame): review.edit = nil
    case (.unmadeIsReady, .chooseFrame): review.frames?.isReady = true
    case (.failedFrameIsSilent, .frameFailed):
      effects.removeAll { if case .refuse = $0 { true } else { false } }
      return
    case (.choiceGivesNoTime, .chooseFrame): end(before.timer?.deadline, &effects)
    case (.offerGivesTime, .framesOffered):
      end(base.timer.map { $0.deadline + .seconds(1) }, &effects)
    default: return
    }
    replaceState(.reviewing(review), &effects)
  }

  /// Changes the deadline of the running timer.
  private mutating func end(_ deadline: PickerInstant?, _ effects: inout [PickerMachine.Effect]) {
    guard let timer = base.timer, let deadline else { return }
    base.timer = PickerMachine.Timer(token: timer.token, deadline: deadline)
    effects = effects.map { effect in
      if case .startTimer(timer.token, _) = effect {
        .startTimer(timer.token, deadline: deadline)
      } else {
        effect
      }
    }
  }

  private func replays(_ event: PickerMachine.Event, at now: PickerInstant) -> Bool {
    switch (event, base.state) {
    case (.accept, .reviewing(let review)): now - review.shown >= PickerMachine.guardTime
    case (.shutter, .finished): true
    default: false
    }
  }

  private func dropDiscards(_ effects: inout [PickerMachine.Effect], _ drop: Bool) {
    if drop { effects.removeAll { if case .discard = $0 { true } else { false } } }
  }

  private mutating func replaceState(
    _ state: PickerMachine.State, _ effects: inout [PickerMachine.Effect]
  ) {
    base.state = state
    effects.removeAll { if case .changed = $0 { true } else { false } }
    effects.append(.changed(base.snapshot))
  }
}
