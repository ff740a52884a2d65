import Media
import Platform

/// The mode that a camera granted.
public struct CameraMode: Hashable, Sendable, CustomStringConvertible {
  /// The pixel format of the frames.
  public var format: PixelFormat
  /// The size in pixels.
  public var size: PixelSize
  /// The frames per second; nil if the driver does not state them.
  public var rate: FrameRate?
  /// The number of bytes from a row of the first plane to the next; 0 for JPEG.
  public var bytesPerLine: Int
  /// The maximum number of bytes of one frame.
  public var imageBytes: Int
  /// The range that the samples of raw frames use.
  public var range: SampleRange
  /// The weights that converted red, green and blue to luma and chroma in raw frames.
  public var encoding: ColorEncoding

  /// Creates a mode.
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

  /// The text form, as in `1280x720 MJPG at 30 fps`.
  public var description: String {
    "\(size) \(format)" + (rate.map { " at \($0) fps" } ?? "")
  }

  /// The minimum width and height of a camera's pictures, in pixels.
  ///
  /// Smaller pictures are refused, because chroma planes, coding units and thumbnails are fractions
  /// of the size.
  public static let smallestSide = 16

  // If the driver states no rate, the period is that of a slow camera.
  var period: Duration { rate?.period ?? .milliseconds(200) }
}

extension PixelSize {
  /// Whether pictures of this size are large enough for a camera.
  package var isCameraSize: Bool {
    width >= CameraMode.smallestSide && height >= CameraMode.smallestSide
  }
}

extension CaptureError {
  /// Returns the error for a camera whose pictures are too small.
  static func tooSmall(_ size: PixelSize) -> CaptureError {
    let least = CameraMode.smallestSide
    return CaptureError(
      .noMode,
      "the camera sends pictures of \(size), and \(least)x\(least) are needed",
      fix: "set another 'camera.size', or choose another camera")
  }
}
