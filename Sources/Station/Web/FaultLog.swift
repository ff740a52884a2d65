import KioskServer
import Platform

/// The last faults of a station, each with its fix, for the operator's view.
struct FaultLog: Sendable {
  /// How many faults are kept.
  static let capacity = 20

  /// Something that was wrong for some time.
  struct Fault: Equatable, Sendable {
    /// The part that had it: `guests`, `copy /media/usb`, ….
    var source: String
    /// The fault.
    var reason: String
    /// The operator's remedy; nil where nothing is known.
    var fix: String?
    /// The kind of fix; nil for a rare one.
    var code: String?
    var began: MonotonicTime
    /// When it was over; nil while it lasts.
    var ended: MonotonicTime?
  }

  /// The faults, newest first.
  private(set) var faults: [Fault] = []

  /// Notes what is wrong with a part at `now`; a `reason` of nil says that nothing is.
  mutating func record(
    _ source: String, _ reason: String?, fix: String? = nil, code: String? = nil,
    at now: MonotonicTime
  ) {
    if let open = faults.firstIndex(where: { $0.source == source && $0.ended == nil }) {
      guard faults[open].reason != reason else { return }
      faults[open].ended = now
    }
    guard let reason else { return }
    faults.insert(Fault(source: source, reason: reason, fix: fix, code: code, began: now), at: 0)
    if faults.count > FaultLog.capacity { faults.removeLast() }
  }

  /// Ends the faults of parts that `sources` does not name any more, other than `kept`.
  mutating func end(except sources: Set<String>, keeping kept: String, at now: MonotonicTime) {
    for index in faults.indices
    where faults[index].ended == nil && faults[index].source != kept
      && !sources.contains(faults[index].source)
    {
      faults[index].ended = now
    }
  }
}

extension FaultLog {
  /// The part of the log that guests met.
  private static let guests = "guests"

  /// Records what guests are told to be wrong, with the kind of its fix; nil ends the fault.
  mutating func record(
    _ trouble: KioskState.Trouble?, code: String?, at now: MonotonicTime
  ) {
    // A station that starts has no fault.
    let trouble = trouble?.code == "starting" ? nil : trouble
    record(
      Self.guests, trouble?.operatorReason, fix: trouble?.operatorFix, code: code, at: now)
  }

  /// Records what is wrong with parts that guests hear nothing of; faults of other parts are over.
  mutating func record(_ wrong: [Station.Check], at now: MonotonicTime) {
    end(except: Set(wrong.map(\.source)), keeping: Self.guests, at: now)
    for check in wrong {
      record(check.source, check.detail, fix: check.fix, code: check.code, at: now)
    }
  }
}
