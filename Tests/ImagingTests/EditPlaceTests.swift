import CTurboJPEG
import Media
import StationTestSupport
import Testing

@testable import Imaging

/// Tests that an edit of any picture has the pixels of its box, by comparison with the same part of
/// the decoded picture.
@Suite struct EditPlaceTests {
  /// Pixels whose values encode their position: two slopes, and a third one across.
  private static func map(_ size: PixelSize) -> ReferencePicture {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(size.width * size.height * 3)
    for y in 0..<size.height {
      for x in 0..<size.width {
        pixels.append(UInt8(30 + 200 * x / size.width))
        pixels.append(UInt8(30 + 200 * y / size.height))
        pixels.append(UInt8(30 + 100 * x / size.width + 100 * y / size.height))
      }
    }
    return ReferencePicture(size: size, pixels: pixels)
  }

  private static let samplings: [TJSAMP] = [
    TJSAMP_420, TJSAMP_422, TJSAMP_444, TJSAMP_440, TJSAMP_411, TJSAMP_GRAY,
  ]

  private static func jpeg(_ picture: ReferencePicture, _ sampling: TJSAMP) -> [UInt8] {
    guard let handle = tjInitCompress() else { return [] }
    defer { tjDestroy(handle) }
    var output: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    let result = tjCompress2(
      handle, picture.pixels, Int32(picture.size.width), 0, Int32(picture.size.height),
      Int32(TJPF_RGB.rawValue), &output, &count, Int32(sampling.rawValue), 97, 0)
    defer { tjFree(output) }
    return result == 0 ? Array(UnsafeBufferPointer(start: output, count: Int(count))) : []
  }

  /// The ways that a picture may be stored.
  private enum Storage: CaseIterable { case baseline, progressive, noEnd, trailing, png }

  private static func stored(
    _ jpeg: [UInt8], _ picture: ReferencePicture, _ storage: Storage, _ orientation: Int
  ) throws -> [UInt8] {
    let exif = PictureOpenerTests.exif(orientation, isLittle: orientation % 2 == 0)
    let turned = SampleFrames.inserting(0xE1, Array("Exif\0\0".utf8) + exif, in: jpeg)
    switch storage {
    case .baseline: return turned
    case .progressive:
      return try Tools.run("jpegtran", ["-progressive", "-copy", "all"], on: turned).output
    case .noEnd: return Array(turned.dropLast(2))
    case .trailing: return turned + [0, 1, 2, 0xFF, 0xD8, 0xFF, 0xE0]
    case .png:
      let png = PictureOpenerTests.png(picture)
      let chunk =
        [0, 0, 0, UInt8(exif.count)] + Array("eXIf".utf8) + exif
        + PictureOpenerTests.checksum(exif)
      return Array(png[..<33]) + chunk + Array(png[33...])
    }
  }

  @Test("has the pixels of its box: any size, sampling, orientation, storage, box and turn")
  func places() throws {
    var random = SplitMix(seed: 4)
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    var lossless = 0
    for round in 0..<160 {
      // Some have several strips, upright and turned.
      var size = PixelSize(
        width: number(20...(round % 8 == 0 ? 600 : 200)),
        height: number(20...(round % 8 == 4 ? 600 : 200)))
      if number(0...1) == 0 {
        size = PixelSize(width: (size.width + 31) / 32 * 32, height: (size.height + 31) / 32 * 32)
      }
      let sampling = Self.samplings[round % Self.samplings.count]
      let storage = Storage.allCases[number(0...4)]
      let orientation = number(1...8)
      let picture = Self.map(size)
      let jpeg = Self.jpeg(picture, sampling)
      let bytes = try Self.stored(jpeg, picture, storage, orientation)
      let source = storage == .png ? picture : try #require(ReferencePicture(decoding: jpeg))
      let shown = PictureOpenerTests.upright(source, orientation)
      let step = number(0...1) == 0 ? 1 : 16
      let (x, y) = (
        number(0...shown.size.width - 17) / step * step,
        number(0...shown.size.height - 17) / step * step
      )
      let box = PixelRect(
        x: x, y: y, width: number(8...shown.size.width - x),
        height: number(8...shown.size.height - y))
      let turns = number(0...3)
      var editor = PictureEditor()
      if number(0...3) == 0 { editor.memoryLimit = 4 << 20 }
      let still = try bytes.withBytes { (bytes) in
        try editor.edited(bytes, crop: box, turns: turns)
      }
      if still.isLossless { lossless += 1 }
      var wanted = shown.cropped(box)
      for _ in 0..<turns { wanted = wanted.turnedClockwise }
      let made = try #require(ReferencePicture(decoding: still.bytes()))
      let text = "\(round): \(size) \(sampling) \(storage) \(orientation) \(box) \(turns)"
      let difference = try #require(made.difference(wanted), Comment(rawValue: text))
      #expect(difference.mean < 4, Comment(rawValue: "\(text): \(difference)"))
      #expect(difference.largest < 40, Comment(rawValue: "\(text): \(difference)"))
    }
    #expect(lossless > 5)
  }

  @Test("turns a whole picture upright in its full size, or refuses it with the reason")
  func memory() throws {
    let size = PixelSize(width: 600, height: 450)
    let picture = Self.map(size)
    let jpeg = Self.jpeg(picture, TJSAMP_420)
    for (storage, limit, isRefused) in [
      (.baseline, 2 << 20, false), (.baseline, 600_000, false), (.baseline, 400_000, true),
      (.progressive, 2 << 20, false), (.progressive, 1 << 20, true), (.png, 2 << 20, false),
      (.png, 1 << 20, true),
    ] as [(Storage, Int, Bool)] {
      let bytes = try Self.stored(jpeg, picture, storage, 6)
      var editor = PictureEditor()
      editor.memoryLimit = limit
      let name = Comment(rawValue: "\(storage) \(limit)")
      do throws(StillError) {
        let upright = try bytes.withBytes { (bytes) throws(StillError) in
          try editor.upright(bytes)
        }
        #expect(upright.size == size.turned, name)
        let difference = ReferencePicture(decoding: upright.bytes)?.difference(
          picture.turnedClockwise)
        #expect(difference?.mean ?? 99 < 4, name)
        #expect(!isRefused, name)
      } catch {
        #expect(isRefused && error.code == .unsupported, name)
        #expect(error.message.contains("of memory"), name)
      }
    }
  }

  @Test("puts the end to a picture that lacks it, and leaves away what follows")
  func ends() throws {
    let jpeg = Self.jpeg(Self.map(PixelSize(width: 160, height: 120)), TJSAMP_420)
    let progressive = try Tools.run("jpegtran", ["-progressive"], on: jpeg).output
    let rest: [UInt8] = [0x55, 0xFF, 0xD8, 0xFF, 0xE1, 0, 0]
    for whole in [jpeg, progressive] {
      for bytes in [
        whole, whole + rest, Array(whole.dropLast(2)), Array(whole.dropLast(1)),
        whole.dropLast(2) + [0, 0, 0, 0],
      ] {
        var editor = PictureEditor()
        let upright = try bytes.withBytes { try editor.upright($0) }
        #expect(upright.bytes == whole)
        var opener = PictureOpener()
        let opened = try bytes.withBytes { try opener.open($0) }
        #expect(opened.size == PixelSize(width: 160, height: 120))
      }
      let half = Array(whole.prefix(whole.count * 2 / 3))
      var opener = PictureOpener()
      #expect(throws: StillError.self) { _ = try half.withBytes { try opener.open($0) } }
      let box = PixelRect(x: 1, y: 1, width: 100, height: 100)
      #expect(throws: StillError.self) {
        var editor = PictureEditor()
        _ = try half.withBytes { try editor.edited($0, crop: box, turns: 0) }
      }
    }
  }
}
