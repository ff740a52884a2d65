import Media

/// The check of a raw frame, which must have enough bytes for a picture of its size.
package enum RawGate {
  /// Inspects a frame whose pixels are not compressed.
  ///
  /// The last row may lack its padding, which some drivers omit.
  package static func inspect(_ image: FrameImage) -> FrameInspection {
    let whole = 0..<image.bytes.count
    func result(_ verdict: FrameInspection.Verdict, _ unit: PixelSize) -> FrameInspection {
      FrameInspection(verdict: verdict, picture: whole, size: image.size, unit: unit)
    }
    let single = PixelSize(width: 1, height: 1)
    guard !image.bytes.isEmpty else { return result(.damaged(.empty), single) }
    guard (1...65535).contains(image.size.width), (1...65535).contains(image.size.height) else {
      return result(.damaged(.unsupported), single)
    }
    guard let layout = RawLayout(image.format) else { return result(.clean, single) }
    guard layout.isComplete(image) else { return result(.damaged(.short), layout.unit) }
    return result(.clean, layout.unit)
  }
}
