import ImagePicker
import Platform
import Trigger

extension Log {
  /// Logs effects without a guest's decision: a review that timed out, a session that failed.
  func record(
    _ effects: [PickerMachine.Effect], of event: PickerMachine.Event,
    in before: PickerMachine.State
  ) {
    let state = before.name.rawValue
    for effect in effects {
      switch (effect, event) {
      case (.save(_, let session, _, _), .timer):
        notice(
          "session \(session.rawValue): nobody decided in time, the photo is kept",
          [("session", "\(session.rawValue)")])
      case (.deliver(let session, .cancelled), .timer):
        let words =
          before.name == .reviewing
          ? "nobody decided in time, the photo is not kept" : "nobody was there any more (\(state))"
        notice("session \(session.rawValue): \(words)", [("session", "\(session.rawValue)")])
      case (.deliver(let session, .failed(let reason)), .condition),
        (.deliver(let session, .failed(let reason)), .timer):
        warning(
          "session \(session.rawValue) ended (\(state)): \(reason.operatorMessage)",
          [("session", "\(session.rawValue)")])
      default: break
      }
    }
  }

  /// Logs a durable photo.
  func record(saved report: PhotoReport, in session: SessionID) {
    notice(
      "saved \(report.path)",
      [
        ("session", "\(session.rawValue)"), ("photo", report.path),
        ("camera", report.camera), ("press", "\(report.pressNanoseconds)"),
        ("delta_ms", "\(report.deltaMilliseconds)"), ("sequence", "\(report.sequence)"),
      ])
  }

  /// Logs a trigger and the reply to it.
  func record(
    _ trigger: TriggerEvent, _ reply: TriggerReply, session: SessionID?, isIgnored: Bool
  ) {
    let words =
      "\(trigger.action.rawValue) from \(trigger.source): \(reply.isAccepted ? "" : "refused, ")"
      + reply.text
    let fields = [
      ("time", "\(trigger.time.nanoseconds)"), ("clock", trigger.clock.rawValue),
      ("session", session.map { "\($0.rawValue)" } ?? "-"),
    ]
    // The operator who sets a booth up looks for presses without an effect, so they are notices.
    if isIgnored { notice(words, fields) } else { info(words, fields) }
  }
}
