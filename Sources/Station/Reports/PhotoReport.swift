import ImagePicker
import Media
import Platform

/// What is known of a photo once it is durable.
public struct PhotoReport: Equatable, Sendable, Encodable {
  /// The file's absolute path.
  public var path: String
  /// The camera's name.
  public var camera: String
  /// The driver's number of the frame.
  public var sequence: UInt32
  /// When the shutter was pressed.
  ///
  /// Unit: nanoseconds of CLOCK_MONOTONIC.
  public var pressNanoseconds: Int64
  /// The moment that was wanted: the press, or the end of the countdown.
  public var momentNanoseconds: Int64
  /// When the frame was taken.
  public var frameNanoseconds: Int64
  /// Who dated the frame: `driver`, or `dequeue` where the driver's date cannot be used.
  public var frameClock: String
  /// How much later than that moment the frame was taken, with the camera's delay taken off.
  public var deltaMilliseconds: Double
  /// Width of the photo in pixels.
  public var width: Int
  /// Height of the photo in pixels.
  public var height: Int
  /// Edge pixels that were cut off so that the picture could be turned without decoding.
  public var trimmedPixels: Int
  /// How many nearer frames were passed over because they were damaged.
  public var framesRejected: Int
  /// How many frames later than the nearest one the guest chose; negative: earlier.
  public var framesFromNearest = 0
  /// What the decoder says of the frame, when every frame of the camera has something wrong.
  public var warning: String?
  /// What is known of a movie; nil for a photo.
  public var movie: MovieReport?
  /// The picture as the guest cropped and turned it, a photo of its own; nil if it was not edited.
  public var edited: Edited?

  /// A picture that was made of the photo.
  public struct Edited: Equatable, Sendable, Encodable {
    /// The file's absolute path.
    public var path: String
    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int
    /// What was cut out, in the photo's pixels; nil: all of it.
    public var crop: PixelRect?
    /// Quarter turns clockwise, applied after that.
    public var turns: Int
    /// Whether nothing had to be decoded for it.
    public var isLossless: Bool
  }
}

extension PhotoReport {
  /// What is known of a still once its frame is chosen.
  package init(
    _ made: FrameChooser.Choice, path: String, camera: String, press: MonotonicTime,
    moment: MonotonicTime, delay: Duration = .zero
  ) {
    let delta = made.frameTime - delay - moment
    self.init(
      path: path, camera: camera, sequence: made.sequence,
      pressNanoseconds: press.nanoseconds, momentNanoseconds: moment.nanoseconds,
      frameNanoseconds: made.frameTime.nanoseconds, frameClock: made.clock,
      deltaMilliseconds: (delta.milliseconds * 1000).rounded() / 1000,
      width: made.still.size.width, height: made.still.size.height,
      trimmedPixels: max(made.still.trimmed.width, made.still.trimmed.height),
      framesRejected: made.rejected, warning: made.warning)
  }
}
