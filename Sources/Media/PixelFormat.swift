/// A V4L2 pixel format, identified by its four-character code (`videodev2.h`).
public struct PixelFormat: Hashable, Sendable, CustomStringConvertible {
  /// The code as the kernel stores it, with the first character in the lowest byte.
  public var rawValue: UInt32

  /// Creates the format with that code.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Parses a name like `YUYV`; shorter names are padded with blanks.
  ///
  /// Returns nil unless the name has 1 to 4 printable ASCII characters.
  public init?(_ name: String) {
    let bytes = Array(name.utf8)
    guard (1...4).contains(bytes.count), bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
      return nil
    }
    var value: UInt32 = 0
    for index in 0..<4 {
      value |= UInt32(index < bytes.count ? bytes[index] : 0x20) << (8 * UInt32(index))
    }
    self.init(rawValue: value)
  }

  // Four scalars avoid an optional, and the compiler folds them to a constant.
  private init(_ a: Unicode.Scalar, _ b: Unicode.Scalar, _ c: Unicode.Scalar, _ d: Unicode.Scalar) {
    rawValue = a.value | b.value << 8 | c.value << 16 | d.value << 24
  }

  /// Motion-JPEG, as most USB webcams send it; often without Huffman tables.
  public static let mjpeg = PixelFormat("M", "J", "P", "G")
  /// JFIF JPEG.
  public static let jpeg = PixelFormat("J", "P", "E", "G")
  /// Packed 4:2:2, luma first.
  public static let yuyv = PixelFormat("Y", "U", "Y", "V")
  /// Packed 4:2:2, chroma first.
  public static let uyvy = PixelFormat("U", "Y", "V", "Y")
  /// Packed 4:2:2, luma first, Cr before Cb.
  public static let yvyu = PixelFormat("Y", "V", "Y", "U")
  /// Packed 4:2:2, chroma first, Cr before Cb.
  public static let vyuy = PixelFormat("V", "Y", "U", "Y")
  /// 4:2:0, a luma plane and a plane of Cb and Cr interleaved.
  public static let nv12 = PixelFormat("N", "V", "1", "2")
  /// 4:2:0, a luma plane and a plane of Cr and Cb interleaved.
  public static let nv21 = PixelFormat("N", "V", "2", "1")
  /// 4:2:2, a luma plane and a plane of Cb and Cr interleaved.
  public static let nv16 = PixelFormat("N", "V", "1", "6")
  /// Planar 4:2:0.
  public static let yuv420 = PixelFormat("Y", "U", "1", "2")
  /// Planar 4:2:0, Cr before Cb.
  public static let yvu420 = PixelFormat("Y", "V", "1", "2")
  /// Planar 4:2:2.
  public static let yuv422p = PixelFormat("4", "2", "2", "P")
  /// 8-bit luma only.
  public static let grey = PixelFormat("G", "R", "E", "Y")

  /// Whether each frame is a JPEG picture.
  public var isJPEG: Bool { self == .mjpeg || self == .jpeg }

  /// The four characters, without trailing blanks; `.` for bytes that cannot be shown.
  public var description: String {
    var text = ""
    for index in 0..<4 {
      let byte = UInt8(truncatingIfNeeded: rawValue >> (8 * UInt32(index)))
      text.unicodeScalars.append(
        (0x20..<0x7F).contains(byte) ? Unicode.Scalar(byte) : Unicode.Scalar(UInt8(0x2E)))
    }
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }
}
