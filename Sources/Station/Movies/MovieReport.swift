import Movies
import Platform

/// What is known of a movie once it is a whole file.
public struct MovieReport: Equatable, Sendable, Encodable {
  /// How long it is.
  public var durationMilliseconds: Int
  /// How many pictures it has.
  public var frames: Int
  /// Frames that came while nothing could take them.
  public var framesLost: Int
  /// Frames that only their decoding showed to be damaged.
  public var framesDamaged: Int
  /// `h264`, or `copy` for the camera's own pictures.
  public var codec: String
  /// What encoded it; nil for `copy`.
  public var encoder: String?
  /// When its first picture was taken.
  ///
  /// Unit: nanoseconds of CLOCK_MONOTONIC.
  public var startNanoseconds: Int64
  /// When its last picture was taken.
  public var lastNanoseconds: Int64
  /// Why it ended: `stopped`, `maximum`, `camera-lost`, `full` or `failed`.
  public var end: String
  /// What went wrong, if that is why it ended.
  public var problem: String?
  /// The file's size in bytes.
  public var bytes: Int

  package init(_ summary: MovieSummary) {
    durationMilliseconds = Int((summary.duration.milliseconds).rounded())
    frames = summary.frames
    framesLost = summary.framesLost
    framesDamaged = summary.framesDamaged
    codec = summary.coding.name
    if case .h264(let encoder, let preset) = summary.coding {
      self.encoder = encoder + (preset.map { " \($0)" } ?? "")
    }
    startNanoseconds = summary.start.nanoseconds
    lastNanoseconds = summary.last.nanoseconds
    end = summary.end.rawValue
    problem = summary.problem
    bytes = summary.bytes
  }
}
