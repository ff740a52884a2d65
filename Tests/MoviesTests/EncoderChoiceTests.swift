import Imaging
import Media
import Testing

@testable import Movies

@Suite struct EncoderChoiceTests {
  private func choose(
    _ codec: MovieSettings.Codec, isJPEG: Bool = true
  ) throws(MovieError) -> MoviePlan.Coding {
    var settings = MovieSettings()
    settings.codec = codec
    return try EncoderChoice.coding(
      settings, orientation: Orientation(), frame: PixelSize(width: 320, height: 240), rate: 15,
      isJPEG: isJPEG)
  }

  @Test("what can encode here passed its own test: libx264 at some preset, or hardware")
  func h264() throws {
    let coding = try choose(.h264)
    guard case .h264(let encoder, let preset) = coding else {
      Issue.record("\(coding)")
      return
    }
    #expect(encoder == "h264_v4l2m2m" || preset != nil)
    #expect(try choose(.auto) == coding)
  }

  @Test("copies want a camera that sends JPEG pictures")
  func copy() throws {
    #expect(try choose(.copy) == .copy)
    do {
      _ = try choose(.copy, isJPEG: false)
      Issue.record("a copy of raw frames")
    } catch {
      #expect(error.code == .unsupported)
      #expect(error.operatorMessage.contains("h264"))
    }
  }

  @Test("a report has what was found, and the package that is wanted")
  func report() throws {
    let size = PixelSize(width: 320, height: 240)
    var settings = MovieSettings()
    let found = EncoderChoice.report(settings, frame: size, rate: 15)
    let wanted = try choose(.h264)
    #expect(found.coding == wanted)
    #expect(found.isWanted && found.problem.isEmpty)
    #expect(found.hardware.contains("h264_v4l2m2m"))
    settings.codec = .copy
    #expect(EncoderChoice.report(settings, frame: size).coding == .copy)
    let none = EncoderChoice.report(settings, frame: size, isJPEG: false)
    #expect(none.coding == nil && !none.isWanted && none.problem.contains("h264"))
    let version = try #require(EncoderChoice.version)
    #expect("libavcodec\(version.prefix { $0 != "." })" == EncoderChoice.package)
  }

  @Test("the quality is a rate factor between good and small, and bounds the bytes")
  func quality() {
    var settings = MovieSettings()
    let factors = [1, 50, 75, 100].map { quality in
      settings.quality = quality
      return settings.constantRateFactor
    }
    #expect(factors == [40, 28, 22, 16])
    settings.quality = 1
    let least = settings.bitRate(pixelsPerSecond: 20e6)
    settings.quality = 100
    #expect(settings.bitRate(pixelsPerSecond: 20e6) > least * 3)
  }

  @Test(
    "a movie's pictures have even sizes and the stills' shape",
    arguments: [
      (PixelSize(width: 1280, height: 720), PixelSize(width: 540, height: 720)),
      (PixelSize(width: 1920, height: 1080), PixelSize(width: 810, height: 1080)),
      (PixelSize(width: 641, height: 479), PixelSize(width: 358, height: 478)),
    ])
  func sizes(frame: PixelSize, picture: PixelSize) {
    let geometry = MoviePictureMaker.geometry(Orientation(), frame: frame)
    #expect(geometry.size == picture)
    #expect(geometry.crop.x % 4 == 0 && geometry.crop.y % 2 == 0)
  }
}
