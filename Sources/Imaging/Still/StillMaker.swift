import CTurboJPEG
import Glibc
import Media

/// A maker of stills, which turns a frame into an upright JPEG.
///
/// Only one thread at a time may use a maker, which keeps memory for its next still. The frame's
/// bytes must stay valid until `make` returns; the maker reads them in place, for example in a
/// driver's mapping.
public struct StillMaker: ~Copyable, @unchecked Sendable {
  /// The JPEG quality for stills that must be encoded, 1...100.
  public var quality: Int
  /// Whether EXIF metadata includes a thumbnail; stills without metadata have none.
  public var embedsThumbnail = true
  /// Whether frames that cause a decoder warning are accepted.
  ///
  /// This is the fallback for cameras whose every frame causes a warning, which ``Still/warning``
  /// then holds.
  public var acceptsWarnings = false
  /// The number of bytes copied so far to complete damaged ends.
  public private(set) var bytesCopied = 0

  /// The number of threads that encode a still, including the caller's.
  ///
  /// The pixels of the result do not depend on this number.
  public var slices = StillMaker.defaultSlices

  /// The default for ``slices``, which is one for each processor and at most four.
  public static let defaultSlices = max(1, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  private var completed = ScratchBuffer()
  private var planes = ScratchBuffer()
  private var decoded = ScratchBuffer()
  private var small = ScratchBuffer()

  /// Creates a maker.
  public init(quality: Int = 95) {
    self.quality = max(1, min(100, quality))
  }

  /// Returns the still of `image`.
  ///
  /// `inspection` is the gate's result for the frame. `box` is a chosen crop (see
  /// ``StillGeometry``). Throws `decoderWarning` if only decoding shows that the frame is damaged;
  /// the caller then tries the next nearest frame.
  public mutating func make(
    _ image: FrameImage, inspection: FrameInspection, orientation: Orientation,
    box: PixelRect? = nil, metadata: StillMetadata? = nil
  ) throws(StillError) -> Still {
    if case .damaged(let damage) = inspection.verdict {
      throw StillError(
        .damaged(damage), "the frame is damaged: \(damage.rawValue)",
        fix: "another frame is needed")
    }
    if let box { try Self.check(box, inspection.size, orientation) }
    return image.format.isJPEG
      ? try transformed(image, inspection, orientation, box, metadata)
      : try encoded(image, inspection, orientation, box, metadata)
  }

  static func check(
    _ box: PixelRect, _ frame: PixelSize, _ orientation: Orientation
  ) throws(StillError) {
    let whole = StillGeometry(orientation, frame: frame)
    let area = whole.isTurned ? frame.turned : frame
    guard box.x >= 0, box.y >= 0, box.size.width > 0, box.size.height > 0,
      box.size.width <= area.width, box.size.height <= area.height,
      box.x <= area.width - box.size.width, box.y <= area.height - box.size.height
    else {
      throw StillError(
        .badCrop, "the crop \(box) is outside the picture, which is \(area)",
        fix: "choose one inside")
    }
  }

  // MARK: JPEG

  private mutating func transformed(
    _ image: FrameImage, _ inspection: FrameInspection, _ orientation: Orientation,
    _ box: PixelRect?, _ metadata: StillMetadata?
  ) throws(StillError) -> Still {
    var picture = image.bytes.part(inspection.picture)
    if inspection.lacksEnd {
      // The decoder needs one block of memory, and there may be no room behind the frame for its
      // end.
      let whole = completed.reserve(picture.count + 2)
      whole.copyMemory(from: picture)
      whole[picture.count] = 0xFF
      whole[picture.count + 1] = 0xD9
      bytesCopied += picture.count
      picture = UnsafeRawBufferPointer(whole)
    }
    let geometry = StillGeometry(
      orientation, frame: inspection.size, unit: inspection.unit, freedom: .coded, box: box)
    let exact = StillGeometry(orientation, frame: inspection.size, box: box)
    let costsPixels = orientation.isExact && geometry.crop != exact.crop
    if Self.canMove(geometry, inspection), !costsPixels {
      do throws(StillError) {
        return try moved(picture, geometry, metadata)
      } catch {
        // Some damaged frames have coefficients that no Huffman table can code, so the picture is
        // decoded instead.
        guard error.code == .failed else { throw error }
      }
    }
    return try reencoded(picture, exact, metadata)
  }

  private mutating func moved(
    _ picture: UnsafeRawBufferPointer, _ geometry: StillGeometry, _ metadata: StillMetadata?
  ) throws(StillError) -> Still {
    let codec = try Codec(.transform)
    // The turned picture needs nearly the same room, so the buffer is allocated in advance.
    var output = CodecBuffer(room: picture.count + picture.count / 8 + 4096)
    var transform = Self.transform(geometry)
    let source = picture.baseAddress?.assumingMemoryBound(to: UInt8.self)
    var header = JPEGWalk(bytes: picture, start: 0)
    let wantsThumbnail = embedsThumbnail && metadata != nil && header.readHeader(nil) == nil
    var thumbnail = wantsThumbnail ? DirectThumbnail(header, geometry, in: &small) : nil
    let result = withUnsafeMutablePointer(to: &thumbnail) { thumbnail in
      if thumbnail.pointee != nil {
        transform.data = UnsafeMutableRawPointer(thumbnail)
        transform.customFilter = DirectThumbnail.filter
      }
      return output.fill { start, count in
        tjTransform(codec.handle, source, UInt(picture.count), 1, start, count, &transform, 0)
      }
    }
    let warning = try codec.check(result, "turned", acceptsWarnings: acceptsWarnings)
    let size = try Self.size(of: output)
    let segment = metadata?.segment(size: size, thumbnail: thumbnail?.encode())
    return Still(
      encoded: output, size: size, geometry: geometry, isLossless: true, metadata: segment,
      warning: warning)
  }

  /// Returns whether `geometry` allows a lossless transform with at most 15 trimmed columns and
  /// rows.
  static func canMove(_ geometry: StillGeometry, _ inspection: FrameInspection) -> Bool {
    let unit = inspection.unit
    guard inspection.isMovable else { return false }
    let (x, y) = StillGeometry.reversals(geometry.turns, geometry.isMirrored)
    let trimmed = geometry.trimmed
    if trimmed.width > 15 || trimmed.height > 15 { return false }
    if x, (geometry.frame.width - trimmed.width) % unit.width != 0 { return false }
    if y, (geometry.frame.height - trimmed.height) % unit.height != 0 { return false }
    return true
  }

  static func transform(_ geometry: StillGeometry) -> tjtransform {
    let (reversesX, reversesY) = StillGeometry.reversals(geometry.turns, geometry.isMirrored)
    let crop = geometry.crop
    let frame = geometry.frame
    let trimmed = geometry.trimmed
    // The library counts in the still's axes, from the edge that remains after trimming.
    let alongX =
      reversesX ? frame.width - trimmed.width - crop.x - crop.size.width : crop.x
    let alongY =
      reversesY ? frame.height - trimmed.height - crop.y - crop.size.height : crop.y
    var transform = tjtransform()
    transform.r = tjregion(
      x: Int32(geometry.isTurned ? alongY : alongX), y: Int32(geometry.isTurned ? alongX : alongY),
      w: Int32(geometry.size.width), h: Int32(geometry.size.height))
    transform.op = Int32(operation(geometry.turns, geometry.isMirrored).rawValue)
    // Without a crop the library has less to do, and it trims the same pixels as this geometry.
    let isWhole =
      crop.size.width == frame.width - trimmed.width
      && crop.size.height == frame.height - trimmed.height
    transform.options = Int32((isWhole ? TJXOPT_TRIM : TJXOPT_CROP) | TJXOPT_COPYNONE)
    return transform
  }

  private static func operation(_ turns: Int, _ isMirrored: Bool) -> TJXOP {
    switch (turns, isMirrored) {
    case (0, false): TJXOP_NONE
    case (0, true): TJXOP_HFLIP
    case (1, false): TJXOP_ROT90
    case (1, true): TJXOP_TRANSPOSE
    case (2, false): TJXOP_ROT180
    case (2, true): TJXOP_VFLIP
    case (3, false): TJXOP_ROT270
    default: TJXOP_TRANSVERSE
    }
  }

  /// Returns the size in the finished picture's header, because the library may have moved the
  /// crop.
  private static func size(of output: borrowing CodecBuffer) throws(StillError) -> PixelSize {
    let bytes = UnsafeRawBufferPointer(start: output.start, count: Int(output.count))
    var header = JPEGWalk(bytes: bytes, start: 0)
    guard header.readHeader(nil) == nil, let size = header.size else {
      throw StillError(.failed, "the finished picture is not a good one")
    }
    return size
  }

  private mutating func reencoded(
    _ picture: UnsafeRawBufferPointer, _ geometry: StillGeometry, _ metadata: StillMetadata?
  ) throws(StillError) -> Still {
    let source = try PlanarPicture(
      frame: picture, into: &decoded, acceptsWarnings: acceptsWarnings)
    return try encoded(
      source.planes, unit: source.unit, range: .full, geometry: geometry, metadata: metadata,
      warning: source.warning)
  }

  // MARK: Raw

  private mutating func encoded(
    _ image: FrameImage, _ inspection: FrameInspection, _ orientation: Orientation,
    _ box: PixelRect?, _ metadata: StillMetadata?
  ) throws(StillError) -> Still {
    let (layout, source) = try RawLayout.read(image, for: "still")
    let geometry = StillGeometry(
      orientation, frame: image.size, unit: layout.unit, freedom: .chroma, box: box)
    return try encoded(
      source, unit: layout.unit, range: image.range, weights: image.encoding, geometry: geometry,
      metadata: metadata)
  }

  private mutating func encoded(
    _ source: SamplePlanes, unit: PixelSize, range: SampleRange,
    weights: ColorEncoding = .bt601, geometry: StillGeometry, metadata: StillMetadata?,
    warning: String? = nil
  ) throws(StillError) -> Still {
    let target = PlanarTarget(geometry, unit: unit, isGrey: source.isGrey, in: &planes)
    target.fill(from: source, unit: unit, geometry: geometry, range: range, weights: weights)
    let output = try target.encode(quality: quality, slices: slices)
    let segment = metadata?.segment(
      size: geometry.size,
      thumbnail: metadata != nil && embedsThumbnail ? target.thumbnail(in: &small) : nil)
    return Still(
      encoded: output, size: geometry.size, geometry: geometry, isLossless: false,
      metadata: segment, warning: warning)
  }
}
