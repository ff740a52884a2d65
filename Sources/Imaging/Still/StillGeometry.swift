import Media

/// The map from frame coordinates to still coordinates, which preview, review and file share.
///
/// The still is `crop`, cut out of the frame, turned by `turns` quarters clockwise, then mirrored
/// left to right if `isMirrored`. All units are pixels; x runs right, y down.
public struct StillGeometry: Hashable, Sendable {
  /// The constraint on a still's edges.
  public enum Freedom: Sendable {
    /// The edges may lie anywhere, because pixels are re-encoded.
    case pixels
    /// The edges lie at multiples of the unit, so that the transform is lossless (JPEG).
    case coded
    /// The still starts at multiples of the unit, so that chroma stays with its luma (raw).
    case chroma
  }

  /// The frame's size.
  public var frame: PixelSize
  /// Quarter turns clockwise, 0...3.
  public var turns: Int
  /// Whether the still is mirrored.
  public var isMirrored: Bool
  /// Whether the live preview is mirrored.
  public var isPreviewMirrored: Bool
  /// The rectangle to keep, in the frame's coordinates.
  public var crop: PixelRect
  /// The still's size.
  public var size: PixelSize
  /// The numbers of columns and rows at the frame's edge that a lossless turn or mirror loses.
  public var trimmed: PixelSize

  /// Creates the geometry for a frame of the given size.
  ///
  /// `unit` is `FrameInspection.unit`. `box` is a chosen crop, in pixels of the turned and mirrored
  /// picture; it replaces `method = crop` and is clamped to the picture.
  public init(
    _ orientation: Orientation, frame: PixelSize, unit: PixelSize = PixelSize(width: 1, height: 1),
    freedom: Freedom = .pixels, box: PixelRect? = nil
  ) {
    self.frame = frame
    isMirrored = orientation.mirrorsSaved
    isPreviewMirrored = orientation.mirrorsPreview

    var turns = orientation.mount.rawValue / 90
    let upright = turns % 2 == 0 ? frame : frame.turned
    let fits =
      switch orientation.enforce {
      case .off: true
      case .portrait: upright.height > upright.width
      case .landscape: upright.width > upright.height
      }
    let isSquare = upright.width == upright.height
    var crops = false
    if !fits {
      switch orientation.method {
      case .crop: crops = true
      case .rotateClockwise where !isSquare: turns = (turns + 1) % 4
      case .rotateCounterclockwise where !isSquare: turns = (turns + 3) % 4
      default: crops = true
      }
    }
    self.turns = turns
    let isTurned = turns % 2 == 1
    let whole = isTurned ? frame.turned : frame

    let (reversesX, reversesY) = Self.reversals(turns, isMirrored)
    trimmed = PixelSize(width: 0, height: 0)
    if freedom == .coded {
      // A partial unit at the far edge cannot become the first one, so it is left out.
      if reversesX, frame.width > unit.width { trimmed.width = frame.width % unit.width }
      if reversesY, frame.height > unit.height { trimmed.height = frame.height % unit.height }
    }
    let usable = PixelSize(
      width: frame.width - trimmed.width, height: frame.height - trimmed.height)
    let area = isTurned ? usable.turned : usable

    // Everything from here to `crop` is in the still's orientation.
    var wanted = PixelRect(x: 0, y: 0, width: area.width, height: area.height)
    if let box {
      wanted = box
    } else if crops {
      let size = Self.size(orientation, of: whole, in: area)
      wanted = PixelRect(
        x: (whole.width - size.width) / 2, y: (whole.height - size.height) / 2, width: size.width,
        height: size.height)
    }
    // The trimmed pixels lay before the still's first column or row.
    wanted.x -= isTurned ? trimmed.height : trimmed.width
    wanted.y -= isTurned ? trimmed.width : trimmed.height
    // libjpeg-turbo aligns origins to the source's unit and its output to the turned unit.
    var steps = PixelSize(width: 1, height: 1)
    if freedom == .coded {
      let longer = max(unit.width, unit.height)
      steps = isTurned ? PixelSize(width: longer, height: longer) : unit
    }
    let (x, width) = Self.span(wanted.x, wanted.size.width, within: area.width, step: steps.width)
    let (y, height) = Self.span(
      wanted.y, wanted.size.height, within: area.height, step: steps.height)
    size = PixelSize(width: width, height: height)

    // The span is mapped back to the frame, whose axes are the still's, swapped and reversed.
    let (alongX, alongY) = isTurned ? ((y, height), (x, width)) : ((x, width), (y, height))
    crop = PixelRect(
      x: reversesX ? usable.width - alongX.0 - alongX.1 : alongX.0,
      y: reversesY ? usable.height - alongY.0 - alongY.1 : alongY.0,
      width: alongX.1, height: alongY.1)
    if freedom == .chroma {
      crop.x -= crop.x % max(1, unit.width)
      crop.y -= crop.y % max(1, unit.height)
    }
  }

  /// Whether the still is turned by one or three quarters, so that the frame's rows are its
  /// columns.
  public var isTurned: Bool { turns % 2 == 1 }

  /// Returns the map from frame coordinates to still coordinates, as the numbers of CSS `matrix(a,
  /// b, c, d, e, f)`: `x' = a x + c y + e`, `y' = b x + d y + f`.
  ///
  /// With `transform-origin: 0 0` on an image of the frame's size, in a box of the still's size
  /// with hidden overflow, a page shows exactly the still.
  public func matrix(mirrored: Bool) -> [Int] {
    let (reversesX, reversesY) = Self.reversals(turns, mirrored)
    let (stepX, startX) = reversesX ? (-1, crop.x + crop.size.width) : (1, -crop.x)
    let (stepY, startY) = reversesY ? (-1, crop.y + crop.size.height) : (1, -crop.y)
    return isTurned
      ? [0, stepX, stepY, 0, startY, startX] : [stepX, 0, 0, stepY, startX, startY]
  }

  /// The transform that the page applies to live frames: ``matrix(mirrored:)`` with the preview's
  /// mirror.
  public var previewMatrix: [Int] { matrix(mirrored: isPreviewMirrored) }

  /// Returns whether the frame's x and y axes run backwards in the still.
  static func reversals(_ turns: Int, _ isMirrored: Bool) -> (x: Bool, y: Bool) {
    // A clockwise quarter turns the frame's bottom into the still's left, and so on; the mirror
    // then reverses whichever of the frame's axes runs across.
    switch (turns, isMirrored) {
    case (0, false): (false, false)
    case (0, true): (true, false)
    case (1, false): (false, true)
    case (1, true): (false, false)
    case (2, false): (true, true)
    case (2, true): (false, true)
    case (3, false): (true, false)
    default: (true, true)
    }
  }

  /// Returns the largest size of the wanted aspect ratio inside `area`.
  private static func size(
    _ orientation: Orientation, of whole: PixelSize, in area: PixelSize
  ) -> PixelSize {
    let short = min(whole.width, whole.height)
    let long = max(whole.width, whole.height)
    let ratio =
      switch orientation.aspect {
      case .threeToFour: (3, 4)
      case .twoToThree: (2, 3)
      case .nineToSixteen: (9, 16)
      case .free: short == long ? (3, 4) : (short, long)
      }
    let isPortrait = orientation.enforce != .landscape
    let across = isPortrait ? ratio.0 : ratio.1
    let down = isPortrait ? ratio.1 : ratio.0
    // The size is rounded to the nearest pixel, but is at least 1.
    if area.width * down >= area.height * across {
      let width = (area.height * across * 2 + down) / (down * 2)
      return PixelSize(width: max(1, min(width, area.width)), height: area.height)
    }
    let height = (area.width * down * 2 + across) / (across * 2)
    return PixelSize(width: area.width, height: max(1, min(height, area.height)))
  }

  /// Returns the span nearest to the wanted one that starts at a multiple of `step` and lies inside
  /// `limit`.
  private static func span(
    _ wanted: Int, _ wantedCount: Int, within limit: Int, step: Int
  ) -> (start: Int, count: Int) {
    let count = max(1, min(wantedCount, limit))
    let last = limit - count
    let start = max(0, min(wanted, last))
    let down = start / step * step
    let up = down + step
    return (up <= last && up - start < start - down ? up : down, count)
  }
}
