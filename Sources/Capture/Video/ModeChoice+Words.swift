import Platform

/// The explanation of a choice, and the error if there is none.
extension ModeChoice {
  /// Returns the mode that is asked for first and the reason in words, or nil if no mode fits the
  /// wish.
  package static func explain(
    _ offers: [FormatOffer], wish: ModeWish
  ) -> (mode: ModeCandidate, reason: String)? {
    let modes = order(offers, wish: wish)
    guard let best = modes.first else { return nil }
    var reasons: [String] = []
    if wish.size != nil {
      reasons.append("the configuration names the size")
    } else if best.reaches(wish.leastRate) {
      let isOnly = modes.allSatisfy { $0.size == best.size }
      reasons.append(
        isOnly
          ? "its only size"
          : "the largest size up to \(bound(wish)) that reaches \(wish.leastRate) fps")
      let larger = largerButSlow(offers, than: best, wish)
      if let larger { reasons.append("\(larger.size) reaches only \(words(larger.rate))") }
    } else {
      reasons.append("the fastest, for no mode reaches \(wish.leastRate) fps")
    }
    reasons += formatReasons(modes, best, wish)
    if let rate = best.rate, wish.exactRate == nil, rate != wish.rate {
      reasons.append("\(rate) fps is as near to \(wish.rate) as it comes")
    }
    return (best, reasons.joined(separator: "; "))
  }

  private static func bound(_ wish: ModeWish) -> String {
    wish.mostPixels == ModeWish().mostPixels ? "1920x1440" : "\(wish.mostPixels) pixels"
  }

  private static func words(_ rate: FrameRate?) -> String {
    rate.map { "\($0) fps" } ?? "an unknown rate"
  }

  private static func largerButSlow(
    _ offers: [FormatOffer], than best: ModeCandidate, _ wish: ModeWish
  ) -> ModeCandidate? {
    order(offers, wish: wish).filter { $0.pixels > best.pixels && !$0.reaches(wish.leastRate) }
      .max { $0.pixels < $1.pixels }
  }

  private static func formatReasons(
    _ modes: [ModeCandidate], _ best: ModeCandidate, _ wish: ModeWish
  ) -> [String] {
    if wish.format != nil { return ["the configuration names the format"] }
    let others = modes.filter { $0.size == best.size && $0.format != best.format }
    guard let other = others.first else {
      return ["\(best.format) is the only format of that size"]
    }
    if let rate = best.rate, other.capped(wish.rate) < min(rate, wish.rate) {
      return ["\(best.format), for \(other.format) reaches only \(words(other.rate)) there"]
    }
    if best.format.isJPEG { return ["\(best.format), for it goes to the disk as it is"] }
    let names = others.map(\.format.description).joined(separator: ", ")
    return ["\(best.format) comes before \(names)"]
  }

  /// Returns the error for a wish that no mode fits, which lists the available values.
  static func refusal(_ offers: [FormatOffer], wish: ModeWish) -> CaptureError {
    let usable = offers.filter { isUsable($0.format) }
    if let format = wish.format, !usable.contains(where: { $0.format == format }) {
      return refusal("format \(format)", list(usable.map(\.format.description)))
    }
    let fitting = usable.filter { wish.format == nil || $0.format == wish.format }
    let format = wish.format.map { " in \($0)" } ?? ""
    if let size = wish.size,
      !fitting.contains(where: { $0.hasAnySize || $0.sizes.contains { $0.size == size } })
    {
      let sizes = Set(fitting.flatMap { $0.sizes.map(\.size) })
        .sorted { $0.width * $0.height > $1.width * $1.height }
      return refusal("size \(size)\(format)", list(sizes.map(\.description)))
    }
    if let size = wish.size, !size.isCameraSize { return .tooSmall(size) }
    let all = fitting.flatMap { $0.sizes.map(\.size) }
    if let size = all.first, !all.contains(where: \.isCameraSize) { return .tooSmall(size) }
    if let rate = wish.exactRate {
      let sizes = fitting.flatMap { $0.sizes }.filter { wish.size == nil || $0.size == wish.size }
      let rates = Set(sizes.flatMap { $0.rates }).sorted(by: >)
      if !rates.contains(where: { $0.isAlmost(rate) }) {
        let size = wish.size.map { " at \($0)" } ?? ""
        return refusal("rate \(rate)\(size)\(format)", list(rates.map(\.description)))
      }
    }
    return CaptureError(
      .noMode,
      "the camera has no format that pictures can be made of; it has "
        + "\(list(offers.map(\.format.description)))")
  }

  private static func refusal(_ what: String, _ list: String) -> CaptureError {
    CaptureError(.noMode, "the camera has no \(what); it has \(list)")
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.joined(separator: ", ")
  }
}

extension FrameRate {
  /// Returns whether the rates differ by at most one percent, like 29.97 and 30.
  func isAlmost(_ other: FrameRate) -> Bool {
    (perSecond - other.perSecond).magnitude <= 0.01 * max(perSecond, other.perSecond)
  }
}
