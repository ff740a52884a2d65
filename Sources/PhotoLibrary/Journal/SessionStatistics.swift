import FoundationEssentials
import Platform

/// The statistics of the journal, day by day.
public struct SessionStatistics: Sendable, Hashable, Codable {
  /// The sessions of one day, in UTC, by the clock of that moment.
  public struct Day: Sendable, Hashable, Codable {
    /// The date, such as `2026-11-30`.
    public var day: String
    /// The number of sessions that began.
    public var sessions = 0
    /// The number of saved photos.
    public var saved = 0
    /// The number of photos that were saved by the review's timeout.
    public var savedByTimeout = 0
    /// The number of sessions that ended without a photo.
    public var cancelled = 0
    /// The number of sessions that were cancelled by the timeout.
    public var cancelledByTimeout = 0
    /// The number of sessions that failed.
    public var failed = 0
    /// The number of retakes.
    public var retakes = 0
    /// The number of refused presses.
    public var refused = 0
    /// The number of sessions without an end, after a power cut or a crash.
    public var interrupted = 0
    /// The number of refusals and failures by reason.
    public var reasons: [String: Int] = [:]

    init(day: String) { self.day = day }
  }

  /// The days with sessions, oldest first.
  public var days: [Day] = []
  /// The number of journal lines that cannot be read, such as lines torn by a power cut.
  public var tornLines = 0

  /// Makes the statistics of no session.
  public init() {}

  // Limits that no booth reaches, and that bound the memory.
  private static let mostOpen = 100_000
  private static let mostReasons = 64

  /// Reads the journal of a library, blocking on its disk.
  public init(
    root: String, system: any SystemCalls = LinuxSystemCalls()
  ) throws(LibraryError) {
    var days: [String: Day] = [:]
    var open: [String: String] = [:]
    let torn = try SessionJournal.read(root: root, system) { record in
      let name = SessionStatistics.name(record.time)
      var day = days[name] ?? Day(day: name)
      let session = record.session.map { "\(record.run)/\($0)" }
      switch record.event {
      case .began:
        day.sessions += 1
        // A station has one session at a time, so a long list of open ones is not a station's.
        guard let session else { break }
        if open.count < SessionStatistics.mostOpen {
          open[session] = name
        } else {
          day.interrupted += 1
        }
      case .refused: day.refused += 1
      case .ended:
        if let session { open[session] = nil }
        day.retakes += record.retakes ?? 0
        switch record.outcome {
        case .saved:
          day.saved += 1
          if record.by == .timeout { day.savedByTimeout += 1 }
        case .cancelled:
          day.cancelled += 1
          if record.by == .timeout { day.cancelledByTimeout += 1 }
        case .failed, nil: day.failed += 1
        }
      }
      if let reason = record.reason {
        let isKnown = day.reasons.count < SessionStatistics.mostReasons
        day.reasons[isKnown || day.reasons[reason] != nil ? reason : "other", default: 0] += 1
      }
      days[name] = day
    }
    for name in open.values { days[name]?.interrupted += 1 }
    self.days = days.values.sorted { $0.day < $1.day }
    tornLines = torn
  }

  /// The sums over all days.
  public var total: Day {
    days.reduce(into: Day(day: "total")) { sum, day in
      sum.sessions += day.sessions
      sum.saved += day.saved
      sum.savedByTimeout += day.savedByTimeout
      sum.cancelled += day.cancelled
      sum.cancelledByTimeout += day.cancelledByTimeout
      sum.failed += day.failed
      sum.retakes += day.retakes
      sum.refused += day.refused
      sum.interrupted += day.interrupted
      sum.reasons.merge(day.reasons) { $0 + $1 }
    }
  }

  // Returns the date of a time in milliseconds since 1970.
  static func name(_ time: Int64) -> String {
    // Converts days since 1970 to the civil calendar, with years that begin in March.
    let days = Int(clamping: (Double(time) / 86_400_000).rounded(.down) + 719_468)
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let inEra = days - era * 146_097
    let yearOfEra = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365
    let inYear = inEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * inYear + 2) / 153
    let day = inYear - (153 * shifted + 2) / 5 + 1
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(year)-\(two(month))-\(two(day))"
  }
}

extension Int {
  // Converts any number in the journal; one out of range becomes 0.
  fileprivate init(clamping value: Double) {
    self = value.magnitude < 1e12 ? Int(value) : 0
  }
}
