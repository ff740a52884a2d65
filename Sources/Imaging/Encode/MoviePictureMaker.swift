import CJPEG
import Media

/// A maker of a movie's pictures from frames, which are upright, of the wanted shape, 4:2:0 and of
/// limited range.
///
/// Only one thread at a time may use a maker, which keeps memory for its next picture.
package struct MoviePictureMaker: ~Copyable, @unchecked Sendable {
  /// The maximum longer side of a movie's thumbnail in pixels, which suits a tile of the library.
  private static let thumbnailSide = 320
  private var decoded = ScratchBuffer()
  private var reduced = ScratchBuffer()
  private var small = ScratchBuffer()

  /// Creates a maker.
  package init() {}

  /// Returns the geometry by which frames of that size become pictures, which is that of stills
  /// without an odd column or row.
  ///
  /// H.264 codes 4:2:0 pictures of even sizes only.
  package static func geometry(_ orientation: Orientation, frame: PixelSize) -> StillGeometry {
    let whole = StillGeometry(orientation, frame: frame)
    let area = whole.isTurned ? frame.turned : frame
    let size = PixelSize(
      width: max(2, whole.size.width & ~1), height: max(2, whole.size.height & ~1))
    let box = PixelRect(
      x: (area.width - size.width) / 2, y: (area.height - size.height) / 2, width: size.width,
      height: size.height)
    // Chroma samples of every format begin at multiples of these numbers.
    return StillGeometry(
      orientation, frame: frame, unit: PixelSize(width: 4, height: 2), freedom: .chroma, box: box)
  }

  /// Returns the size to which frames are reduced so that pictures have at most `mostPixels`
  /// pixels.
  ///
  /// JPEG frames are decoded smaller, in eighths; others are divided by whole numbers. Frames whose
  /// pictures are small enough keep their size. The smallest result is an eighth of the JPEG frame.
  package static func reducedSize(
    _ orientation: Orientation, frame: PixelSize, isJPEG: Bool, mostPixels: Int
  ) -> PixelSize {
    func fits(_ size: PixelSize) -> Bool {
      let picture = geometry(orientation, frame: size).size
      let pixels = picture.width.multipliedReportingOverflow(by: picture.height)
      return !pixels.overflow && pixels.partialValue <= mostPixels
    }
    var reduced = frame
    for step in 1...8 where !fits(reduced) {
      reduced =
        isJPEG
        ? PlanarPicture.size(frame, eighths: max(1, 8 - step))
        : PixelSize(
          width: max(2, frame.width / (step + 1) & ~1),
          height: max(2, frame.height / (step + 1) & ~1))
    }
    return reduced
  }

  /// Writes the picture of `image` into the planes.
  ///
  /// A frame that is larger than the one of `geometry` is reduced first; see
  /// ``reducedSize(_:frame:isJPEG:mostPixels:)``. With `wantsThumbnail` this returns a small JPEG
  /// of the picture, or nil if none can be made. Throws `decoderWarning` for a frame that only
  /// decoding shows to be damaged, unless `acceptsWarnings` is true.
  package mutating func make(
    _ image: FrameImage, inspection: FrameInspection, geometry: StillGeometry,
    into planes: MoviePlanes, wantsThumbnail: Bool = false, acceptsWarnings: Bool = false
  ) throws(StillError) -> [UInt8]? {
    if case .damaged(let damage) = inspection.verdict {
      throw StillError(.damaged(damage), "the frame is damaged: \(damage.rawValue)")
    }
    // The planes, which the caller allocates by the geometry, hold pairs of columns and rows.
    guard geometry.size.width >= 2, geometry.size.height >= 2,
      geometry.size.width % 2 == 0, geometry.size.height % 2 == 0
    else {
      throw StillError(
        .unsupported,
        "no movie can be made of pictures of \(geometry.frame)",
        fix: "choose another size")
    }
    guard image.format.isJPEG else {
      return try fill(raw: image, geometry, planes, wantsThumbnail)
    }
    let picture = try PlanarPicture(
      frame: image.bytes.part(inspection.picture), into: &decoded, fitting: geometry.frame,
      acceptsWarnings: acceptsWarnings)
    guard picture.size == geometry.frame else {
      throw StillError(.damaged(.otherSize), "the frame has another size than the movie")
    }
    return fill(
      picture.planes, picture.unit, .full, .bt601, geometry, planes, wantsThumbnail)
  }

  private mutating func fill(
    raw image: FrameImage, _ geometry: StillGeometry, _ planes: MoviePlanes, _ wantsThumbnail: Bool
  ) throws(StillError) -> [UInt8]? {
    let (layout, source) = try RawLayout.read(image, for: "movie")
    guard image.size != geometry.frame else {
      return fill(
        source, layout.unit, image.range, image.encoding, geometry, planes, wantsThumbnail)
    }
    let divisor = image.size.width / max(1, geometry.frame.width)
    guard divisor > 1, geometry.frame.width * divisor <= image.size.width,
      geometry.frame.height * divisor <= image.size.height
    else { throw StillError(.damaged(.otherSize), "the frame has another size than the movie") }
    let target = PlanarTarget(preview: geometry.frame, isGrey: source.isGrey, in: &reduced)
    target.fill(from: source, unit: layout.unit, dividedBy: divisor, range: .full)
    guard let made = SamplePlanes(target.samples) else {
      throw StillError(
        .failed, "there is not enough memory for a picture",
        fix: "stop other programs")
    }
    return fill(
      made, target.unit, image.range, image.encoding, geometry, planes, wantsThumbnail)
  }

  private mutating func fill(
    _ source: SamplePlanes, _ unit: PixelSize, _ range: SampleRange,
    _ weights: ColorEncoding, _ geometry: StillGeometry, _ planes: MoviePlanes,
    _ wantsThumbnail: Bool
  ) -> [UInt8]? {
    let isGrey = source.isGrey
    let target = PlanarTarget(movie: geometry.size, isGrey: isGrey, planes: planes)
    // A movie's header can state BT.709's weights but no others.
    let isCarried = weights == .bt709
    // Samples of limited range fit a movie without a conversion, but a thumbnail is a JPEG and
    // needs full range.
    let passes = range == .limited && !wantsThumbnail && (isCarried || weights == .bt601)
    target.fill(
      from: source, unit: unit, geometry: geometry, range: passes ? .full : range,
      weights: isCarried ? .bt601 : weights)
    let thumbnail =
      wantsThumbnail
      ? target.thumbnail(
        side: Self.thumbnailSide, weights: isCarried ? weights : .bt601, in: &small) : nil
    if !passes { Self.limit(planes, geometry.size, isGrey: isGrey) }
    if isGrey { Self.clearChroma(planes, geometry.size) }
    return thumbnail
  }

  private static func limit(_ planes: MoviePlanes, _ size: PixelSize, isGrey: Bool) {
    for row in 0..<size.height {
      cjpeg_limit_luma(planes.luma + row * planes.strides.0, size.width)
    }
    if isGrey { return }
    for row in 0..<size.height / 2 {
      cjpeg_limit_chroma(planes.blue + row * planes.strides.1, size.width / 2)
      cjpeg_limit_chroma(planes.red + row * planes.strides.2, size.width / 2)
    }
  }

  private static func clearChroma(_ planes: MoviePlanes, _ size: PixelSize) {
    for row in 0..<size.height / 2 {
      (planes.blue + row * planes.strides.1).update(repeating: 128, count: size.width / 2)
      (planes.red + row * planes.strides.2).update(repeating: 128, count: size.width / 2)
    }
  }
}
