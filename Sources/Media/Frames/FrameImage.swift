/// A view of one frame's bytes and what they mean.
///
/// It owns nothing: whoever hands it out says how long the bytes stay.
///
/// Planes follow each other in one block, as single-planar V4L2 has them, unless there is a
/// ``second`` plane (`V4L2_PIX_FMT_NV12M` and its kin).
public struct FrameImage: @unchecked Sendable {
  /// The bytes in use (`bytesused`), of the first plane for multi-planar formats.
  public var bytes: UnsafeRawBufferPointer
  /// What the bytes are.
  public var format: PixelFormat
  /// Size in pixels; for JPEG the negotiated one.
  public var size: PixelSize
  /// Bytes from a row of the first plane to the next; 0 for JPEG.
  public var bytesPerLine: Int
  /// The second plane of multi-planar formats.
  public var second: Plane?
  /// The third plane of multi-planar formats that have three.
  public var third: Plane?
  /// What range the samples of a raw picture use; of no meaning for JPEG.
  public var range = SampleRange.limited
  /// Which weights made luma and chroma of red, green and blue; of no meaning for JPEG.
  public var encoding = ColorEncoding.bt601

  /// Makes a view.
  public init(
    bytes: UnsafeRawBufferPointer, format: PixelFormat, size: PixelSize, bytesPerLine: Int
  ) {
    self.bytes = bytes
    self.format = format
    self.size = size
    self.bytesPerLine = bytesPerLine
  }
}

extension FrameImage {
  /// Bytes of all planes.
  public var byteCount: Int {
    bytes.count + (second?.bytes.count ?? 0) + (third?.bytes.count ?? 0)
  }

  /// Copies all planes into `room`, one after the other and as far as there is room, and returns the
  /// view of the copy.
  @discardableResult
  public func copied(into room: UnsafeMutableRawBufferPointer) -> FrameImage {
    var copy = self
    var used = 0
    copy.bytes = Self.place(bytes, in: room, &used)
    if let second { copy.second?.bytes = Self.place(second.bytes, in: room, &used) }
    if let third { copy.third?.bytes = Self.place(third.bytes, in: room, &used) }
    return copy
  }

  private static func place(
    _ source: UnsafeRawBufferPointer, in room: UnsafeMutableRawBufferPointer, _ used: inout Int
  ) -> UnsafeRawBufferPointer {
    let rest = UnsafeMutableRawBufferPointer(rebasing: room[used...])
    let part = UnsafeRawBufferPointer(rebasing: source.prefix(rest.count))
    rest.copyMemory(from: part)
    used += part.count
    return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(rest)[..<part.count])
  }
}

/// A further plane of a raw picture, in memory of its own.
public struct Plane: @unchecked Sendable {
  /// The bytes in use.
  public var bytes: UnsafeRawBufferPointer
  /// Bytes from a row to the next.
  public var bytesPerLine: Int

  /// Makes a view; the caller keeps the bytes.
  public init(_ bytes: UnsafeRawBufferPointer, bytesPerLine: Int) {
    self.bytes = bytes
    self.bytesPerLine = bytesPerLine
  }
}

/// What range luma and chroma samples use (`enum v4l2_quantization`).
public enum SampleRange: Sendable {
  /// 16...235 and 16...240, what V4L2 means by default for YUV.
  case limited
  /// 0...255, as in JPEG.
  case full
}

/// Which weights made luma and chroma of red, green and blue (`enum v4l2_ycbcr_encoding`).
public enum ColorEncoding: Sendable {
  /// ITU-R BT.601, as in JPEG; what webcams mean.
  case bt601
  /// ITU-R BT.709: most HDMI sources.
  case bt709
  /// ITU-R BT.2020.
  case bt2020
}

/// What a look at a frame's bytes, without decoding them, says.
///
/// Made by a frame gate (`Imaging.JPEGGate` for JPEG); kept with the frame so that nobody walks
/// it twice.
public struct FrameInspection: Equatable, Sendable {
  /// Whether the frame may be shown and saved.
  public enum Verdict: Equatable, Sendable {
    /// As it should be.
    case clean
    /// Good, once the repair that the other properties describe is done while copying.
    case repairable
    /// Never to be shown or saved.
    case damaged(FrameDamage)
  }

  /// Whether the frame may be shown and saved.
  public var verdict: Verdict
  /// The picture inside the frame's bytes, from SOI to EOI, without padding.
  public var picture: Range<Int>
  /// Where the standard Huffman tables are to be inserted, when the frame has none; an offset into
  /// the frame's bytes, at a segment's start.
  public var tablesOffset: Int?
  /// Whether EOI is to be added after `picture`.
  public var lacksEnd: Bool
  /// The size that the picture itself claims.
  public var size: PixelSize
  /// What a still can be moved by without touching its data: for JPEG the minimum coded unit
  /// (16x16 for 4:2:0), for raw pictures the luma pixels that share a chroma sample.
  public var unit: PixelSize
  /// Whether a JPEG picture's coded data can be moved: not where its colours are stored in a way
  /// that is decoded only.
  public var isMovable = true

  /// Makes an inspection.
  public init(
    verdict: Verdict, picture: Range<Int>, tablesOffset: Int? = nil, lacksEnd: Bool = false,
    size: PixelSize, unit: PixelSize = PixelSize(width: 1, height: 1)
  ) {
    self.verdict = verdict
    self.picture = picture
    self.tablesOffset = tablesOffset
    self.lacksEnd = lacksEnd
    self.size = size
    self.unit = unit
  }

  /// Whether the frame may be shown and saved.
  public var isUsable: Bool {
    if case .damaged = verdict { false } else { true }
  }
}

/// Why a frame is never shown or saved.
///
/// The raw value is its name in counters and logs.
public enum FrameDamage: String, CaseIterable, Sendable {
  /// The driver set the error flag.
  case errorFlag = "error-flag"
  /// No bytes at all.
  case empty
  /// Too few bytes to be any picture, or for a raw picture of this size.
  case short
  /// No SOI: not a JPEG picture.
  case notPicture = "not-a-picture"
  /// The segments before the scan contradict themselves or end early.
  case brokenHeader = "broken-header"
  /// The scan's data ends before the picture does.
  case cut
  /// Restart markers are missing or out of order: data was lost in the middle.
  case lostData = "lost-data"
  /// A marker that cannot be inside a scan.
  case strayMarker = "stray-marker"
  /// Another size than the camera granted.
  case otherSize = "other-size"
  /// Progressive, 12-bit, arithmetic, lossless or CMYK: nothing a camera should send.
  case unsupported
}
