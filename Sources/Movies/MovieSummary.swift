import Media
import Platform

/// What came of a recording.
public struct MovieSummary: Equatable, Sendable {
  /// Why it ended; raw values are for logs and programs.
  public enum End: String, Sendable {
    /// Somebody stopped it.
    case stopped
    /// It was as long as it may be.
    case maximum
    /// The camera gave no more frames.
    case cameraLost = "camera-lost"
    /// The disk has no more room.
    case full
    /// The encoder or the disk failed.
    case failed
  }

  /// How many pictures it has.
  public var frames = 0
  /// Frames that came while nothing could take them.
  public var framesLost = 0
  /// Frames that only their decoding showed to be damaged.
  public var framesDamaged = 0
  /// From the first picture to the end of the last.
  public var duration = Duration.zero
  /// When its first picture was taken.
  public var start = MonotonicTime(nanoseconds: 0)
  /// When its last picture was taken.
  public var last = MonotonicTime(nanoseconds: 0)
  /// The size of the pictures as they are shown.
  public var size = PixelSize(width: 0, height: 0)
  /// The file's size in bytes.
  public var bytes = 0
  /// What its pictures are coded with.
  public var coding = MoviePlan.Coding.copy
  /// Why it ended.
  public var end = End.stopped
  /// What went wrong, if that is why it ended.
  public var problem: String?
  /// Whether its tables come first, as players over a network want them.
  public var isFastStart = true

  /// Makes one of a movie without pictures.
  public init() {}
}
