/// The picker's states as a value: events go in with their time and session, effects come out.
///
/// It has no clock and does no I/O; `Station` performs the effects, in their order, and reports what
/// became of them as events. The states are
/// `idle → live → countdown → capturing → reviewing → saving → finished` for photos,
/// `live → recording → capturing → reviewing → …` for movies, and
/// `browsing ⇄ editing → saving → finished` for the library sources; `cancelled` and `failed` can be
/// reached from all of them (`cancelled` not from the `saving` of a photo). `docs/picker.md` tells which rule is
/// proven by which test.
///
/// Rules that are decided here:
/// - At most one timer runs. Every state but `idle` has one. A timer that is not the running one
///   changes nothing, and one that fires before its deadline is only started again.
/// - An event that names a session other than the present one changes nothing. An event without a
///   session (a button, a key) means whatever is present.
/// - A press counts in `idle` and on end screens (if `startsOnShutter`), in `live`, and in `reviewing`
///   as an accept (if `shutterAccepts`); everywhere else it is ignored. So is one that is dated less
///   than ``guardTime`` after a press that counted, or before the last session ended: two presses
///   are one exposure, and a press during a save is no second photo, however late they arrive.
/// - An accept of a review counts once the review has been on show for ``guardTime``, by the accept's
///   own date; an earlier one is ignored, never remembered.
/// - A lost camera fails a session in `live` and `countdown`. In `capturing` the frame may be in the
///   ring already, so the answer or the watchdog decides; in `reviewing` and `saving` the picture
///   exists, and only a retake is refused.
/// - Full storage refuses a press and a retake, and fails a `countdown`. Later the save decides: the
///   candidate's bytes may be on the disk already.
/// - A failed capture or save fails the session, and its candidate is discarded. An answer for a
///   candidate that nobody waits for any more is discarded as it arrives.
/// - A movie begins with the press, or `startRecording`, without a countdown, and ends with the next
///   press, `stopRecording`, or after its longest time. It may also end by itself, when the camera
///   or the disk gives out: then what there is can be reviewed. A retake of a movie goes back to
///   `live`, where the next one is begun.
/// - The frames around the press are offered after the review has begun, which never waits for them.
///   The nearest is chosen until the guest chooses another one; a choice gives the guest time again,
///   and changes neither the edit nor when the review came on show. A frame whose still cannot be
///   made is refused, and the nearest is chosen again.
/// - `saving` knows no press and no fault. A photo's or a movie's knows no cancel, either: only its
///   own outcome ends it. What was chosen from a library is only read, so that a cancel ends that,
///   and after a while it fails by itself: a disk may never answer.
public struct PickerMachine: Equatable, Sendable {
  /// How it behaves; see ``reconfigure(_:)``.
  public internal(set) var configuration: Configuration
  /// What the station last said about camera, storage and library.
  public internal(set) var conditions: Conditions
  /// The present session; nil in `idle`, and in a `failed` that no session led to.
  public internal(set) var session: Session?
  /// Where it is.
  public internal(set) var state: State
  /// The timer that runs; nil in `idle` only.
  public internal(set) var timer: Timer?

  /// A configuration that waits for the present session's end.
  var nextConfiguration: Configuration?
  /// When the reading of what was chosen has taken too long.
  var collectEnd: PickerInstant?
  var lastSession: UInt64 = 0
  var lastCandidate: UInt64 = 0
  var lastToken: UInt64 = 0
  /// Presses that are dated earlier were meant for what came before.
  var pressesCountFrom: PickerInstant = .distantPast

  /// Makes a machine in `idle`; by default it refuses all until it is told what is ready.
  public init(
    configuration: Configuration = Configuration(), conditions: Conditions = Conditions()
  ) {
    self.configuration = configuration
    self.conditions = conditions
    state = .idle
  }

  /// What page, lamps and terminal show.
  public var snapshot: Snapshot {
    Snapshot(
      session: session?.id, request: session?.request, state: state, deadline: timer?.deadline)
  }

  /// Takes another configuration: at once in `idle`, else when the session is over.
  public mutating func reconfigure(_ configuration: Configuration) {
    if case .idle = state {
      self.configuration = configuration
    } else {
      nextConfiguration = configuration
    }
  }

  /// Handles one event and returns what is to be done, in order.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - time: When it happened: for a press or a key the kernel's date of it. Later than `now` is
  ///     taken as `now`.
  ///   - now: When it is handled; `time` if nil. Reviews, screens and watchdogs count from here.
  ///   - session: The session it means; nil: the present one.
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

/// One call of `handle`: its times, and the effects so far.
struct Turn {
  let time: PickerInstant
  let now: PickerInstant
  var effects: [PickerMachine.Effect] = []

  mutating func emit(_ effect: PickerMachine.Effect) {
    effects.append(effect)
  }
}
