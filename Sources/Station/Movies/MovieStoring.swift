import ImagePicker
import Movies
import Platform

/// Records movies for the station's core, which calls it on the loop; no call blocks.
protocol MovieStoring: Sendable {
  /// Prepares for movies with the camera and the settings of `studio`.
  func use(_ studio: Studio)
  /// Records until the movie is stopped or ends by itself.
  ///
  /// Answers once, on any thread, unless the movie is discarded.
  func record(
    _ exposure: Exposure, maximum: Duration, in studio: Studio,
    answer: @escaping @Sendable (Result<MovieSummary, PickerReason>) -> Void)
  /// Ends the movie with the last frame from before `moment`.
  func stop(_ candidate: CandidateID, at moment: MonotonicTime)
  /// Discards the movie with its file.
  func discard(_ candidate: CandidateID)
  /// Removes the movie from the movies that viewers can read, after the save or the session's end.
  func release(_ candidate: CandidateID)
}
