import Foundation
import Imaging
import Media
import Platform
import StationTestSupport
import Testing

@Suite struct StillToolTests {
  static let size = PixelSize(width: 128, height: 80)

  static func still(
    _ bytes: [UInt8], name: String = "", raw: String? = nil, box: PixelRect? = nil,
    _ orientation: Orientation = Orientation()
  ) throws -> Still {
    var tool = StillTool()
    return try bytes.withUnsafeBytes {
      try tool.still(
        of: $0, name: name, raw: raw.flatMap { StillTool.RawDescription($0) },
        orientation: orientation, box: box)
    }
  }

  static func code(_ body: () throws -> Still) -> StillError.Code? {
    do {
      _ = try body()
      return nil
    } catch { return (error as? StillError)?.code }
  }

  @Test("a file's own orientation comes first", arguments: 1...8)
  func aFilesOwnOrientationComesFirst(_ orientation: Int) throws {
    let frame = SampleFrames.jpeg(Self.size, .s420, quality: 95)
    let source = try #require(ReferencePicture(decoding: frame))
    let file = SampleFrames.inserting(
      0xE1, Array("Exif\0\0".utf8) + PictureOpenerTests.exif(orientation, isLittle: true),
      in: frame)
    let settings = Orientation(mount: .clockwise, mirror: .saved, enforce: .off)
    let still = try Self.still(file, name: "in.jpg", settings)
    #expect(still.isLossless)
    let expected = PictureOpenerTests.upright(source, orientation).turnedClockwise.mirrored
    let found = try #require(ReferencePicture(decoding: still.bytes())?.difference(expected))
    #expect(found.mean < 1)
  }

  @Test("PNG and progressive files and raw dumps become stills")
  func pngAndProgressiveFilesAndRawDumpsBecomeStills() throws {
    let frame = SampleFrames.jpeg(Self.size, .s420)
    let progressive = try Tools.run("jpegtran", ["-progressive"], on: frame).output
    let picture = ReferencePicture(size: Self.size, pixels: SampleFrames.pixels(Self.size))
    let dump = SampleFrames.packed(SampleFrames.samples(Self.size)).bytes
    for still in [
      try Self.still(progressive, name: "a.JPEG"),
      try Self.still(PictureOpenerTests.png(picture), name: "a.png"),
      try Self.still(dump, name: "a.raw", raw: "YUYV:128x80"),
    ] {
      #expect(still.size == PixelSize(width: 60, height: 80))
      #expect(ReferencePicture(decoding: still.bytes()) != nil)
    }
  }

  @Test("bad input is refused in one sentence") func badInputIsRefusedInOneSentence() throws {
    let frame = SampleFrames.jpeg(Self.size, .s420)
    let png = PictureOpenerTests.png(
      ReferencePicture(size: Self.size, pixels: SampleFrames.pixels(Self.size)))
    #expect(Self.code { try Self.still(Array("no".utf8), name: "a.jpg") } == .unsupported)
    #expect(Self.code { try Self.still(frame, name: "a.png") } == .unsupported)
    #expect(Self.code { try Self.still(png, name: "a.jpg") } == .unsupported)
    #expect(Self.code { try Self.still(frame, raw: "YUYV:640x480") } == .unsupported)
    #expect(Self.code { try Self.still(frame, raw: "WXYZ:64x48") } == .unsupported)
    #expect(
      Self.code { try Self.still(frame, box: PixelRect(x: 9, y: 9, width: 900, height: 9)) }
        == .badCrop)
    #expect(StillTool.RawDescription("YUYV") == nil)
    #expect(StillTool.RawDescription("YUYV:0x9") == nil)
  }

  @Test("the file written is the still") func theFileWrittenIsTheStill() throws {
    let still = try Self.still(SampleFrames.jpeg(Self.size, .s420))
    let path = NSTemporaryDirectory() + "retake-still-\(UInt64.random(in: 0 ... .max)).jpg"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try still.write(to: path)
    #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == still.bytes())
    #expect(throws: SystemError.self) { try still.write(to: "/nowhere/at/all.jpg") }
  }
}
