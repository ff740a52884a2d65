import Media

/// A table of 256 entries that maps samples to full range.
struct RangeTable: Sendable {
  private let entries: [UInt8]

  func withEntries(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    entries.withUnsafeBufferPointer(body)
  }

  private init(_ value: (Int) -> Int) {
    entries = (0..<256).map { UInt8(max(0, min(255, value($0)))) }
  }

  private static let same = RangeTable { $0 }
  // In ITU-R BT.601, luma has 219 steps from 16 and chroma has 224 around 128; in JFIF both have
  // 255.
  private static let lumaFromLimited = RangeTable { (($0 - 16) * 255 * 2 + 219) / (219 * 2) }
  private static let chromaFromLimited = RangeTable { value in
    let scaled = Double(value - 128) * 255 / 224
    return 128 + Int(scaled.rounded())
  }

  static func luma(_ range: SampleRange) -> RangeTable { range == .full ? same : lumaFromLimited }
  static func chroma(_ range: SampleRange) -> RangeTable {
    range == .full ? same : chromaFromLimited
  }
}
