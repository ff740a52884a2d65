import Media

/// An encoder of raw frames for the live preview, which reduces their size.
///
/// The caller encodes only the newest frame, on demand and outside the capture thread. The frame is
/// neither turned nor cropped; the page does that (``StillGeometry/previewMatrix``, whose numbers
/// are in pixels of the full frame). Only one thread at a time may use an encoder.
public struct PreviewEncoder: ~Copyable, @unchecked Sendable {
  /// The maximum width of a preview in pixels; wider frames are divided by the smallest whole
  /// number that fits.
  public var maximumWidth: Int
  /// The JPEG quality, 1...100.
  public var quality: Int
  private var planes = ScratchBuffer()

  /// Creates an encoder.
  public init(maximumWidth: Int = 1280, quality: Int = 75) {
    self.maximumWidth = max(16, maximumWidth)
    self.quality = max(1, min(100, quality))
  }

  /// Encodes a raw frame that passed the gate.
  public mutating func encode(_ image: FrameImage) throws(StillError) -> EncodedPicture {
    let (layout, source) = try RawLayout.read(image, for: "preview")
    let divisor = (image.size.width + maximumWidth - 1) / maximumWidth
    let size = PixelSize(
      width: max(1, image.size.width / divisor), height: max(1, image.size.height / divisor))
    let target = PlanarTarget(preview: size, isGrey: source.isGrey, in: &planes)
    target.fill(
      from: source, unit: layout.unit, dividedBy: divisor, range: image.range,
      weights: image.encoding)
    return EncodedPicture(try target.encode(quality: quality), size: size)
  }
}
