import Capture
import ImagePicker
import Imaging
import Media
import Platform
import Shots

/// The facts about a durable photo.
public struct PhotoReport: Equatable, Sendable, Encodable {
  /// The file's absolute path.
  public var path: String
  /// The name of the camera.
  public var camera: String
  /// The driver's sequence number of the frame.
  public var sequence: UInt32
  /// The time of the press.
  ///
  /// Unit: nanoseconds of CLOCK_MONOTONIC.
  public var pressNanoseconds: Int64
  /// The wanted moment: the press, or the end of the countdown.
  ///
  /// Unit: nanoseconds of CLOCK_MONOTONIC.
  public var momentNanoseconds: Int64
  /// The time of the frame.
  ///
  /// Unit: nanoseconds of CLOCK_MONOTONIC.
  public var frameNanoseconds: Int64
  /// The source of the frame's time: `driver`, or `dequeue` when the driver's time cannot be used.
  public var frameClock: String
  /// The time from the wanted moment to the frame, without the camera's delay.
  public var deltaMilliseconds: Double
  /// The width of the photo in pixels.
  public var width: Int
  /// The height of the photo in pixels.
  public var height: Int
  /// The number of edge pixels that were cut off for a lossless turn.
  public var trimmedPixels: Int
  /// The number of nearer frames that were rejected because of damage.
  public var framesRejected: Int
  /// The guest's chosen frame, counted from the nearest frame; negative values are earlier.
  public var framesFromNearest = 0
  /// The decoder's warning about the frame, when every frame of the camera gives one.
  public var warning: String?
  /// The facts about the movie, or `nil` for a photo.
  public var movie: MovieReport?
  /// The guest's edited picture in its own file, or `nil` when the photo was not edited.
  public var edited: Edited?

  /// An edited picture of the photo.
  public struct Edited: Equatable, Sendable, Encodable {
    /// The file's absolute path.
    public var path: String
    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int
    /// The crop in the photo's pixels, or `nil` for the whole photo.
    public var crop: PixelRect?
    /// The number of quarter turns clockwise, applied after the crop.
    public var turns: Int
    /// Whether the edit was made without decoding the photo.
    public var isLossless: Bool
  }
}

extension PhotoReport {
  /// Creates the report of a still whose frame is chosen.
  package init(
    _ made: FrameChooser.Choice, path: String, camera: String, press: MonotonicTime,
    moment: MonotonicTime, delay: Duration = .zero
  ) {
    let delta = made.frameTime - delay - moment
    self.init(
      path: path, camera: camera, sequence: made.sequence,
      pressNanoseconds: press.nanoseconds, momentNanoseconds: moment.nanoseconds,
      frameNanoseconds: made.frameTime.nanoseconds, frameClock: made.clock.rawValue,
      deltaMilliseconds: (delta.milliseconds * 1000).rounded() / 1000,
      width: made.still.size.width, height: made.still.size.height,
      trimmedPixels: max(made.still.trimmed.width, made.still.trimmed.height),
      framesRejected: made.rejections.count, warning: made.still.warning)
  }
}
