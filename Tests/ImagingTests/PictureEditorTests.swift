import Media
import StationTestSupport
import Testing

@testable import Imaging

@Suite struct PictureEditorTests {
  private static let box = PixelRect(x: 16, y: 32, width: 96, height: 64)
  private static let frame = SampleFrames.jpeg(PixelSize(width: 320, height: 240), .s420)

  private func edited(_ jpeg: [UInt8], _ crop: PixelRect?, _ turns: Int) throws -> Still {
    var editor = PictureEditor()
    return try jpeg.withUnsafeBytes { try editor.edited($0, crop: crop, turns: turns) }
  }

  private func upright(_ jpeg: [UInt8]) throws -> PictureEditor.Upright {
    var editor = PictureEditor()
    return try jpeg.withUnsafeBytes { try editor.upright($0) }
  }

  /// Returns the expected picture after the edit, by cropping and turning decoded pixels.
  private func expected(_ jpeg: [UInt8], _ box: PixelRect, _ turns: Int) throws -> ReferencePicture
  {
    var picture = try #require(ReferencePicture(decoding: jpeg)).cropped(box)
    for _ in 0..<turns { picture = picture.turnedClockwise }
    return picture
  }

  @Test("moves the coefficients when the box lies on blocks", arguments: 0..<4)
  func lossless(turns: Int) throws {
    let still = try edited(Self.frame, Self.box, turns)
    #expect(still.isLossless)
    let made = try #require(ReferencePicture(decoding: still.bytes()))
    let difference = try #require(made.difference(try expected(Self.frame, Self.box, turns)))
    #expect(difference.largest <= 3)
  }

  @Test("encodes anew rather than move the box", arguments: 0..<4)
  func exact(turns: Int) throws {
    let jpeg = SampleFrames.jpeg(PixelSize(width: 317, height: 243), .s420)
    let box = PixelRect(x: 7, y: 11, width: 101, height: 55)
    let still = try edited(jpeg, box, turns)
    #expect(!still.isLossless)
    let made = try #require(ReferencePicture(decoding: still.bytes()))
    let difference = try #require(made.difference(try expected(jpeg, box, turns)))
    #expect(difference.mean < 6)
  }

  @Test("turns the whole picture to exactly its size", arguments: 0..<4)
  func turns(turns: Int) throws {
    let jpeg = SampleFrames.jpeg(PixelSize(width: 317, height: 243), .s422)
    let still = try edited(jpeg, nil, turns)
    let size = PixelSize(width: 317, height: 243)
    #expect(still.size == (turns % 2 == 0 ? size : size.turned))
  }

  @Test(
    "refuses a box outside the picture",
    arguments: [
      PixelRect(x: 1, y: 0, width: 320, height: 240), PixelRect(x: 0, y: 0, width: 0, height: 1),
      PixelRect(x: -1, y: 0, width: 4, height: 4),
      PixelRect(x: .max, y: .max, width: .max, height: .max),
      PixelRect(x: .min, y: 0, width: .max, height: 1),
    ])
  func outside(_ box: PixelRect) {
    #expect(throws: StillError.self) { _ = try edited(Self.frame, box, 0) }
  }

  @Test(
    "refuses what is no picture, with a reason",
    arguments: [
      [], [0xFF], [0xFF, 0xD8, 0xFF], [UInt8](repeating: 0, count: 5000),
      // As large as a picture can say that it is, and nothing in it.
      [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0xFF, 0xFF, 0xFF, 0xFF, 1, 1, 0x11, 0],
    ] as [[UInt8]])
  func noPicture(_ bytes: [UInt8]) {
    #expect(throws: StillError.self) {
      _ = try bytes.withUnsafeBytes { try PictureEditor.size(of: $0) }
    }
    #expect(throws: StillError.self) { _ = try upright(bytes) }
    #expect(throws: StillError.self) { _ = try edited(bytes, nil, 1) }
  }

  @Test("refuses a small file that claims more pixels than can be worked on")
  func claims() throws {
    // PNG's numbers go further than those of any decoder.
    for side in [[0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF]] as [[UInt8]] {
      let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      let head: [UInt8] = [0, 0, 0, 13] + Array("IHDR".utf8) + side + side + [8, 2, 0, 0, 0]
      let end: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]
      noPicture(signature + head + end)
    }
    // A JPEG whose frame header says 65500 by 65500.
    var jpeg = Self.frame
    let frame = try #require(jpeg.indices.first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
    jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
    #expect(throws: StillError.self) {
      _ = try edited(jpeg, PixelRect(x: 0, y: 65000, width: 100, height: 100), 0)
    }
  }

  @Test("passes an upright picture on as it is")
  func same() throws {
    let same = try upright(Self.frame)
    #expect(same.bytes == Self.frame)
    #expect(same.size == PixelSize(width: 320, height: 240))
  }

  @Test("turns a picture that EXIF turns; a box is one of what is shown", arguments: 2...8)
  func exif(_ orientation: Int) throws {
    let jpeg = SampleFrames.inserting(
      0xE1, Array("Exif\0\0".utf8) + PictureOpenerTests.exif(orientation, isLittle: true),
      in: Self.frame)
    let source = try #require(ReferencePicture(decoding: Self.frame))
    let shown = PictureOpenerTests.upright(source, orientation)
    #expect(try jpeg.withUnsafeBytes { try PictureEditor.size(of: $0) } == shown.size)
    let made = try upright(jpeg)
    let picture = try #require(ReferencePicture(decoding: made.bytes))
    #expect(try #require(picture.difference(shown)).mean < 6)
    let box = PixelRect(x: 32, y: 64, width: 128, height: 96)
    let cut = try #require(ReferencePicture(decoding: try edited(jpeg, box, 0).bytes()))
    #expect(try #require(cut.difference(shown.cropped(box))).mean < 6)
  }

  @Test("crops a progressive picture")
  func progressive() throws {
    let jpeg = try Tools.run("jpegtran", ["-progressive"], on: Self.frame).output
    let box = PixelRect(x: 33, y: 17, width: 100, height: 90)
    let made = try #require(ReferencePicture(decoding: try edited(jpeg, box, 1).bytes()))
    #expect(try #require(made.difference(try expected(jpeg, box, 1))).mean < 8)
  }
}
