import Imaging
import Media
import Shots
import StationTestSupport
import Testing

@Suite struct RawPreviewTests {
  @Test("a raw frame becomes a smaller JPEG") func aRawFrameBecomesASmallerJPEG() {
    let size = PixelSize(width: 320, height: 180)
    let frame = SampleFrames.packed(SampleFrames.samples(size))
    let encode = rawPreview(maximumWidth: 160)
    let target = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 1)
    defer { target.deallocate() }
    frame.bytes.withUnsafeBytes { bytes in
      var image = FrameImage(
        bytes: bytes, format: .yuyv, size: size, bytesPerLine: frame.bytesPerLine)
      let count = encode(image, target) ?? 0
      let made = JPEGGate.inspect(UnsafeRawBufferPointer(rebasing: target[..<count]))
      #expect(made.verdict == .clean)
      #expect(made.size == PixelSize(width: 160, height: 90))
      // No room, and bytes that cannot be such a frame.
      #expect(encode(image, UnsafeMutableRawBufferPointer(rebasing: target[..<100])) == nil)
      image.bytes = UnsafeRawBufferPointer(rebasing: bytes[..<100])
      #expect(encode(image, target) == nil)
    }
  }
}
