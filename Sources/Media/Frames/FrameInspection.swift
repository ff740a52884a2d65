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
