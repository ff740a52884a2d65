import Media

/// An editor that crops and turns finished pictures, and does so without decoding where JPEG
/// allows.
///
/// All boxes are in pixels of the picture as it is shown, in full size and turned as its EXIF says.
/// The result of an edit has all pixels of its box; if the memory limit does not allow that, the
/// edit throws an error with the reason. Files are not trusted. Only one thread at a time may use
/// an editor, which keeps memory for its next picture.
public struct PictureEditor: ~Copyable, @unchecked Sendable {
  /// A picture as a JPEG whose pixels are upright.
  public struct Upright: Sendable {
    /// The whole file.
    public var bytes: [UInt8]
    /// The size in pixels.
    public var size: PixelSize
  }

  /// A change of a picture as it is shown, which is first cropped, then turned, then mirrored.
  struct Change {
    var crop: PixelRect
    var turns = 0
    var isMirrored = false
  }

  /// The maximum number of bytes of memory for a picture, apart from the file's bytes and the
  /// result.
  ///
  /// The default is enough for 108 megapixels in one scan with 4:2:0 chroma, as phones write them.
  public var memoryLimit = 256 << 20
  private var maker: StillMaker
  private var planes = ScratchBuffer()
  private var decoded = ScratchBuffer()
  private var small = ScratchBuffer()

  /// Creates an editor; `quality` is for pictures that must be re-encoded.
  public init(quality: Int = 95) {
    maker = StillMaker(quality: quality)
    // The guest has seen and chosen the picture, so damage that only causes a warning is accepted.
    maker.acceptsWarnings = true
  }

  /// Returns the size of a picture as it is shown, turned as its EXIF says.
  ///
  /// This reads only the headers, and throws `unsupported` with the reason for a picture that
  /// cannot be opened.
  public static func size(of bytes: UnsafeRawBufferPointer) throws(StillError) -> PixelSize {
    try PictureHeader(bytes).uprightSize
  }

  /// Returns the picture in its full size as an upright JPEG, with its own bytes if it is one
  /// already.
  ///
  /// Bytes after a JPEG's end are dropped, and a missing end is added. A picture that EXIF turns is
  /// turned, without decoding if that loses no pixels; a PNG is encoded. Throws `unsupported` for a
  /// picture that is too large for the memory limit or cannot be opened.
  public mutating func upright(_ bytes: UnsafeRawBufferPointer) throws(StillError) -> Upright {
    let header = try PictureHeader(bytes)
    if header.kind != .png, header.orientation == .upright {
      return Upright(
        bytes: try header.withPicture(of: bytes) { Array($0) }, size: header.size)
    }
    let size = header.uprightSize
    let whole = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
    let still = try changed(bytes, header, Change(crop: whole))
    return Upright(bytes: still.bytes(), size: still.size)
  }

  /// Returns the part `crop` of a picture, turned clockwise by `turns` quarters.
  ///
  /// `crop` is in pixels of the picture as it is shown (see ``size(of:)``); nil keeps the whole
  /// picture. The result has exactly those pixels, and is lossless if no block of the JPEG had to
  /// be cut. Throws `badCrop` for a crop outside the picture, and `unsupported` for a picture that
  /// needs more than ``memoryLimit`` or cannot be opened.
  public mutating func edited(
    _ bytes: UnsafeRawBufferPointer, crop: PixelRect?, turns: Int, metadata: StillMetadata? = nil
  ) throws(StillError) -> Still {
    let header = try PictureHeader(bytes)
    let size = header.uprightSize
    let crop = crop ?? PixelRect(x: 0, y: 0, width: size.width, height: size.height)
    guard crop.x >= 0, crop.y >= 0, crop.size.width > 0, crop.size.height > 0,
      crop.size.width <= size.width, crop.x <= size.width - crop.size.width,
      crop.size.height <= size.height, crop.y <= size.height - crop.size.height
    else {
      throw StillError(
        .badCrop, "the crop \(crop) is outside the picture, which is \(size)",
        fix: "choose one inside")
    }
    return try changed(
      bytes, header, Change(crop: crop, turns: ((turns % 4) + 4) % 4), metadata)
  }

  /// Returns the picture after a change whose crop lies inside it.
  mutating func changed(
    _ bytes: UnsafeRawBufferPointer, _ header: PictureHeader, _ change: Change,
    _ metadata: StillMetadata? = nil
  ) throws(StillError) -> Still {
    // The turn by EXIF and the change are combined into one orientation.
    let first = header.orientation.orientation
    let turns = first.mount.rawValue / 90 + (first.mirrorsSaved ? 4 - change.turns : change.turns)
    let isMirrored = first.mirrorsSaved != change.isMirrored
    var orientation = Orientation(
      mount: Orientation.Mount(rawValue: turns % 4 * 90) ?? .upright,
      mirror: isMirrored ? .saved : .none, enforce: .off)
    orientation.isExact = true
    let box = change.crop.turned(change.turns, change.isMirrored, in: header.uprightSize)
    let exact = StillGeometry(orientation, frame: header.size, box: box)
    return try header.withPicture(of: bytes) { (picture) throws(StillError) in
      if let inspection = try movable(picture, header, orientation, box, exact) {
        let image = FrameImage(
          bytes: picture, format: .jpeg, size: inspection.size, bytesPerLine: 0)
        return try maker.make(
          image, inspection: inspection, orientation: orientation, box: box, metadata: metadata)
      }
      return try render(picture, header, exact, metadata)
    }
  }

  /// Returns the gate's inspection of a picture that can be transformed losslessly within the
  /// memory limit without losing a pixel of the box, or nil if it must be re-encoded.
  private func movable(
    _ picture: UnsafeRawBufferPointer, _ header: PictureHeader, _ orientation: Orientation,
    _ box: PixelRect, _ exact: StillGeometry
  ) throws(StillError) -> FrameInspection? {
    guard header.kind == .baseline else { return nil }
    let pixels = header.size.width * header.size.height + box.size.width * box.size.height
    guard pixels * header.quarterCoefficients / 4 <= memoryLimit else { return nil }
    let inspection = JPEGGate.inspect(picture)
    // The gate may have found a picture behind the first one.
    guard inspection.isUsable, inspection.isMovable, inspection.picture.lowerBound == 0,
      inspection.size == header.size
    else { return nil }
    let coded = StillGeometry(
      orientation, frame: header.size, unit: inspection.unit, freedom: .coded, box: box)
    return coded.crop == exact.crop ? inspection : nil
  }

  // MARK: Encoding anew

  private mutating func render(
    _ picture: UnsafeRawBufferPointer, _ header: PictureHeader, _ geometry: StillGeometry,
    _ metadata: StillMetadata?
  ) throws(StillError) -> Still {
    let memory = try affordable(header, geometry)
    // A picture without an end is complete only if the decoder gives no warning.
    let acceptsWarnings = !header.repair.lacksEnd
    if header.kind == .png {
      let source = try PlanarPicture(
        png: picture, header.size, part: geometry.crop, into: &decoded)
      return try encode(source, geometry.ofPart(at: geometry.crop), metadata)
    }
    let strips = try PictureStrips.begin(picture, header, geometry.crop, memory: memory)
    guard let strips else {
      // The sampling has no planes that strips can be read from, so the picture is decoded as a
      // whole.
      let source = try PlanarPicture(
        decoding: picture, into: &decoded, acceptsWarnings: acceptsWarnings)
      return try encode(source, geometry, metadata)
    }
    let unit = header.unit ?? PixelSize(width: 1, height: 1)
    let target = PlanarTarget(geometry, unit: unit, isGrey: header.isGrey, in: &planes)
    var warning: String?
    for top in stride(from: 0, to: geometry.crop.size.height, by: PictureStrips.rows) {
      let strip = try strips.read(top, into: &decoded)
      warning = warning ?? strip.warning
      var part = geometry.ofPart(at: strips.area)
      part.crop.y -= top
      target.fill(
        from: strip.planes, unit: unit, geometry: part, range: .full,
        strip: top..<top + PictureStrips.rows)
    }
    if let warning, !acceptsWarnings {
      throw StillError(
        .decoderWarning, "the picture is damaged or cut short",
        fix: "choose another one",
        cause: warning)
    }
    return try encode(target, geometry, metadata, warning)
  }

  // This limit allows some seconds of work on one core; a small file can claim many more pixels.
  private static let mostPixels = 250_000_000

  /// Returns the memory limit for the decoder's coefficients in bytes; throws if the picture needs
  /// more memory than allowed.
  private func affordable(
    _ header: PictureHeader, _ geometry: StillGeometry
  ) throws(StillError) -> Int {
    let (whole, part) = (header.size, geometry.crop.size)
    let (pixels, kept) = (whole.width * whole.height, part.width * part.height)
    var needed = 0
    var coefficients = 0
    switch header.kind {
    case .png:
      // A PNG needs RGB of the whole picture and planes of the part.
      needed = pixels * 3 + kept * 3 / 2
    case .progressive(let scans):
      guard scans <= 500, pixels * scans <= 1_000_000_000 else {
        throw StillError(
          .unsupported, "the picture has too many scans (\(scans))",
          fix: "save it again")
      }
      coefficients = pixels * header.quarterCoefficients / 4
    case .baseline: break
    }
    if header.kind != .png, header.unit == nil {
      needed += pixels * 6
    }
    // The planes of the result, and at most half a byte a pixel for its file.
    let samples = header.isGrey ? 4 : header.kind == .png ? 6 : max(6, header.quarterSamples)
    needed += coefficients + kept * samples / 4
    needed += kept / 2
    guard pixels <= Self.mostPixels else {
      throw StillError(
        .unsupported,
        "the picture (\(whole)) has more than \(Self.mostPixels / 1_000_000) million pixels",
        fix: "choose a smaller one")
    }
    guard needed <= memoryLimit else {
      throw StillError(
        .unsupported,
        "the picture (\(whole)) would take \(needed >> 20) MB of memory to be edited, and \(memoryLimit >> 20) MB are the limit",
        fix: "choose a smaller one")
    }
    return coefficients + 16 << 20
  }

  private mutating func encode(
    _ source: PlanarPicture, _ geometry: StillGeometry, _ metadata: StillMetadata?
  ) throws(StillError) -> Still {
    let target = PlanarTarget(
      geometry, unit: source.unit, isGrey: source.planes.isGrey, in: &planes)
    target.fill(from: source.planes, unit: source.unit, geometry: geometry, range: .full)
    return try encode(target, geometry, metadata, source.warning)
  }

  private mutating func encode(
    _ target: PlanarTarget, _ geometry: StillGeometry, _ metadata: StillMetadata?,
    _ warning: String?
  ) throws(StillError) -> Still {
    let output = try target.encode(quality: maker.quality)
    let segment = metadata?.segment(
      size: geometry.size,
      thumbnail: metadata != nil ? target.thumbnail(in: &small) : nil)
    return Still(
      encoded: output, size: geometry.size, geometry: geometry, isLossless: false,
      metadata: segment, warning: warning)
  }
}

extension StillGeometry {
  /// Returns the geometry relative to a part of the frame that contains the crop.
  fileprivate func ofPart(at part: PixelRect) -> StillGeometry {
    var geometry = self
    geometry.frame = part.size
    geometry.crop.x -= part.x
    geometry.crop.y -= part.y
    return geometry
  }
}

extension PixelRect {
  /// Returns the place of this rectangle after the picture was turned clockwise by that many
  /// quarters and then mirrored left to right.
  fileprivate func turned(
    _ quarters: Int, _ isMirrored: Bool, in picture: PixelSize
  ) -> PixelRect {
    var box = turned(quarters, in: picture)
    if isMirrored {
      let width = quarters % 2 == 0 ? picture.width : picture.height
      box.x = width - box.x - box.size.width
    }
    return box
  }

  private func turned(_ quarters: Int, in picture: PixelSize) -> PixelRect {
    switch quarters {
    case 1:
      PixelRect(
        x: picture.height - y - size.height, y: x, width: size.height, height: size.width)
    case 2:
      PixelRect(
        x: picture.width - x - size.width, y: picture.height - y - size.height, width: size.width,
        height: size.height)
    case 3:
      PixelRect(
        x: y, y: picture.width - x - size.width, width: size.height, height: size.width)
    default: self
    }
  }
}
