import Media

/// A mode to ask a camera for.
package struct ModeCandidate: Equatable, Sendable {
  /// The format.
  package var format: PixelFormat
  /// The size in pixels.
  package var size: PixelSize
  /// The rate to ask for; nil if the driver lists none.
  package var rate: FrameRate?
}

/// The choice of a camera's best modes for stills.
package enum ModeChoice {
  /// The formats in the order of preference at the same size and rate.
  ///
  /// JPEG comes first because its frames need no encoding for the disk and for viewers.
  static let preferred: [PixelFormat] =
    [
      .mjpeg, .jpeg, .yuyv, .uyvy, .nv12, .yuv420, .yvyu, .vyuy, .nv21, .nv16, .yvu420, .yuv422p,
    ] + ["NM12", "NM21", "YM12", "YM21", "NM16"].compactMap { PixelFormat($0) }

  /// Returns whether pictures can be made from the format.
  package static func isUsable(_ format: PixelFormat) -> Bool {
    preferred.contains(format) || format == .grey || ConvertibleFormats.contains(format)
  }

  /// Returns the modes that fit the wish, best first: modes that reach the least rate by size, then
  /// by their distance to the wanted rate, then by format, and after them the others by rate.
  package static func order(_ offers: [FormatOffer], wish: ModeWish) -> [ModeCandidate] {
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
    // A colour format that must be converted is better than grey.
    if format == .grey { return 100 }
    if ConvertibleFormats.isGrey(format) { return 101 }
    return preferred.count + (ConvertibleFormats.rank(format) ?? 0)
  }

  static func nearest(to wish: FrameRate, in rates: [FrameRate]) -> FrameRate? {
    // The result is the lowest rate that is at least the wanted one, or else the highest rate.
    rates.filter { $0 >= wish }.min() ?? rates.max()
  }
}

extension ModeCandidate {
  var pixels: Int { size.width * size.height }

  // A driver that lists no rates is assumed to reach them until it streams.
  func reaches(_ least: FrameRate) -> Bool { rate.map { $0 >= least } ?? true }

  func capped(_ wish: FrameRate) -> FrameRate { min(rate ?? wish, wish) }
}
