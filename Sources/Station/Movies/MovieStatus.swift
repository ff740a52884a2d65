import Movies
import Platform

/// The state of movies, for the terminal, `retake trigger status` and the page.
public struct MovieStatus: Equatable, Sendable, Encodable {
  /// The codec with its encoder, as in `h264 (libx264, veryfast)`, or `nil` while it is unknown.
  public var codec: String?
  /// The maximum length of a movie.
  ///
  /// Unit: milliseconds.
  public var maximumMilliseconds: Int?
  /// Whether a movie is being recorded.
  public var isRecording = false
  /// The present length of the movie, including the part from before the press.
  ///
  /// Unit: milliseconds.
  public var elapsedMilliseconds = 0
  /// The present number of pictures in the movie.
  public var frames = 0
  /// The present number of bytes on the disk.
  public var bytes = 0
  /// The number of frames that were copied for movies since the start.
  public var framesCopied = 0
  /// The number of bytes that were copied for movies since the start.
  public var bytesCopied = 0
  /// The number of movie frames that found no room since the start.
  public var framesLost = 0

  init(
    _ kit: MovieKit?, _ current: MoviePlan?, _ progress: MovieRecorder.Progress?,
    _ before: MoviePool.Counts
  ) {
    codec = kit?.plan.coding.description
    maximumMilliseconds = (current ?? kit?.plan).map { Int($0.longest.milliseconds) }
    if let progress {
      isRecording = true
      elapsedMilliseconds = Int(progress.elapsed.milliseconds)
      frames = progress.frames
      bytes = progress.bytes
    }
    var counts = before
    if let kit { counts.add(kit.pool.counts) }
    framesCopied = counts.framesCopied
    bytesCopied = counts.bytesCopied
    framesLost = counts.framesLost
  }
}
