import Movies
import Platform

/// How movies stand, for the terminal, `retake trigger status` and the page.
public struct MovieStatus: Equatable, Sendable, Encodable {
  /// What movies are coded with, as in `h264 (libx264, veryfast)`; nil while that is not known.
  public var codec: String?
  /// The longest movie.
  public var maximumMilliseconds: Int?
  /// Whether one is recorded now.
  public var isRecording = false
  /// How long it is by now, with what is from before the press.
  public var elapsedMilliseconds = 0
  /// Pictures it has by now.
  public var frames = 0
  /// Bytes on the disk by now.
  public var bytes = 0
  /// Frames that were copied for movies since the start, and their bytes.
  public var framesCopied = 0
  /// Bytes of those.
  public var bytesCopied = 0
  /// Frames of movies that found no room since the start.
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
