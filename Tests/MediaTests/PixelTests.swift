import Media
import Testing

@Suite struct PixelTests {
  @Test(
    "sizes are read as people write them",
    arguments: [
      ("1280x720", PixelSize(width: 1280, height: 720)), ("1x1", PixelSize(width: 1, height: 1)),
      ("65535x1", PixelSize(width: 65535, height: 1)), ("0x5", nil), ("65536x1", nil), ("12x", nil),
      ("x12", nil), ("12", nil), ("-1x4", nil), ("1x2x3", nil), ("", nil),
    ])
  func sizesAreReadAsPeopleWriteThem(text: String, size: PixelSize?) {
    #expect(PixelSize(text) == size)
  }

  @Test(
    "formats are their four characters",
    arguments: [
      ("MJPG", PixelFormat.mjpeg), ("YUYV", .yuyv), ("GREY", .grey), ("YU12", .yuv420),
    ])
  func formatsAreTheirFourCharacters(text: String, format: PixelFormat) {
    #expect(PixelFormat(text) == format)
    #expect(format.description == text)
  }

  @Test("a short format is filled with blanks and a long one is none")
  func aShortFormatIsFilledWithBlanksAndALongOneIsNone() {
    #expect(PixelFormat("Y8")?.rawValue == 0x2020_3859)
    #expect(PixelFormat("Y8")?.description == "Y8")
    #expect(PixelFormat("MJPEG") == nil)
    #expect(PixelFormat("") == nil)
  }
}
