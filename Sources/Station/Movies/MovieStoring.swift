import ImagePicker
import Movies
import Platform

/// Records movies, as the station's core asks for them on its loop; nothing here waits.
protocol MovieStoring: Sendable {
  /// Gets ready for movies of what `studio` has.
  func use(_ studio: Studio)
  /// Records until it is stopped, or ends by itself; answers once, on any thread, unless it is
  /// discarded.
  func record(
    _ exposure: Exposure, maximum: Duration, in studio: Studio,
    answer: @escaping @Sendable (Result<MovieSummary, PickerReason>) -> Void)
  /// Ends it with the last frame from before `moment`.
  func stop(_ candidate: CandidateID, at moment: MonotonicTime)
  /// Leaves nothing of it behind.
  func discard(_ candidate: CandidateID)
  /// It is saved, or its session is over: nobody reads it here any more.
  func release(_ candidate: CandidateID)
}
