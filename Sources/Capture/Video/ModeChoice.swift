import Media

/// A mode to ask a camera for.
public struct ModeCandidate: Equatable, Sendable {
  /// The format.
  public var format: PixelFormat
  /// The size in pixels.
  public var size: PixelSize
  /// The rate to ask for; nil where the driver names none.
  public var rate: FrameRate?
}

/// Which of a camera's modes are best for stills.
public enum ModeChoice {
  /// Formats in the order in which they are preferred at the same size and rate.
  ///
  /// JPEG first: it goes to the disk and to viewers as it is.
  static let preferred: [PixelFormat] =
    [
      .mjpeg, .jpeg, .yuyv, .uyvy, .nv12, .yuv420, .yvyu, .vyuy, .nv21, .nv16, .yvu420, .yuv422p,
    ] + ["NM12", "NM21", "YM12", "YM21", "NM16"].compactMap { PixelFormat($0) }

  /// Whether pictures can be made of the format.
  public static func isUsable(_ format: PixelFormat) -> Bool {
    preferred.contains(format) || format == .grey || ConvertibleFormats.contains(format)
  }

  /// The modes that fit the wish, best first: those that reach the least rate by size, then by
  /// how near they come to the wanted rate, then by format; then the others by rate.
  public static func order(_ offers: [FormatOffer], wish: ModeWish) -> [ModeCandidate] {
    var all: [ModeCandidate] = []
    for offer in offers {
      if let format = wish.format, offer.format != format { continue }
      guard isUsable(offer.format) else { continue }
      var sizes = offer.sizes.filter { $0.size.isCameraSize }
      if let size = wish.size {
        sizes = sizes.filter { $0.size == size }
        if sizes.isEmpty, offer.hasAnySize, size.isCameraSize {
          sizes = [SizeOffer(size: size, rates: [])]
        }
      }
      for size in sizes {
        all.append(
          ModeCandidate(
            format: offer.format, size: size.size, rate: nearest(to: wish.rate, in: size.rates)))
      }
    }
    if wish.size == nil {
      let bounded = all.filter { $0.pixels <= wish.mostPixels }
      if !bounded.isEmpty { all = bounded }
    }
    if let rate = wish.exactRate { all = all.filter { $0.rate.map { $0.isAlmost(rate) } ?? true } }
    return all.sorted { isBetter($0, $1, wish) }
  }

  private static func isBetter(
    _ lhs: ModeCandidate, _ rhs: ModeCandidate, _ wish: ModeWish
  ) -> Bool {
    let fast = (lhs.reaches(wish.leastRate), rhs.reaches(wish.leastRate))
    if fast.0 != fast.1 { return fast.0 }
    let rates = (lhs.capped(wish.rate), rhs.capped(wish.rate))
    if !fast.0, rates.0 != rates.1 { return rates.1 < rates.0 }
    if lhs.pixels != rhs.pixels { return lhs.pixels > rhs.pixels }
    if rates.0 != rates.1 { return rates.1 < rates.0 }
    return rank(lhs.format) < rank(rhs.format)
  }

  private static func rank(_ format: PixelFormat) -> Int {
    if let index = preferred.firstIndex(of: format) { return index }
    // Colour that has to be converted is better than none.
    if format == .grey { return 100 }
    if ConvertibleFormats.isGrey(format) { return 101 }
    return preferred.count + (ConvertibleFormats.rank(format) ?? 0)
  }

  static func nearest(to wish: FrameRate, in rates: [FrameRate]) -> FrameRate? {
    // At least the wanted rate if possible, the lowest of those; else the highest.
    rates.filter { $0 >= wish }.min() ?? rates.max()
  }
}

extension ModeCandidate {
  var pixels: Int { size.width * size.height }

  // A driver that names no rates is taken at its word once it streams.
  func reaches(_ least: FrameRate) -> Bool { rate.map { $0 >= least } ?? true }

  func capped(_ wish: FrameRate) -> FrameRate { min(rate ?? wish, wish) }
}
