/// How a picture's colours are stored, and what can be done with them.
extension JPEGWalk {
  /// Whether a decoder can bring all components to the picture's size: libjpeg enlarges by whole
  /// numbers only.
  var canBeSampled: Bool {
    guard componentCount > 1 else { return true }
    let (across, down) = (horizontal.max(), vertical.max())
    for index in 0..<componentCount {
      guard across % horizontal[index] == 0, down % vertical[index] == 0 else { return false }
    }
    return true
  }

  /// Whether libjpeg-turbo's TurboJPEG interface knows the colours, which it must to move coded data.
  ///
  /// Source: `getSubsamp` in `turbojpeg.c`, version 2.1.
  var isMovable: Bool {
    guard componentCount == 3 else { return true }
    guard !isRGB else { return false }
    let luma = (horizontal[0], vertical[0])
    let chroma = (horizontal[1], vertical[1])
    guard (horizontal[2], vertical[2]) == chroma else { return false }
    switch luma {
    case (1, 1), (4, 1): return chroma == (1, 1)
    // The same ratio, written with other factors.
    case (2, 2): return chroma == (1, 1) || chroma == (1, 2) || chroma == (2, 1)
    case (2, 1): return chroma == (1, 1)
    case (1, 2): return chroma == (1, 1)
    default: return false
    }
  }

  /// Whether the components are red, green and blue, by libjpeg's rules.
  private var isRGB: Bool {
    if hasJFIF { return false }
    if let adobeTransform { return adobeTransform == 0 }
    return identifiers[0] == 0x52 && identifiers[1] == 0x47 && identifiers[2] == 0x42
  }

  /// Takes what an application's segment says of the colours.
  mutating func readNote(_ marker: JPEGMarkers.Marker, _ markers: JPEGMarkers) {
    switch marker.code {
    case 0xE0 where marker.body.count >= 14 && markers.isNamed("JFIF\0", marker): hasJFIF = true
    case 0xEE where marker.body.count >= 12 && markers.isNamed("Adobe", marker):
      adobeTransform = bytes[marker.body.lowerBound + 11]
    default: break
    }
  }
}
