import Media
import Platform

/// What a camera was told to send, as it granted it.
public struct CameraMode: Hashable, Sendable, CustomStringConvertible {
  /// What the bytes of a frame are.
  public var format: PixelFormat
  /// Size in pixels.
  public var size: PixelSize
  /// Frames per second; nil where the driver does not say.
  public var rate: FrameRate?
  /// Bytes from a row of the first plane to the next; 0 for JPEG.
  public var bytesPerLine: Int
  /// The most bytes of one frame.
  public var imageBytes: Int
  /// What range the samples of raw frames use.
  public var range: SampleRange
  /// Which weights made luma and chroma of raw frames.
  public var encoding: ColorEncoding

  /// Makes a mode.
  public init(
    format: PixelFormat, size: PixelSize, rate: FrameRate?, bytesPerLine: Int = 0,
    imageBytes: Int = 0, range: SampleRange = .limited, encoding: ColorEncoding = .bt601
  ) {
    self.format = format
    self.size = size
    self.rate = rate
    self.bytesPerLine = bytesPerLine
    self.imageBytes = imageBytes
    self.range = range
    self.encoding = encoding
  }

  /// As in `1280x720 MJPG at 30 fps`.
  public var description: String {
    "\(size) \(format)" + (rate.map { " at \($0) fps" } ?? "")
  }

  /// Columns and rows that a camera's pictures have at least.
  ///
  /// Nothing smaller is a camera: chroma, coding units and small pictures are shares of the size.
  public static let smallestSide = 16

  // Without a word from the driver, the slowest rate of usual cameras.
  var period: Duration { rate?.period ?? .milliseconds(200) }
}

extension PixelSize {
  /// Whether a camera may send pictures of this size.
  package var isCameraSize: Bool {
    width >= CameraMode.smallestSide && height >= CameraMode.smallestSide
  }
}

extension CaptureError {
  /// What is said of a camera whose pictures are too small.
  static func tooSmall(_ size: PixelSize) -> CaptureError {
    let least = CameraMode.smallestSide
    return CaptureError(
      .noMode,
      "the camera sends pictures of \(size), and \(least)x\(least) are needed; "
        + "set another 'camera.size', or choose another camera")
  }
}
