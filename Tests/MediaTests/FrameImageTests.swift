import Media
import Testing

@Suite("A view of a frame")
struct FrameImageTests {
  @Test("is copied with all of its planes, as far as there is room", arguments: [24, 23, 17, 4, 0])
  func copies(room: Int) {
    let bytes = (0..<24).map(UInt8.init)
    bytes.withUnsafeBytes { bytes in
      func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[range])
      }
      var image = FrameImage(
        bytes: part(0..<16), format: .yuv420, size: PixelSize(width: 4, height: 4),
        bytesPerLine: 4)
      image.second = Plane(part(16..<20), bytesPerLine: 2)
      image.third = Plane(part(20..<24), bytesPerLine: 3)
      #expect(image.byteCount == 24)
      var memory = [UInt8](repeating: 0xEE, count: room)
      let planes = memory.withUnsafeMutableBytes { room in
        let copy = image.copied(into: room)
        #expect(copy.second?.bytesPerLine == 2)
        #expect(copy.third?.bytesPerLine == 3)
        return [copy.bytes, copy.second?.bytes, copy.third?.bytes].map { Array($0 ?? part(0..<0)) }
      }
      #expect(planes.map(\.count) == [min(room, 16), max(0, min(room - 16, 4)), max(0, room - 20)])
      #expect(Array(planes.joined()) == Array(bytes.prefix(room)))
      #expect(memory == Array(bytes.prefix(room)))
    }
  }
}
