import ImagePicker

/// A machine that a world drives and a checker judges, which is the real one or a mutant.
protocol PickerUnderTest {
  var snapshot: PickerMachine.Snapshot { get }

  mutating func handle(
    _ event: PickerMachine.Event, at time: PickerInstant, now: PickerInstant?, session: SessionID?
  ) -> [PickerMachine.Effect]
}

extension PickerMachine: PickerUnderTest {}

/// The input of one call of a machine.
struct Step: CustomStringConvertible {
  var event: PickerMachine.Event
  var time: PickerInstant
  var now: PickerInstant
  var session: SessionID?

  /// The time that counts, which is at most the time of the call.
  var date: PickerInstant { min(time, now) }

  var description: String {
    let milliseconds = { (instant: PickerInstant) in Double(instant.nanoseconds) / 1e6 }
    let whose = session.map { "session \($0.rawValue)" } ?? "no session"
    return "\(milliseconds(now)) ms: \(event) of \(milliseconds(time)) ms, \(whose)"
  }
}

/// A rule that a machine broke, with the details.
struct Violation: Error, CustomStringConvertible {
  var rule: String
  var detail: String

  var description: String { "\(rule): \(detail)" }
}

extension PickerInstant {
  static func + (lhs: PickerInstant, duration: Duration) -> PickerInstant {
    lhs.advanced(by: duration)
  }

  static func - (lhs: PickerInstant, rhs: PickerInstant) -> Duration { rhs.duration(to: lhs) }

  static func milliseconds(_ value: Int64) -> PickerInstant {
    PickerInstant(nanoseconds: value * 1_000_000)
  }
}

/// A pair of a state and an event in that state.
struct Pair: Hashable, CustomStringConvertible {
  var state: PickerMachine.State.Name
  var kind: EventKind

  var description: String { "\(state) \(kind)" }
}

/// The kinds of event that coverage is counted in.
enum EventKind: String, CaseIterable {
  case begin, beginLibrary, shutter, accept, retake, cancel, dismiss, extend, edit
  case select, deselect, choose, openEditor, back
  case timerDue, timerEarly, timerLate
  case beginMovie, still, startRecording, stopRecording, recordingEnded, recordingEndedLate
  case moviesGone, moviesBack
  case framesOffered, framesLate, chooseFrame, frameReady, frameFailed
  case captured, capturedLate, captureFailed, saved, saveFailed
  case cameraLost, cameraBack, storageFull, storageBack, libraryGone, libraryBack
  case fault
}
