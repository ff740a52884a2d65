import CTurboJPEG
import Media

/// A maker of thumbnails from JPEGs, by decoding fewer coefficients, and from frames.
///
/// Only one thread at a time may use a scaler, which keeps memory for its next picture.
public struct PictureScaler: ~Copyable, @unchecked Sendable {
  private var decoded = ScratchBuffer()
  private var planes = ScratchBuffer()

  /// Creates a scaler.
  public init() {}

  /// Returns the picture in the largest size that fits into `box`, in eighths of its own size and
  /// without enlarging it; the smallest result is an eighth.
  ///
  /// Throws `decoderWarning` for damaged data.
  public mutating func scaled(
    _ jpeg: UnsafeRawBufferPointer, fitting box: PixelSize, quality: Int = 85
  ) throws(StillError) -> EncodedPicture {
    let source = try PlanarPicture(decoding: jpeg, into: &decoded, fitting: box)
    var orientation = Orientation(mirror: .none, enforce: .off)
    orientation.aspect = .free
    return try encoded(source.planes, source.unit, source.size, orientation, quality)
  }

  /// Returns a small picture of a frame, upright and of the still's shape, after reducing the frame
  /// to fit `box`.
  ///
  /// Throws `decoderWarning` for a frame that only decoding shows to be damaged, unless
  /// `acceptsWarnings` is true.
  public mutating func scaled(
    _ image: FrameImage, inspection: FrameInspection, orientation: Orientation,
    fitting box: PixelSize, quality: Int = 85, acceptsWarnings: Bool = false
  ) throws(StillError) -> EncodedPicture {
    if case .damaged(let damage) = inspection.verdict {
      throw StillError(.damaged(damage), "the frame is damaged: \(damage.rawValue)")
    }
    guard !image.format.isJPEG else {
      let source = try PlanarPicture(
        frame: image.bytes.part(inspection.picture), into: &decoded, fitting: box,
        acceptsWarnings: acceptsWarnings)
      return try encoded(source.planes, source.unit, source.size, orientation, quality)
    }
    let (layout, source) = try RawLayout.read(image, for: "picture")
    let across = (image.size.width + box.width - 1) / max(1, box.width)
    let down = (image.size.height + box.height - 1) / max(1, box.height)
    let divisor = max(1, across, down)
    let size = PixelSize(
      width: max(1, image.size.width / divisor), height: max(1, image.size.height / divisor))
    let reduced = PlanarTarget(preview: size, isGrey: source.isGrey, in: &decoded)
    reduced.fill(
      from: source, unit: layout.unit, dividedBy: divisor, range: image.range,
      weights: image.encoding)
    guard let made = SamplePlanes(reduced.samples) else {
      throw StillError(
        .failed, "there is not enough memory for a picture",
        fix: "stop other programs")
    }
    return try encoded(made, reduced.unit, size, orientation, quality)
  }

  private mutating func encoded(
    _ source: SamplePlanes, _ unit: PixelSize, _ size: PixelSize,
    _ orientation: Orientation, _ quality: Int
  ) throws(StillError) -> EncodedPicture {
    let geometry = StillGeometry(orientation, frame: size)
    let target = PlanarTarget(geometry, unit: unit, isGrey: source.isGrey, in: &planes)
    target.fill(from: source, unit: unit, geometry: geometry, range: .full)
    return EncodedPicture(
      try target.encode(quality: max(1, min(100, quality))), size: geometry.size)
  }
}
