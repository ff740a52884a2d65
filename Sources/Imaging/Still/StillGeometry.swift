import Media

/// How frame coordinates become still coordinates: the one truth for preview, review and file.
///
/// The still is `crop`, cut out of the frame, turned by `turns` quarters clockwise, then mirrored
/// left to right if `isMirrored`. All units are pixels; x runs right, y down.
public struct StillGeometry: Hashable, Sendable {
  /// How freely a still's edges may lie.
  public enum Freedom: Sendable {
    /// Anywhere: pixels are re-encoded.
    case pixels
    /// At multiples of the unit, so that coded data can be moved as it is (JPEG).
    case coded
    /// Starting at multiples of the unit, so that chroma stays with its luma (raw).
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
  /// What is kept, in the frame's coordinates.
  public var crop: PixelRect
  /// The still's size.
  public var size: PixelSize
  /// Columns and rows of the frame's edge that lossless turning or mirroring had to leave out.
  public var trimmed: PixelSize

  /// Works out the geometry.
  ///
  /// `unit` is `FrameInspection.unit`. `box` is a crop that somebody chose, in pixels of the
  /// picture as it is turned and mirrored; it takes the place of `method = crop`, and is held to
  /// the picture.
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
      // The part of a unit at the far edge cannot come first: it is left out.
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
    // What was trimmed lay before the still's first column or row.
    wanted.x -= isTurned ? trimmed.height : trimmed.width
    wanted.y -= isTurned ? trimmed.width : trimmed.height
    // libjpeg-turbo holds origins to the source's unit, its output to the turned one.
    var steps = PixelSize(width: 1, height: 1)
    if freedom == .coded {
      let longer = max(unit.width, unit.height)
      steps = isTurned ? PixelSize(width: longer, height: longer) : unit
    }
    let (x, width) = Self.span(wanted.x, wanted.size.width, within: area.width, step: steps.width)
    let (y, height) = Self.span(
      wanted.y, wanted.size.height, within: area.height, step: steps.height)
    size = PixelSize(width: width, height: height)

    // Back to the frame: the still's axes are the frame's, swapped and reversed.
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

  /// Whether frame and still differ by a quarter turn, so that rows are columns.
  public var isTurned: Bool { turns % 2 == 1 }

  /// Frame coordinates to still coordinates, as the numbers of CSS `matrix(a, b, c, d, e, f)`:
  /// `x' = a x + c y + e`, `y' = b x + d y + f`.
  ///
  /// With `transform-origin: 0 0` on an image of the frame's size, in a box of the still's size
  /// that hides what overflows, a page shows exactly the still.
  public func matrix(mirrored: Bool) -> [Int] {
    let (reversesX, reversesY) = Self.reversals(turns, mirrored)
    let (stepX, startX) = reversesX ? (-1, crop.x + crop.size.width) : (1, -crop.x)
    let (stepY, startY) = reversesY ? (-1, crop.y + crop.size.height) : (1, -crop.y)
    return isTurned
      ? [0, stepX, stepY, 0, startY, startX] : [stepX, 0, 0, stepY, startX, startY]
  }

  /// What the page does to live frames: ``matrix(mirrored:)`` with the preview's mirror.
  public var previewMatrix: [Int] { matrix(mirrored: isPreviewMirrored) }

  /// Whether the frame's x and y run backwards in the still.
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

  /// The largest size of the wanted aspect inside `area`.
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
    // Rounded to the nearest pixel, never to nothing.
    if area.width * down >= area.height * across {
      let width = (area.height * across * 2 + down) / (down * 2)
      return PixelSize(width: max(1, min(width, area.width)), height: area.height)
    }
    let height = (area.width * down * 2 + across) / (across * 2)
    return PixelSize(width: area.width, height: max(1, min(height, area.height)))
  }

  /// A span as near as possible to the wanted one, inside `limit`, that starts at a step.
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
