import Glibc
import ImagePicker
import PhotoLibrary
import Platform

/// Writes the events and effects of the picker's machine to the library's journal.
///
/// The ledger lives on the station's loop; the keeper writes the lines on its own thread.
struct SessionLedger: Sendable {
  private struct Session: Sendable {
    var id: SessionID
    var exposures = 0
    var decider: SessionRecord.Decider?
  }

  private let keeper: LibraryKeeper
  private var session: Session?

  init(keeper: LibraryKeeper) { self.keeper = keeper }

  /// Records one event with its effects.
  mutating func note(
    _ event: PickerMachine.Event, _ effects: [PickerMachine.Effect], at now: MonotonicTime,
    reports: [CandidateID: PhotoReport]
  ) {
    for effect in effects {
      switch effect {
      case .began(let id, _):
        session = Session(id: id)
        keeper.record(record(.began, id, now))
      case .capture, .record: session?.exposures += 1
      case .save: session?.decider = SessionLedger.decider(event)
      case .refuse(let reason):
        guard event == .shutter else { break }
        var line = record(.refused, session?.id, now)
        line.reason = reason.code.rawValue
        keeper.record(line)
      case .deliver(let id, let outcome): end(id, outcome, event, now, reports)
      default: break
      }
    }
  }

  private mutating func end(
    _ id: SessionID, _ outcome: PickerMachine.Outcome, _ event: PickerMachine.Event,
    _ now: MonotonicTime, _ reports: [CandidateID: PhotoReport]
  ) {
    var line = record(.ended, id, now)
    line.retakes = max(0, (session?.exposures ?? 0) - 1)
    switch outcome {
    case .finished(let candidate):
      line.outcome = .saved
      line.by = session?.decider
      line.delta = reports[candidate]?.deltaMilliseconds
    case .cancelled:
      line.outcome = .cancelled
      line.by = SessionLedger.decider(event)
    case .failed(let reason):
      line.outcome = .failed
      line.reason = reason.code.rawValue
    }
    session = nil
    keeper.record(line)
  }

  private static func decider(_ event: PickerMachine.Event) -> SessionRecord.Decider? {
    switch event {
    case .timer: .timeout
    case .accept, .cancel, .back: .guest
    default: nil
    }
  }

  private func record(
    _ event: SessionRecord.Event, _ id: SessionID?, _ now: MonotonicTime
  ) -> SessionRecord {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return SessionRecord(
      event: event, run: keeper.run, session: id?.rawValue,
      time: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000,
      uptime: now.nanoseconds / 1_000_000)
  }
}
