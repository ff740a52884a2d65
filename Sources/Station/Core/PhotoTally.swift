import ImagePicker

/// The photos and movies that were saved since the start.
struct PhotoTally: Sendable {
  /// The number of candidates for which reports are kept.
  private static let keptReports: UInt64 = 8

  private(set) var photos = 0
  private(set) var deltas = DeltaHistogram()
  private(set) var last: PhotoReport?
  private(set) var reports: [CandidateID: PhotoReport] = [:]

  /// Counts a durable photo or movie.
  mutating func add(_ report: PhotoReport, of candidate: CandidateID) {
    photos += 1
    // Movies have no wanted moment, and the delta of a frame that a guest chose says nothing about
    // the station.
    if report.movie == nil, report.framesFromNearest == 0 { deltas.add(report.deltaMilliseconds) }
    last = report
    reports = reports.filter { $0.key.rawValue + Self.keptReports > candidate.rawValue }
    reports[candidate] = report
  }
}
