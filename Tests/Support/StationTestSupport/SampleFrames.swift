import CTurboJPEG
import Media

/// Frames as cameras send them, generated with the same bytes for the same arguments.
public enum SampleFrames {
  /// The chroma sampling of a JPEG.
  public enum Sampling: CaseIterable, Sendable {
    /// One chroma sample for 2x2, 2x1, 1x1 pixels, or none.
    case s420, s422, s444, gray

    var number: Int32 {
      switch self {
      case .s420: Int32(TJSAMP_420.rawValue)
      case .s422: Int32(TJSAMP_422.rawValue)
      case .s444: Int32(TJSAMP_444.rawValue)
      case .gray: Int32(TJSAMP_GRAY.rawValue)
      }
    }

    /// The minimum coded unit.
    public var unit: PixelSize {
      switch self {
      case .s420: PixelSize(width: 16, height: 16)
      case .s422: PixelSize(width: 16, height: 8)
      case .s444, .gray: PixelSize(width: 8, height: 8)
      }
    }
  }

  /// Returns RGB pixels, row by row, with gradients, edges and some noise.
  public static func pixels(_ size: PixelSize, seed: UInt64 = 1) -> [UInt8] {
    var noise = SplitMix(seed: seed)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(size.width * size.height * 3)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let grain = Int(noise.next() & 15)
        let cell = (x / 24 + y / 16) % 3
        pixels.append(UInt8(clamping: 20 + x * 200 / max(1, size.width) + grain))
        pixels.append(UInt8(clamping: 30 + y * 190 / max(1, size.height) + grain))
        pixels.append(UInt8(clamping: 40 + cell * 60 + (x + y) % 32 + grain))
      }
    }
    return pixels
  }

  /// A JPEG frame with its tables.
  public static func jpeg(
    _ size: PixelSize, _ sampling: Sampling = .s422, quality: Int = 85, seed: UInt64 = 1
  ) -> [UInt8] {
    guard let handle = tjInitCompress() else { return [] }
    defer { tjDestroy(handle) }
    var output: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    let result = tjCompress2(
      handle, pixels(size, seed: seed), Int32(size.width), 0, Int32(size.height),
      Int32(TJPF_RGB.rawValue), &output, &count, sampling.number, Int32(quality), 0)
    defer { tjFree(output) }
    guard result == 0 else { return [] }
    return Array(UnsafeBufferPointer(start: output, count: Int(count)))
  }

  /// Returns the segments before a JPEG's scan, each with its marker code and its byte range
  /// including the marker.
  public static func segments(_ jpeg: [UInt8]) -> [(code: UInt8, range: Range<Int>)] {
    var segments: [(UInt8, Range<Int>)] = []
    var at = 2
    while at + 3 < jpeg.count, jpeg[at] == 0xFF {
      let end = at + 2 + Int(jpeg[at + 2]) << 8 + Int(jpeg[at + 3])
      segments.append((jpeg[at + 1], at..<min(end, jpeg.count)))
      if jpeg[at + 1] == 0xDA { break }
      at = end
    }
    return segments
  }

  /// Returns the frame without Huffman tables, as most USB webcams send it.
  public static func withoutTables(_ jpeg: [UInt8]) -> [UInt8] {
    var stripped = jpeg
    for segment in segments(jpeg).reversed() where segment.code == 0xC4 {
      stripped.removeSubrange(segment.range)
    }
    return stripped
  }

  /// Returns the frame with a segment inserted after SOI.
  public static func inserting(_ code: UInt8, _ body: [UInt8], in jpeg: [UInt8]) -> [UInt8] {
    let length = body.count + 2
    return Array(jpeg[..<2]) + [0xFF, code, UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)] + body
      + jpeg[2...]
  }
}

/// A small generator with the same numbers every time.
public struct SplitMix: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Starts at `seed`.
  public init(seed: UInt64) { state = seed }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
