import Imaging
import Media
import StationTestSupport
import Testing

@Suite struct PictureScalerTests {
  private static let frame = PixelSize(width: 640, height: 480)

  /// A frame's small picture, as a review shows it.
  private func small(
    _ bytes: [UInt8], _ format: PixelFormat, bytesPerLine: Int, _ orientation: Orientation
  ) throws -> ReferencePicture {
    var scaler = PictureScaler()
    let made = try bytes.withUnsafeBytes { (bytes) throws in
      let image = FrameImage(
        bytes: bytes, format: format, size: Self.frame, bytesPerLine: bytesPerLine)
      return try scaler.scaled(
        image, inspection: FrameGate.inspect(image), orientation: orientation,
        fitting: PixelSize(width: 200, height: 200))
    }
    return try #require(ReferencePicture(decoding: made.bytes()))
  }

  @Test("a frame's small picture is upright and of the still's shape, of JPEG and raw frames")
  func frames() throws {
    let jpeg = SampleFrames.jpeg(Self.frame, .s422)
    let raw = SampleFrames.packed(SampleFrames.samples(Self.frame))
    var turned = Orientation()
    turned.mount = .clockwise
    for orientation in [Orientation(), turned] {
      let whole = StillGeometry(orientation, frame: Self.frame).size
      let pictures = [
        try small(jpeg, .mjpeg, bytesPerLine: 0, orientation),
        try small(raw.bytes, .yuyv, bytesPerLine: raw.bytesPerLine, orientation),
      ]
      for picture in pictures {
        #expect(max(picture.size.width, picture.size.height) <= 200)
        #expect(picture.size.isPortrait)
        let shape = Double(picture.size.width) / Double(picture.size.height)
        #expect(abs(shape - Double(whole.width) / Double(whole.height)) < 0.02)
      }
    }
    #expect(throws: StillError.self) {
      _ = try small(Array(raw.bytes.dropLast(2000)), .yuyv, bytesPerLine: raw.bytesPerLine, turned)
    }
  }

  @Test("a review picture is the still smaller", arguments: SampleFrames.Sampling.allCases)
  func aReviewPictureIsTheStillSmaller(_ sampling: SampleFrames.Sampling) throws {
    var scaler = PictureScaler()
    let frame = SampleFrames.jpeg(PixelSize(width: 319, height: 241), sampling)
    let source = try #require(ReferencePicture(decoding: frame))
    for eighths in 1...8 {
      let box = PixelSize(width: (319 * eighths + 7) / 8, height: (241 * eighths + 7) / 8)
      let made = try frame.withUnsafeBytes { try scaler.scaled($0, fitting: box, quality: 95) }
      #expect(made.size == box)
      let small = try #require(ReferencePicture(decoding: made.bytes()))
      var sum = 0
      for y in stride(from: 2, to: box.height - 2, by: 3) {
        for x in stride(from: 2, to: box.width - 2, by: 3) {
          let green = source[
            min(318, x * 8 / eighths + 4 / eighths), min(240, y * 8 / eighths + 4 / eighths)][1]
          sum += abs(green - small[x, y][1])
        }
      }
      #expect(sum / (box.width / 3 * (box.height / 3)) < 16, "\(eighths)")
    }
  }
}
