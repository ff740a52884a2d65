import Platform

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
    ] + ["NM12", "NM21", "YM12", "YM21", "NM16"].compactMap { PixelFormat($0) } + [.grey]

  /// The modes that fit the wish, best first: those that reach the least rate by size, then by
  /// how near they come to the wanted rate, then by format; then the others by rate.
  public static func order(_ offers: [FormatOffer], wish: ModeWish) -> [ModeCandidate] {
    var all: [ModeCandidate] = []
    for offer in offers {
      if let format = wish.format, offer.format != format { continue }
      if offer.isCompressed, !offer.format.isJPEG { continue }
      var sizes = offer.sizes
      if let size = wish.size {
        sizes = sizes.filter { $0.size == size }
        if sizes.isEmpty, offer.hasAnySize { sizes = [SizeOffer(size: size, rates: [])] }
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
    preferred.firstIndex(of: format) ?? preferred.count
  }

  private static func nearest(to wish: FrameRate, in rates: [FrameRate]) -> FrameRate? {
    // At least the wanted rate if possible, the lowest of those; else the highest.
    rates.filter { $0 >= wish }.min() ?? rates.max()
  }

  /// The sentence for a wish that no mode fits; it lists what there is.
  static func refusal(_ offers: [FormatOffer], wish: ModeWish) -> CaptureError {
    let usable = offers.filter { !$0.isCompressed || $0.format.isJPEG }
    if let format = wish.format, !usable.contains(where: { $0.format == format }) {
      let names = usable.map(\.format.description).joined(separator: ", ")
      return CaptureError(
        .noMode, "The camera has no format \(format); it has \(names.isEmpty ? "none" : names).")
    }
    if let size = wish.size {
      let fitting = usable.filter { wish.format == nil || $0.format == wish.format }
      let sizes = Set(fitting.flatMap { $0.sizes.map(\.size) })
        .sorted { $0.width * $0.height > $1.width * $1.height }
      let names = sizes.map(\.description).joined(separator: ", ")
      return CaptureError(
        .noMode,
        "The camera has no size \(size)\(wish.format.map { " in \($0)" } ?? ""); it has \(names).")
    }
    return CaptureError(.noMode, "The camera has no format that can be used.")
  }
}

extension ModeCandidate {
  fileprivate var pixels: Int { size.width * size.height }

  // A driver that names no rates is taken at its word once it streams.
  fileprivate func reaches(_ least: FrameRate) -> Bool { rate.map { $0 >= least } ?? true }

  fileprivate func capped(_ wish: FrameRate) -> FrameRate { min(rate ?? wish, wish) }
}
