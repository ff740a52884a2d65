import Platform
import Testing

@testable import Imaging

@Suite struct PictureEditorTests {
  private static let box = PixelRect(x: 16, y: 32, width: 96, height: 64)

  @Test(
    "moves the coefficients when the box lies on blocks, and gives exactly what was asked",
    arguments: 0..<4)
  func lossless(turns: Int) throws {
    let jpeg = try ReferencePicture.jpeg(width: 320, height: 240)
    var editor = PictureEditor()
    let still = try jpeg.withBytes { (bytes) throws(StillError) in
      try editor.edited(bytes, crop: Self.box, turns: turns)
    }
    #expect(still.isLossless)
    #expect(still.size == (turns % 2 == 0 ? Self.box.size : Self.box.size.turned))
    try expect(still.bytes(), is: jpeg, Self.box, turns, within: 1)
  }

  @Test("encodes anew rather than move the box", arguments: 0..<4)
  func exact(turns: Int) throws {
    let jpeg = try ReferencePicture.jpeg(width: 317, height: 243)
    let box = PixelRect(x: 7, y: 11, width: 101, height: 55)
    var editor = PictureEditor()
    let still = try jpeg.withBytes { (bytes) throws(StillError) in
      try editor.edited(bytes, crop: box, turns: turns)
    }
    #expect(!still.isLossless)
    #expect(still.size == (turns % 2 == 0 ? box.size : box.size.turned))
    try expect(still.bytes(), is: jpeg, box, turns, within: 12)
  }

  @Test("refuses a box outside the picture and what is no picture")
  func refusals() throws {
    let jpeg = try ReferencePicture.jpeg(width: 64, height: 48)
    var editor = PictureEditor()
    for box in [
      PixelRect(x: 1, y: 0, width: 64, height: 48), PixelRect(x: 0, y: 0, width: 0, height: 1),
      PixelRect(x: -1, y: 0, width: 4, height: 4),
      PixelRect(x: .max, y: .max, width: .max, height: .max),
    ] {
      #expect(throws: StillError.self) {
        _ = try jpeg.withBytes { (bytes) throws(StillError) in
          try editor.edited(bytes, crop: box, turns: 0)
        }
      }
    }
    for bytes: [UInt8] in [[], [0xFF], [0xFF, 0xD8, 0xFF], Array(repeating: 0, count: 5000)] {
      #expect(throws: StillError.self) {
        _ = try bytes.withBytes { (bytes) throws(StillError) in try PictureEditor.size(of: bytes) }
      }
      #expect(throws: StillError.self) {
        _ = try bytes.withBytes { (bytes) throws(StillError) in try editor.upright(bytes) }
      }
    }
  }

  @Test("passes an upright picture on as it is, and turns one that EXIF turns")
  func upright() throws {
    let jpeg = try ReferencePicture.jpeg(width: 320, height: 240)
    var editor = PictureEditor()
    let same = try jpeg.withBytes { (bytes) throws(StillError) in try editor.upright(bytes) }
    #expect(same.bytes == jpeg)
    let turned = ReferencePicture.exif(orientation: 6, in: jpeg)
    let size = try turned.withBytes { (bytes) throws(StillError) in
      try PictureEditor.size(of: bytes)
    }
    #expect(size == PixelSize(width: 240, height: 320))
    let made = try turned.withBytes { (bytes) throws(StillError) in try editor.upright(bytes) }
    #expect(made.size == size)
    try expect(
      made.bytes, is: jpeg, PixelRect(x: 0, y: 0, width: 320, height: 240), 1, within: 1)
    // A box in the turned picture is a box of what is shown.
    let cut = try turned.withBytes { (bytes) throws(StillError) in
      try editor.edited(bytes, crop: PixelRect(x: 0, y: 0, width: 240, height: 160), turns: 0)
    }
    try expect(
      cut.bytes(), is: jpeg, PixelRect(x: 0, y: 0, width: 160, height: 240), 1, within: 12)
  }
}
