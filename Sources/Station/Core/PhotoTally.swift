import ImagePicker

/// What was saved since the start.
struct PhotoTally: Sendable {
  /// How many candidates back a report is kept.
  private static let keptReports: UInt64 = 8

  private(set) var photos = 0
  private(set) var deltas = DeltaHistogram()
  private(set) var last: PhotoReport?
  private(set) var reports: [CandidateID: PhotoReport] = [:]

  /// Counts a photo or a movie that is durable.
  mutating func add(_ report: PhotoReport, of candidate: CandidateID) {
    photos += 1
    // A movie has no moment of its own, and a frame that a guest chose tells of the guest.
    if report.movie == nil, report.framesFromNearest == 0 { deltas.add(report.deltaMilliseconds) }
    last = report
    reports = reports.filter { $0.key.rawValue + Self.keptReports > candidate.rawValue }
    reports[candidate] = report
  }
}
