import CJPEG
import Media

/// A matrix that converts full-range samples with other weights to JPEG's weights, ITU-R BT.601.
///
/// Grey stays grey, because luma changes only by shares of both chroma samples.
struct ColourMatrix: Equatable {
  // The shares in units of 1/8192: of Cb and Cr that are added to luma, then of both that make Cb,
  // then of both that make Cr.
  private let shares: SIMD8<Int16>

  /// Creates the matrix for samples with `weights`, or returns nil for JPEG's own weights.
  init?(_ weights: ColorEncoding) {
    switch weights {
    case .bt601: return nil
    case .bt709: shares = Self.fromBT709
    case .bt2020: shares = Self.fromBT2020
    }
  }

  private static let fromBT709 = shares(red: 0.2126, blue: 0.0722)
  private static let fromBT2020 = shares(red: 0.2627, blue: 0.0593)

  /// Returns the shares for luma with these weights of red and blue.
  private static func shares(red: Double, blue: Double) -> SIMD8<Int16> {
    let green = 1 - red - blue
    // These factors give red, green and blue from chroma, without luma, which stays.
    let (redOfRed, blueOfBlue) = (2 * (1 - red), 2 * (1 - blue))
    let (greenOfRed, greenOfBlue) = (-redOfRed * red / green, -blueOfBlue * blue / green)
    let lumaOfBlue = 0.587 * greenOfBlue + 0.114 * blueOfBlue
    let lumaOfRed = 0.299 * redOfRed + 0.587 * greenOfRed
    let shares = [
      lumaOfBlue, lumaOfRed, (blueOfBlue - lumaOfBlue) / 1.772, -lumaOfRed / 1.772,
      -lumaOfBlue / 1.402, (redOfRed - lumaOfRed) / 1.402,
    ]
    var whole = SIMD8<Int16>()
    for (index, share) in shares.enumerated() { whole[index] = Int16((share * 8192).rounded()) }
    return whole
  }

  /// Converts the samples of a picture, or of a part that begins with a chroma sample; `unit` is
  /// the area of luma samples that shares one.
  func apply(
    _ luma: UnsafeMutablePointer<UInt8>, _ lumaRow: Int, _ size: PixelSize,
    _ blue: UnsafeMutablePointer<UInt8>, _ red: UnsafeMutablePointer<UInt8>, _ chromaRow: Int,
    unit: PixelSize
  ) {
    withUnsafePointer(to: shares) { shares in
      shares.withMemoryRebound(to: Int16.self, capacity: 8) { shares in
        cjpeg_convert(
          luma, lumaRow, size.width, size.height, blue, red, chromaRow, unit.width, unit.height,
          shares)
      }
    }
  }
}
