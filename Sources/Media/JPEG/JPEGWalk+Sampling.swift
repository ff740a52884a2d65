/// The colour sampling of a picture, and the operations that it allows.
extension JPEGWalk {
  /// Whether a decoder can scale all components to the picture's size; libjpeg scales by whole
  /// numbers only.
  var canBeSampled: Bool {
    guard componentCount > 1 else { return true }
    let (across, down) = (horizontal.max(), vertical.max())
    for index in 0..<componentCount {
      guard across % horizontal[index] == 0, down % vertical[index] == 0 else { return false }
    }
    return true
  }

  /// Whether libjpeg-turbo's TurboJPEG interface supports the sampling, which lossless transforms
  /// require.
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
    // The last two have the ratios of other cases, written with other factors.
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

  /// Records the colour information of an application's segment.
  mutating func readNote(_ marker: JPEGMarkers.Marker, _ markers: JPEGMarkers) {
    switch marker.code {
    case 0xE0 where marker.body.count >= 14 && markers.isNamed("JFIF\0", marker): hasJFIF = true
    case 0xEE where marker.body.count >= 12 && markers.isNamed("Adobe", marker):
      adobeTransform = bytes[marker.body.lowerBound + 11]
    default: break
    }
  }
}
