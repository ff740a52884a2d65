import Media
import Platform
import Testing

@testable import Capture

@Suite struct ModeChoiceTests {
  private func offer(_ format: PixelFormat, _ sizes: [(String, [String])]) -> FormatOffer {
    FormatOffer(
      format: format, isCompressed: format.isJPEG,
      sizes: sizes.compactMap { text, rates in
        PixelSize(text).map { SizeOffer(size: $0, rates: rates.compactMap { FrameRate($0) }) }
      })
  }

  private var webcam: [FormatOffer] {
    [
      offer(
        .yuyv,
        [
          ("640x480", ["30", "15"]), ("1280x720", ["10"]), ("1920x1080", ["5"]),
        ]),
      offer(
        .mjpeg,
        [
          ("640x480", ["30"]), ("1280x720", ["60", "30"]), ("1920x1080", ["30", "15"]),
          ("3840x2160", ["30"]),
        ]),
      FormatOffer(
        format: PixelFormat("H264") ?? .mjpeg, isCompressed: true,
        sizes: [SizeOffer(size: PixelSize(width: 4096, height: 2160), rates: [.thirty])]),
    ]
  }

  private func first(_ offers: [FormatOffer], _ wish: ModeWish) -> String {
    ModeChoice.order(offers, wish: wish).first.map {
      "\($0.size) \($0.format) \($0.rate.map(\.description) ?? "-")"
    } ?? "none"
  }

  @Test("the largest size at the rate wins, and JPEG where the bus cannot carry raw")
  func theLargestSizeAtTheRateWinsAndJPEGWhereTheBusCannotCarryRaw() {
    #expect(first(webcam, ModeWish()) == "1920x1080 MJPG 30")
  }

  @Test("the bound may be lifted") func theBoundMayBeLifted() {
    #expect(first(webcam, ModeWish(mostPixels: .max)) == "3840x2160 MJPG 30")
  }

  @Test("what the configuration says holds") func whatTheConfigurationSaysHolds() {
    let size = PixelSize("1280x720")
    #expect(first(webcam, ModeWish(size: size)) == "1280x720 MJPG 30")
    #expect(first(webcam, ModeWish(size: size, rate: FrameRate("60"))) == "1280x720 MJPG 60")
    #expect(first(webcam, ModeWish(format: .yuyv)) == "640x480 YUYV 30")
    #expect(first(webcam, ModeWish(size: size, format: .yuyv)) == "1280x720 YUYV 10")
    #expect(first(webcam, ModeWish(size: PixelSize("3840x2160"))) == "3840x2160 MJPG 30")
  }

  @Test("a slow camera is taken at its fastest") func aSlowCameraIsTakenAtItsFastest() {
    let slow = [offer(.yuyv, [("640x480", ["10"]), ("1920x1080", ["2"]), ("320x240", ["10"])])]
    #expect(first(slow, ModeWish()) == "640x480 YUYV 10")
  }

  @Test("a driver that names no rates is taken by its size")
  func aDriverThatNamesNoRatesIsTakenByItsSize() {
    #expect(
      first([offer(.yuyv, [("640x480", []), ("1280x720", [])])], ModeWish()) == "1280x720 YUYV -")
  }

  @Test(
    "a mode that does not exist is refused with what there is",
    arguments: [
      (
        ModeWish(size: PixelSize(width: 1234, height: 567)), "1234x567",
        "1920x1080, 1280x720, 640x480"
      ),
      (ModeWish(format: .nv12), "NV12", "YUYV, MJPG"),
      (
        ModeWish(size: PixelSize(width: 3840, height: 2160), format: .yuyv), "3840x2160",
        "1920x1080, 1280x720, 640x480"
      ),
    ])
  func aModeThatDoesNotExistIsRefusedWithWhatThereIs(
    _ wish: ModeWish, _ asked: String, _ list: String
  ) {
    #expect(ModeChoice.order(webcam, wish: wish).isEmpty)
    let error = ModeChoice.refusal(webcam, wish: wish)
    #expect(error.code == .noMode)
    #expect(error.message.contains(asked))
    #expect(error.message.contains(list))
    #expect(!error.message.contains("H264"))
  }

  @Test(
    "a choice is explained",
    arguments: [
      (ModeWish(), "1920x1080 MJPG", "3840x2160", false),
      (ModeWish(format: .yuyv), "640x480 YUYV", "1920x1080 reaches only 5 fps", true),
      (ModeWish(format: .yuyv), "640x480 YUYV", "the configuration names the format", true),
      (
        ModeWish(size: PixelSize(width: 1280, height: 720)), "1280x720 MJPG",
        "MJPG, for YUYV reaches only 10 fps", true
      ),
    ])
  func aChoiceIsExplained(_ wish: ModeWish, _ mode: String, _ words: String, _ isSaid: Bool) throws
  {
    let (best, reason) = try #require(ModeChoice.explain(webcam, wish: wish))
    #expect("\(best.size) \(best.format)" == mode)
    #expect(reason.contains(words) == isSaid, "\(reason)")
  }

  @Test("a rate that does not exist is refused with those that do")
  func aRateThatDoesNotExistIsRefusedWithThoseThatDo() {
    let wish = ModeWish(size: PixelSize("1280x720"), format: .mjpeg, rate: FrameRate("25"))
    #expect(ModeChoice.order(webcam, wish: wish).isEmpty)
    let message = ModeChoice.refusal(webcam, wish: wish).message
    #expect(message.contains("no rate 25 at 1280x720 in MJPG; it has 60, 30"))
    let close = ModeWish(size: PixelSize("1280x720"), rate: FrameRate("30000/1001"))
    #expect(first(webcam, close) == "1280x720 MJPG 30")
  }

  @Test(
    arguments: [
      ("30", 30, 1), ("7.5", 7500, 1000), ("30000/1001", 30000, 1001), ("0.5", 500, 1000),
    ] as [(String, UInt32, UInt32)])
  func ratesAreRead(_ text: String, _ frames: UInt32, _ seconds: UInt32) {
    #expect(FrameRate(text) == FrameRate(frames: frames, seconds: seconds))
  }

  @Test(
    "what is no rate is refused",
    arguments: ["", "0", "-1", "x", "1/0", "0/1", "nan", "inf", "1e9", "5000", "1/2/3"])
  func whatIsNoRateIsRefused(_ text: String) {
    #expect(FrameRate(text) == nil)
  }

  @Test(
    "rates are written short",
    arguments: [
      ("30", "30"), ("7.5", "7.5"), ("30000/1001", "29.97"), ("12.25", "12.25"),
    ])
  func ratesAreWrittenShort(_ text: String, _ short: String) {
    #expect(FrameRate(text)?.description == short)
  }
}
