import Media
import StationTestSupport
import Testing

@testable import Capture

/// Tests that a camera with pictures below the minimum size is refused wherever its size is stated.
@Suite struct SizeTests {
  private static let small = [(1, 4000), (4000, 1), (15, 480), (640, 15), (1, 1)].map {
    PixelSize(width: $0.0, height: $0.1)
  }

  @Test("as its only size", arguments: SizeTests.small) func asItsOnlySize(_ size: PixelSize) throws
  {
    let device = ScriptedCamera([ScriptedFormat(.mjpeg, [(size, [30])]) { _ in [65536] }]) { _ in
      .picture([samplePicture(1, size: size)])
    }
    let bench = try Bench(device)
    bench.step(60) { false }
    #expect(bench.camera.counts.frames == 0)
    #expect(bench.camera.error?.code == .noMode)
    let message = bench.camera.error?.message ?? ""
    #expect(message.contains("\(size), and 16x16 are needed"), "\(message)")
  }

  @Test("as what it grants whatever is asked", arguments: SizeTests.small)
  func asWhatItGrantsWhateverIsAsked(_ size: PixelSize) throws {
    let device = Bench.mjpegCamera { _ in .picture([samplePicture(1, size: size)]) }
    device.forcedSize = size
    let bench = try Bench(device)
    bench.step(60) { false }
    #expect(bench.camera.counts.frames == 0)
    #expect(bench.camera.granted == nil)
    let message = bench.camera.error?.message ?? ""
    #expect(message.contains("\(size), and 16x16 are needed"), "\(message)")
  }

  @Test("as one of many it is passed over") func asOneOfManyItIsPassedOver() throws {
    let sizes = SizeTests.small.map { ($0, [UInt32(30)]) } + Bench.sizes
    let bench = try Bench(
      ScriptedCamera([ScriptedFormat(.mjpeg, sizes) { _ in [65536] }], script: Bench.pictures))
    #expect(bench.stream(3))
    #expect(bench.camera.granted?.size == PixelSize(width: 1280, height: 720))
  }

  @Test("as a wish of the configuration") func asAWishOfTheConfiguration() {
    let offers = [
      FormatOffer(format: .mjpeg, sizes: [], hasAnySize: true)
    ]
    let wish = ModeWish(size: PixelSize(width: 1, height: 4000))
    #expect(ModeChoice.order(offers, wish: wish).isEmpty)
    #expect(ModeChoice.refusal(offers, wish: wish).message.contains("1x4000"))
  }
}
