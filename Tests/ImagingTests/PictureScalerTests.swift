import Imaging
import Platform
import StationTestSupport
import Testing

@Suite struct PictureScalerTests {
  @Test(arguments: SampleFrames.Sampling.allCases)
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
