import CTurboJPEG
import Media

/// Makes smaller pictures of JPEGs by decoding fewer coefficients, and of frames: thumbnails.
///
/// One at a time, on one thread; it keeps memory for the next one.
public struct PictureScaler: ~Copyable, @unchecked Sendable {
  private var decoded = ScratchBuffer()
  private var planes = ScratchBuffer()

  /// Makes a scaler.
  public init() {}

  /// The picture, as large as eighths of its size allow inside `box`, never enlarged; the smallest
  /// is an eighth.
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

  /// A small picture of a frame, upright and of the still's shape, from a frame made to fit `box`.
  ///
  /// Throws `decoderWarning` for a frame that only decoding shows to be damaged, unless
  /// `acceptsWarnings`.
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
      throw StillError(.failed, "there is not enough memory for a picture; stop other programs")
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
