import Media
import Platform

/// The result of a recording.
public struct MovieSummary: Equatable, Sendable {
  /// The reasons for a recording's end; raw values are for logs and programs.
  public enum End: String, Sendable {
    /// A stop was requested.
    case stopped
    /// The movie reached its maximum length.
    case maximum
    /// The camera gave no more frames.
    case cameraLost = "camera-lost"
    /// The disk has no more room.
    case full
    /// The encoder or the disk failed.
    case failed
  }

  /// The number of pictures.
  public var frames = 0
  /// The number of frames for which the pool had no room.
  public var framesLost = 0
  /// The number of frames that only decoding showed to be damaged.
  public var framesDamaged = 0
  /// The time from the first picture to the end of the last.
  public var duration = Duration.zero
  /// The time at which the first picture was taken.
  public var start = MonotonicTime(nanoseconds: 0)
  /// The time at which the last picture was taken.
  public var last = MonotonicTime(nanoseconds: 0)
  /// The size of the displayed pictures.
  public var size = PixelSize(width: 0, height: 0)
  /// The file's size in bytes.
  public var bytes = 0
  /// The coding of the pictures.
  public var coding = MoviePlan.Coding.copy
  /// The reason for the end.
  public var end = End.stopped
  /// The problem that ended the recording, if there was one.
  public var problem: String?
  /// Whether the file's tables come first, where players over a network need them.
  public var isFastStart = true

  /// Creates the summary of a movie without pictures.
  public init() {}
}
