import CTurboJPEG
import Platform

/// Makes smaller pictures of JPEGs by decoding fewer coefficients: thumbnails, review size.
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
    let geometry = StillGeometry(orientation, frame: source.size)
    let target = PlanarTarget(
      geometry, unit: source.unit, isGrey: source.planes.1 == nil, in: &planes)
    target.fill(from: source.planes, unit: source.unit, geometry: geometry, range: .full)
    return EncodedPicture(
      try target.encode(quality: max(1, min(100, quality))), size: geometry.size)
  }
}
