import Movies
import Platform

/// The facts about a movie whose file is complete.
public struct MovieReport: Equatable, Sendable, Encodable {
  /// The length of the movie.
  ///
  /// Unit: milliseconds.
  public var durationMilliseconds: Int
  /// The number of pictures in the movie.
  public var frames: Int
  /// The number of frames that arrived while the pool had no room for them.
  public var framesLost: Int
  /// The number of frames that were found damaged during decoding.
  public var framesDamaged: Int
  /// The codec: `h264`, or `copy` for the camera's own pictures.
  public var codec: String
  /// The encoder with its preset, or `nil` for `copy`.
  public var encoder: String?
  /// The time of the first picture.
  ///
  /// Unit: nanoseconds of CLOCK_MONOTONIC.
  public var startNanoseconds: Int64
  /// The time of the last picture.
  ///
  /// Unit: nanoseconds of CLOCK_MONOTONIC.
  public var lastNanoseconds: Int64
  /// The reason of the end: `stopped`, `maximum`, `camera-lost`, `full` or `failed`.
  public var end: String
  /// The fault that ended the movie, or `nil` when none did.
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
