/// The result of inspecting a frame's bytes without decoding them.
///
/// A frame gate (`Imaging.JPEGGate` for JPEG) makes the inspection, which is kept with the frame so
/// that the frame is walked only once.
public struct FrameInspection: Equatable, Sendable {
  /// Whether the frame may be shown and saved.
  public enum Verdict: Equatable, Sendable {
    /// The frame is undamaged.
    case clean
    /// The frame is good after the repair that the other properties describe, which the copy
    /// performs.
    case repairable
    /// The frame must not be shown or saved.
    case damaged(FrameDamage)
  }

  /// Whether the frame may be shown and saved.
  public var verdict: Verdict
  /// The picture inside the frame's bytes, from SOI to EOI, without padding.
  public var picture: Range<Int>
  /// The offset in the frame's bytes at which to insert the standard Huffman tables, at a segment's
  /// start; nil if the frame has its own tables.
  public var tablesOffset: Int?
  /// Whether the repair adds an EOI after `picture`.
  public var lacksEnd: Bool
  /// The size in the picture's own header.
  public var size: PixelSize
  /// The step by which a picture can be cropped without re-encoding, in pixels: for JPEG the
  /// minimum coded unit (16x16 for 4:2:0), for raw pictures the area that shares a chroma sample.
  public var unit: PixelSize
  /// Whether a JPEG picture can be transformed without decoding; false for colour sampling that
  /// lossless transforms do not support.
  public var isMovable = true

  /// Creates an inspection.
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

/// The reason why a frame must not be shown or saved.
///
/// The raw value is its name in counters and logs.
public enum FrameDamage: String, CaseIterable, Sendable {
  /// The driver set the error flag.
  case errorFlag = "error-flag"
  /// The frame has no bytes.
  case empty
  /// The frame has too few bytes for any picture, or for a raw picture of this size.
  case short
  /// The frame has no SOI, so it is not a JPEG picture.
  case notPicture = "not-a-picture"
  /// The segments before the scan contradict themselves or end early.
  case brokenHeader = "broken-header"
  /// The scan's data ends before the picture is complete.
  case cut
  /// Restart markers are missing or out of order because data was lost in the middle.
  case lostData = "lost-data"
  /// The scan contains a marker that cannot be inside a scan.
  case strayMarker = "stray-marker"
  /// The picture's size differs from the size that the camera granted.
  case otherSize = "other-size"
  /// The picture is progressive, 12-bit, arithmetic-coded, lossless or CMYK, which cameras should
  /// not send.
  case unsupported
}
