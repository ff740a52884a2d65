import KioskServer
import Platform

/// The last faults of a station, each with its fix, for the operator's view.
struct FaultLog: Sendable {
  /// The maximum number of faults.
  static let capacity = 20

  /// A fault that lasted for some time.
  struct Fault: Equatable, Sendable {
    /// The part with the fault: `guests`, `copy /media/usb`, … .
    var source: String
    /// The fault in words.
    var reason: String
    /// The operator's fix, or `nil` when none is known.
    var fix: String?
    var began: MonotonicTime
    /// The end of the fault, or `nil` while it lasts.
    var ended: MonotonicTime?
  }

  /// The faults, the newest first.
  private(set) var faults: [Fault] = []

  /// Records the fault of a part at `now`; a `reason` of `nil` ends the part's fault.
  mutating func note(_ source: String, _ reason: String?, fix: String? = nil, at now: MonotonicTime)
  {
    if let open = faults.firstIndex(where: { $0.source == source && $0.ended == nil }) {
      guard faults[open].reason != reason else { return }
      faults[open].ended = now
    }
    guard let reason else { return }
    faults.insert(Fault(source: source, reason: reason, fix: fix, began: now), at: 0)
    if faults.count > FaultLog.capacity { faults.removeLast() }
  }

  /// Ends the faults of parts that are missing in `sources`, except those of `kept`.
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
  /// The name of the part whose faults guests meet.
  private static let guests = "guests"

  /// Records the trouble that guests are told about; `nil` ends it.
  mutating func note(_ trouble: KioskState.Trouble?, at now: MonotonicTime) {
    // A starting station is not at fault.
    let trouble = trouble?.code == "starting" ? nil : trouble
    note(Self.guests, trouble?.operatorReason, fix: trouble?.operatorFix, at: now)
  }

  /// Records the faults that guests are not told about, and ends the faults of other parts.
  mutating func note(_ wrong: [Station.Check], at now: MonotonicTime) {
    end(except: Set(wrong.map(\.source)), keeping: Self.guests, at: now)
    for check in wrong { note(check.source, check.detail, fix: check.fix, at: now) }
  }
}
