import Media

/// The formats that only libv4lconvert can decode.
package enum ConvertibleFormats {
  // The rows are in the order of preference; the formats within a row are equivalent.
  //
  // Some formats are left out, because the library's decoders access memory outside their buffers
  // when a frame is damaged (S561, S910, SONX, M310, 905C) or always (HSV3, HSV4, HM12), or give
  // wrong colours (RGBP).
  private static let rows: [[String]] = [
    // Red, green and blue in bytes.
    ["RGB3", "BGR3", "XR24", "BX24", "AR24", "BA24", "RGB4", "BGR4"],
    // Rarer arrangements of luma and chroma.
    ["NV61", "M420"],
    // Luma and chroma in the arrangements of single manufacturers.
    ["S501", "S505", "S508", "CITV", "KONI", "S920", "CPIA"],
    // Bare sensors with one colour per pixel: 8 bits, 10 bits in words, 10 bits packed, 16 bits.
    ["BA81", "GBRG", "GRBG", "RGGB"], ["BG10", "GB10", "BA10", "RG10"],
    ["pBAA", "pGAA", "pgAA", "pRAA"], ["BYR2", "GB16", "GR16", "RG16"],
    // Bare sensors in the packings of single manufacturers.
    ["S680", "P207", "JL20", "S401", "PJPG"],
    // Luma only.
    ["Y10B", "Y16"],
  ]

  private static let ranks: [PixelFormat: Int] = {
    var ranks: [PixelFormat: Int] = [:]
    for (rank, row) in rows.enumerated() {
      for name in row { if let format = PixelFormat(name) { ranks[format] = rank } }
    }
    return ranks
  }()

  /// All formats that need conversion.
  package static var all: Set<PixelFormat> { Set(ranks.keys) }

  /// Returns whether frames of that format need a ``FrameConverter``.
  package static func contains(_ format: PixelFormat) -> Bool { ranks[format] != nil }

  /// Returns the rank of the format for stills, of which lower is better, or nil for other formats.
  static func rank(_ format: PixelFormat) -> Int? { ranks[format] }

  /// Returns whether the converted frame has luma only.
  static func isGrey(_ format: PixelFormat) -> Bool { ranks[format] == rows.count - 1 }

  /// Returns the minimum number of bytes of a picture of that size, or nil for compressed formats.
  static func bytes(_ format: PixelFormat, _ size: PixelSize) -> Int? {
    if let row = rowBytes(format, size.width) { return row * size.height }
    switch format.description {
    case "NV61": return size.width * size.height * 2
    case "M420", "S501", "S505", "S508", "CITV", "KONI", "S920":
      return size.width * size.height * 3 / 2
    case "S680": return size.width * size.height
    case "Y10B": return size.width * size.height * 5 / 4 + 1
    default: return nil
    }
  }

  /// Returns whether a frame has all its bytes; padding after the last row is not required, and
  /// unknown formats count as complete.
  static func isComplete(_ image: FrameImage) -> Bool {
    let (width, height) = (image.size.width, image.size.height)
    guard (1...65535).contains(width), (1...65535).contains(height) else { return true }
    guard let row = rowBytes(image.format, width) else {
      return image.bytes.count >= bytes(image.format, image.size) ?? 0
    }
    let line = max(min(image.bytesPerLine, RawLayout.longestLine), row)
    return image.bytes.count >= line * (height - 1) + row
  }

  /// Returns whether four samples share five bytes in the format.
  static func isPackedTen(_ format: PixelFormat) -> Bool {
    ["pBAA", "pGAA", "pgAA", "pRAA"].contains(format.description)
  }

  /// Returns the number of bytes of a row without padding, or nil if the width alone does not
  /// determine it.
  static func rowBytes(_ format: PixelFormat, _ width: Int) -> Int? {
    switch format.description {
    case "RGB3", "BGR3": width * 3
    case "XR24", "BX24", "AR24", "BA24", "RGB4", "BGR4": width * 4
    case "Y16", "BG10", "GB10", "BA10", "RG10", "BYR2", "GB16", "GR16", "RG16": width * 2
    case "BA81", "GBRG", "GRBG", "RGGB": width
    case "pBAA", "pGAA", "pgAA", "pRAA": (width * 5 + 3) / 4
    default: nil
    }
  }
}

extension FrameImage {
  /// Whether a frame has all its bytes; JPEG frames and unknown formats count as complete.
  var isComplete: Bool {
    if format.isJPEG { return true }
    return RawLayout(format)?.isComplete(self) ?? ConvertibleFormats.isComplete(self)
  }
}
