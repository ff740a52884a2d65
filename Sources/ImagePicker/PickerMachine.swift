/// The state machine of a picker as a value, which takes events with their time and session and
/// returns effects.
///
/// The machine has no clock and does no I/O; `Station` performs the effects in their order and
/// reports the results as events. The states are `idle → live → countdown → capturing → reviewing →
/// saving → finished` for photos, `live → recording → capturing → reviewing → …` for movies, and
/// `browsing ⇄ editing → saving → finished` for the library sources; `cancelled` and `failed` can
/// be reached from all of them (`cancelled` not from the `saving` of a photo). `docs/picker.md`
/// lists the test of each rule.
///
/// The machine follows these rules:
/// - Every state except `idle` has exactly one running timer. The machine ignores any other timer,
///   and restarts its own if it fires before the deadline.
/// - An event that names a session other than the current one changes nothing. An event without a
///   session (a button, a key) applies to the current session.
/// - A press counts in `idle` and on end screens (if `startsOnShutter`), in `live` and `recording`,
///   and in `reviewing` as an accept (if `shutterAccepts`); in every other state it is ignored. A
///   press is also ignored if it is dated less than ``guardTime`` after a press that counted, or
///   before the last session ended. A double press therefore causes one exposure, and a press
///   during a save takes no second photo, however late the events arrive.
/// - An accept of a review counts if it is dated at least ``guardTime`` after the review began; an
///   earlier accept is ignored.
/// - A lost camera fails a session in `live` and `countdown`. In `capturing` the frame may be in
///   the ring already, so the answer or the timer decides. In `reviewing` and `saving` the picture
///   exists, so only a retake is refused.
/// - Full storage refuses a press and a retake, and fails a `countdown`. In later states the save
///   decides, because the candidate's bytes may be on the disk already.
/// - A failed capture or save fails the session, and its candidate is discarded. A candidate that
///   arrives after its session has ended is discarded.
/// - A movie begins with the press, or `startRecording`, without a countdown, and ends with the
///   next press, `stopRecording`, or at its maximum duration. A recording also ends when the camera
///   or the disk fails; the guest can then review the part that was recorded. A retake of a movie
///   returns to `live`, where the next one can be started.
/// - The frames around the press are offered after the review has begun, which never waits for
///   them. The nearest is chosen until the guest chooses another one. A choice restarts the
///   review's timer, and changes neither the edit nor the time at which the review began. A frame
///   whose still cannot be made is refused, and the nearest is chosen again.
/// - `saving` ignores presses and faults. The save of a photo or movie also ignores a cancel and
///   ends only with its own outcome. Items chosen from a library are only read, so a cancel ends
///   the reading. The reading also fails after a time limit, because a disk may never answer.
public struct PickerMachine: Equatable, Sendable {
  /// The settings in use; see ``reconfigure(_:)``.
  public internal(set) var configuration: Configuration
  /// The last reported conditions of the camera, the storage, the library and the movie recorder.
  public internal(set) var conditions: Conditions
  /// The current session; nil in `idle`.
  public internal(set) var session: Session?
  /// The current state.
  public internal(set) var state: State
  /// The running timer; nil only in `idle`.
  public internal(set) var timer: Timer?

  /// The configuration that applies when the current session is over.
  var nextConfiguration: Configuration?
  /// The deadline for reading the chosen items of a library.
  var collectEnd: PickerInstant?
  var lastSession: UInt64 = 0
  var lastCandidate: UInt64 = 0
  var lastToken: UInt64 = 0
  /// The time before which presses are ignored, because they were meant for an earlier state.
  var pressesCountFrom: PickerInstant = .distantPast

  /// Creates a machine in `idle`; with the default conditions it refuses every session until
  /// resources are reported ready.
  public init(
    configuration: Configuration = Configuration(), conditions: Conditions = Conditions()
  ) {
    self.configuration = configuration
    self.conditions = conditions
    state = .idle
  }

  /// The values that the page, the lamps and the terminal show.
  public var snapshot: Snapshot {
    Snapshot(
      session: session?.id, request: session?.request, state: state, deadline: timer?.deadline)
  }

  /// Applies another configuration, at once in `idle` and otherwise when the session is over.
  public mutating func reconfigure(_ configuration: Configuration) {
    if case .idle = state {
      self.configuration = configuration
    } else {
      nextConfiguration = configuration
    }
  }

  /// Handles one event and returns the effects to perform, in order.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - time: The time of the event, which for a press or a key is the kernel's timestamp. A time
  ///     later than `now` counts as `now`.
  ///   - now: The time of the call, which is `time` if nil. Timers and the start of a review count
  ///     from here.
  ///   - session: The session that the event is for; nil stands for the current one.
  /// - Returns: The effects; none if the event changed nothing.
  public mutating func handle(
    _ event: Event, at time: PickerInstant, now: PickerInstant? = nil, session: SessionID? = nil
  ) -> [Effect] {
    var turn = Turn(time: min(time, now ?? time), now: now ?? time)
    if let session, session != self.session?.id {
      switch event {
      case .captured(let candidate), .recordingEnded(let candidate, _):
        discardUnlessHeld(candidate, &turn)
      default: break
      }
      return turn.effects
    }
    switch event {
    case .begin(let request): begin(request, &turn)
    case .shutter: shutter(&turn)
    case .still: still(&turn)
    case .startRecording: startRecording(&turn)
    case .stopRecording: stopRecording(&turn)
    case .accept: accept(&turn)
    case .retake: retake(&turn)
    case .cancel: cancel(&turn)
    case .dismiss: dismiss(&turn)
    case .extend: extend(&turn)
    case .edit(let edit): self.edit(edit, &turn)
    case .choose(let choices): choose(choices, &turn)
    case .select(let item): select(item, &turn)
    case .deselect(let item): deselect(item, &turn)
    case .openEditor(let item): openEditor(item, &turn)
    case .back: back(&turn)
    case .timer(let token): fire(token, &turn)
    case .captured(let candidate): captured(candidate, &turn)
    case .recordingEnded(let candidate, let reason): recordingEnded(candidate, reason, &turn)
    case .framesOffered(let candidate, let frames): offer(candidate, frames, &turn)
    case .chooseFrame(let choice): choose(choice, &turn)
    case .frameReady(let candidate, let frame): frameReady(candidate, frame, &turn)
    case .frameFailed(let candidate, let frame, let reason):
      frameFailed(candidate, frame, reason, &turn)
    case .captureFailed(let candidate, let reason): captureFailed(candidate, reason, &turn)
    case .saved(let candidate): saved(candidate, &turn)
    case .saveFailed(let candidate, let reason): saveFailed(candidate, reason, &turn)
    case .condition(let resource, let condition): note(resource, condition, &turn)
    case .fault(let reason): fault(reason, &turn)
    }
    return turn.effects
  }
}

/// The times of one call of `handle` and the effects so far.
struct Turn {
  let time: PickerInstant
  let now: PickerInstant
  var effects: [PickerMachine.Effect] = []

  mutating func emit(_ effect: PickerMachine.Effect) {
    effects.append(effect)
  }
}
