import StationTestSupport
import Testing

@testable import Media

@Suite("The reader of TIFF structures")
struct TIFFReaderTests {
  /// A structure with an orientation in the first directory, and a thumbnail in the second.
  private static func structure(
    isLittle: Bool, orientation: (type: Int, value: Int) = (3, 6), thumbnail: (Int, Int) = (100, 40)
  ) -> [UInt8] {
    func two(_ value: Int) -> [UInt8] {
      let bytes = [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
      return isLittle ? bytes.reversed() : bytes
    }
    func four(_ value: Int) -> [UInt8] {
      isLittle ? two(value) + two(value >> 16) : two(value >> 16) + two(value)
    }
    func entry(_ tag: Int, _ type: Int, _ value: [UInt8]) -> [UInt8] {
      two(tag) + two(type) + four(1) + value
    }
    let value =
      orientation.type == 3 ? two(orientation.value) + two(0) : four(orientation.value)
    let order: [UInt8] = isLittle ? [0x49, 0x49] : [0x4D, 0x4D]
    let parts = [
      order, two(42), four(8),
      two(2), entry(0x010F, 2, four(0)), entry(0x0112, orientation.type, value), four(38),
      two(2), entry(0x0201, 4, four(thumbnail.0)), entry(0x0202, 4, four(thumbnail.1)), four(0),
    ]
    return Array(parts.joined())
  }

  @Test("reads both orders of bytes", arguments: [true, false])
  func orders(isLittle: Bool) throws {
    try Self.structure(isLittle: isLittle).withUnsafeBytes { bytes in
      let tiff = try #require(TIFFReader(bytes))
      #expect(tiff.orientation == .left)
      #expect(tiff.thumbnail == 100..<140)
    }
  }

  @Test(
    "takes no orientation of another kind or beyond the eight",
    arguments: [(4, 6), (3, 0), (3, 9), (2, 1)])
  func orientations(type: Int, value: Int) throws {
    try Self.structure(isLittle: true, orientation: (type, value)).withUnsafeBytes { bytes in
      let tiff = try #require(TIFFReader(bytes))
      #expect(tiff.orientation == nil)
    }
  }

  @Test("survives the loss of any number of bytes, and any change")
  func hostile() throws {
    var random = SplitMix(seed: 3)
    let memory = try #require(GuardedBytes(capacity: 128))
    for round in 0..<5000 {
      var bytes = Self.structure(isLittle: round % 2 == 0)
      for _ in 0..<round % 4 {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      bytes.removeLast(Int(random.next() % UInt64(bytes.count)))
      memory.with(bytes) { guarded in
        guard let tiff = TIFFReader(guarded) else { return }
        _ = tiff.orientation
        _ = tiff.thumbnail
      }
    }
  }
}
