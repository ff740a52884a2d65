import Media

/// Encodes frames of raw cameras for the live preview, smaller than they are.
///
/// On demand, off the capture thread, newest frame only: that is the caller's part. The frame is
/// neither turned nor cropped; the page does that (``StillGeometry/previewMatrix``, whose numbers
/// are in pixels of the full frame). One at a time, on one thread.
public struct PreviewEncoder: ~Copyable, @unchecked Sendable {
  /// The widest preview; larger frames are divided by the least whole number that fits.
  public var maximumWidth: Int
  /// JPEG quality, 1...100.
  public var quality: Int
  private var planes = ScratchBuffer()

  /// Makes an encoder.
  public init(maximumWidth: Int = 1280, quality: Int = 75) {
    self.maximumWidth = max(16, maximumWidth)
    self.quality = max(1, min(100, quality))
  }

  /// Encodes a raw frame that the gate let pass.
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
