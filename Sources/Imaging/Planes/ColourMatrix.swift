import CJPEG
import Media

/// What brings full-range samples of other weights to those of JPEG, ITU-R BT.601.
///
/// Grey stays grey: luma changes by shares of both chroma samples, which mix among themselves.
struct ColourMatrix: Equatable {
  // Of 8192: what of Cb and of Cr is added to luma, then what of both makes Cb, and Cr.
  private let shares: SIMD8<Int16>

  /// The matrix for samples of `weights`; nil where there is nothing to do.
  init?(_ weights: ColorEncoding) {
    switch weights {
    case .bt601: return nil
    case .bt709: shares = Self.fromBT709
    case .bt2020: shares = Self.fromBT2020
    }
  }

  private static let fromBT709 = shares(red: 0.2126, blue: 0.0722)
  private static let fromBT2020 = shares(red: 0.2627, blue: 0.0593)

  /// The shares for luma of these weights of red and blue.
  private static func shares(red: Double, blue: Double) -> SIMD8<Int16> {
    let green = 1 - red - blue
    // Green and the others as the sample's luma and chroma give them, without luma, which stays.
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

  /// Changes the samples of one picture, or of a part that begins with a chroma sample; `unit` is
  /// how many luma samples share one.
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
