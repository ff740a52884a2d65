import Platform

/// Crops and turns finished pictures, without decoding them where JPEG allows.
///
/// Files are not trusted; what cannot be opened is refused with a reason. One at a time, on one
/// thread; it keeps memory for the next one.
public struct PictureEditor: ~Copyable, @unchecked Sendable {
  /// A picture as a JPEG whose pixels are upright.
  public struct Upright: Sendable {
    /// The whole file.
    public var bytes: [UInt8]
    /// Its size in pixels.
    public var size: PixelSize
  }

  private var maker: StillMaker
  private var opener = PictureOpener()

  /// Makes an editor; the quality is that of what has to be encoded anew.
  public init(quality: Int = 95) {
    maker = StillMaker(quality: quality)
    // A guest chose it as it looks; to refuse it now for a speck would be worse.
    maker.acceptsWarnings = true
  }

  /// The size of a picture as it is shown: turned as its EXIF says.
  ///
  /// Reads the headers only, and throws `unsupported` with the reason for what cannot be opened.
  public static func size(of bytes: UnsafeRawBufferPointer) throws(StillError) -> PixelSize {
    let header = try PictureHeader(bytes)
    let geometry = StillGeometry(header.orientation.orientation, frame: header.size)
    return geometry.isTurned ? header.size.turned : header.size
  }

  /// The picture as an upright JPEG: its own bytes where it is one already.
  ///
  /// One that EXIF turns is turned, without decoding where that costs no pixels; a PNG is encoded.
  public mutating func upright(_ bytes: UnsafeRawBufferPointer) throws(StillError) -> Upright {
    let header = try PictureHeader(bytes)
    if header.kind != .png, header.orientation == .upright {
      return Upright(bytes: Array(bytes), size: header.size)
    }
    if Self.canMove(bytes, header) {
      let still = try turnedUpright(bytes, header)
      return Upright(bytes: still.bytes(), size: still.size)
    }
    let opened = try opener.open(bytes, fitting: Self.anySize, quality: maker.quality)
    return Upright(bytes: opened.bytes(), size: opened.size)
  }

  /// The part `crop` of a picture, turned clockwise by `turns` quarters.
  ///
  /// `crop` is in pixels of the picture as it is shown (see ``size(of:)``); nil: all of it. The
  /// result has exactly those pixels; it is lossless if no block of the JPEG had to be cut for that.
  /// A picture that is too large for the memory is made smaller first. Throws `badCrop` for a crop
  /// that lies outside.
  public mutating func edited(
    _ bytes: UnsafeRawBufferPointer, crop: PixelRect?, turns: Int, metadata: StillMetadata? = nil
  ) throws(StillError) -> Still {
    let header = try PictureHeader(bytes)
    let size = try Self.size(of: bytes)
    let crop = crop ?? PixelRect(x: 0, y: 0, width: size.width, height: size.height)
    guard crop.x >= 0, crop.y >= 0, crop.size.width > 0, crop.size.height > 0,
      crop.size.width <= size.width, crop.x <= size.width - crop.size.width,
      crop.size.height <= size.height, crop.y <= size.height - crop.size.height
    else {
      throw StillError(
        .badCrop, "The crop \(crop) is outside the picture, which is \(size); choose one inside.")
    }
    guard Self.canMove(bytes, header) else {
      let opened = try opener.open(bytes, fitting: Self.anySize, quality: 100)
      let scaled = crop.scaled(from: size, to: opened.size)
      return try opened.withBytes { (bytes) throws(StillError) in
        try cut(bytes, opened.size, scaled, turns, metadata)
      }
    }
    guard header.orientation != .upright else {
      return try cut(bytes, size, crop, turns, metadata)
    }
    let still = try turnedUpright(bytes, header)
    return try still.withPicture { (bytes) throws(StillError) in
      try cut(bytes, still.size, crop, turns, metadata)
    }
  }

  // Coefficients take three bytes a pixel, twice while they are moved.
  private static func canMove(_ bytes: UnsafeRawBufferPointer, _ header: PictureHeader) -> Bool {
    header.kind == .baseline && header.size.width * header.size.height <= 25_000_000
      && JPEGGate.inspect(bytes).isUsable
  }

  private static let anySize = PixelSize(width: 65500, height: 65500)

  private mutating func turnedUpright(
    _ bytes: UnsafeRawBufferPointer, _ header: PictureHeader
  ) throws(StillError) -> Still {
    var orientation = header.orientation.orientation
    orientation.isExact = true
    return try make(bytes, orientation, nil, nil)
  }

  private mutating func cut(
    _ bytes: UnsafeRawBufferPointer, _ size: PixelSize, _ crop: PixelRect, _ turns: Int,
    _ metadata: StillMetadata?
  ) throws(StillError) -> Still {
    let quarter = ((turns % 4) + 4) % 4
    var orientation = Orientation(
      mount: Orientation.Mount(rawValue: quarter * 90) ?? .upright, mirror: .none, enforce: .off)
    orientation.isExact = true
    return try make(bytes, orientation, crop.turned(quarter, in: size), metadata)
  }

  private mutating func make(
    _ bytes: UnsafeRawBufferPointer, _ orientation: Orientation, _ box: PixelRect?,
    _ metadata: StillMetadata?
  ) throws(StillError) -> Still {
    let inspection = JPEGGate.inspect(bytes)
    let image = FrameImage(bytes: bytes, format: .jpeg, size: inspection.size, bytesPerLine: 0)
    return try maker.make(
      image, inspection: inspection, orientation: orientation, box: box, metadata: metadata)
  }
}

extension PixelRect {
  /// The same part of a picture of `size` after it was turned clockwise by that many quarters.
  fileprivate func turned(_ quarters: Int, in picture: PixelSize) -> PixelRect {
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

  /// The same part of a picture that was made smaller; at least one pixel.
  fileprivate func scaled(from whole: PixelSize, to smaller: PixelSize) -> PixelRect {
    guard whole != smaller else { return self }
    let left = min(x * smaller.width / whole.width, smaller.width - 1)
    let top = min(y * smaller.height / whole.height, smaller.height - 1)
    return PixelRect(
      x: left, y: top,
      width: max(1, min(smaller.width - left, size.width * smaller.width / whole.width)),
      height: max(1, min(smaller.height - top, size.height * smaller.height / whole.height)))
  }
}
