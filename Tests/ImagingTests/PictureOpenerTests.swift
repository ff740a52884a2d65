import CPNG
import Imaging
import Media
import Platform
import StationTestSupport
import Testing

@Suite struct PictureOpenerTests {
  static let size = PixelSize(width: 88, height: 56)

  static func open(
    _ bytes: [UInt8], fitting box: PixelSize = PixelSize(width: 4096, height: 4096)
  ) throws -> EncodedPicture {
    var opener = PictureOpener()
    return try bytes.withUnsafeBytes { try opener.open($0, fitting: box, quality: 97) }
  }

  static func exif(_ orientation: Int, isLittle: Bool) -> [UInt8] {
    let entry: [UInt8] =
      isLittle
      ? [0x12, 0x01, 3, 0, 1, 0, 0, 0, UInt8(orientation), 0, 0, 0]
      : [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0]
    return
      (isLittle
      ? [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0] : [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1])
      + entry + [0, 0, 0, 0]
  }

  static func png(_ picture: ReferencePicture) -> [UInt8] {
    var image = png_image()
    image.version = UInt32(PNG_IMAGE_VERSION)
    image.width = UInt32(picture.size.width)
    image.height = UInt32(picture.size.height)
    image.format = UInt32(PNG_FORMAT_FLAG_COLOR)
    var count = 0
    _ = png_image_write_to_memory(&image, nil, &count, 0, picture.pixels, 0, nil)
    var bytes = [UInt8](repeating: 0, count: count)
    _ = png_image_write_to_memory(&image, &bytes, &count, 0, picture.pixels, 0, nil)
    return bytes
  }

  /// Returns the upright picture of one that is stored with an EXIF orientation.
  static func upright(_ picture: ReferencePicture, _ orientation: Int) -> ReferencePicture {
    let once = picture.turnedClockwise
    let twice = once.turnedClockwise
    switch orientation {
    case 2: return picture.mirrored
    case 3: return twice
    case 4: return twice.mirrored
    case 5: return once.mirrored
    case 6: return once
    case 7: return twice.turnedClockwise.mirrored
    case 8: return twice.turnedClockwise
    default: return picture
    }
  }

  @Test("all orientations are shown upright", arguments: 0...9)
  func allOrientationsAreShownUpright(_ orientation: Int) throws {
    for (sampling, isLittle) in [(SampleFrames.Sampling.s444, true), (.s420, false)] {
      let frame = SampleFrames.jpeg(Self.size, sampling, quality: 95)
      let source = try #require(ReferencePicture(decoding: frame))
      let file = SampleFrames.inserting(
        0xE1, Array("Exif\0\0".utf8) + Self.exif(orientation, isLittle: isLittle), in: frame)
      for bytes in [
        file, try Tools.run("jpegtran", ["-progressive", "-copy", "all"], on: file).output,
      ] {
        let opened = try #require(ReferencePicture(decoding: Self.open(bytes).bytes()))
        let found = try #require(opened.difference(Self.upright(source, orientation)))
        #expect(found.mean < 3, "\(sampling) \(found)")
      }
    }
  }

  @Test("a PNG is opened upright too") func aPNGIsOpenedUprightToo() throws {
    let source = ReferencePicture(
      size: Self.size, pixels: RawReference.picture(SampleFrames.samples(Self.size)).pixels)
    let png = Self.png(source)
    let plain = try #require(ReferencePicture(decoding: Self.open(png).bytes()))
    #expect(try #require(plain.difference(source)).mean < 3)
    // A chunk's checksum is not asked for where libpng does not read the chunk.
    let exif = Self.exif(6, isLittle: false)
    let chunk = [0, 0, 0, UInt8(exif.count)] + Array("eXIf".utf8) + exif + Self.checksum(exif)
    let turned = try #require(
      ReferencePicture(decoding: Self.open(Array(png[..<33]) + chunk + Array(png[33...])).bytes()))
    #expect(try #require(turned.difference(source.turnedClockwise)).mean < 3)
  }

  static func checksum(_ body: [UInt8]) -> [UInt8] {
    var sum = UInt32.max
    for byte in Array("eXIf".utf8) + body {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    sum = ~sum
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
  }

  @Test("large pictures are made to fit") func largePicturesAreMadeToFit() throws {
    let frame = SampleFrames.jpeg(PixelSize(width: 640, height: 360), .s422)
    for (box, size) in [
      (PixelSize(width: 640, height: 640), PixelSize(width: 640, height: 360)),
      (PixelSize(width: 500, height: 500), PixelSize(width: 480, height: 270)),
      (PixelSize(width: 100, height: 100), PixelSize(width: 80, height: 45)),
      (PixelSize(width: 10, height: 10), PixelSize(width: 80, height: 45)),
    ] {
      let opened = try Self.open(frame, fitting: box)
      #expect(opened.size == size)
      #expect(ReferencePicture(decoding: opened.bytes())?.size == size)
    }
  }

  static func refusal(_ bytes: [UInt8]) -> StillError.Code? {
    do {
      _ = try open(bytes)
      return nil
    } catch { return (error as? StillError)?.code }
  }

  @Test("hostile files are refused before they cost anything")
  func hostileFilesAreRefusedBeforeTheyCostAnything() throws {
    let frame = SampleFrames.jpeg(Self.size, .s420)
    let header = try #require(SampleFrames.segments(frame).first { $0.code == 0xC0 }).range
    func changed(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
      var bytes = frame
      change(&bytes)
      return bytes
    }
    let bomb = changed { bytes in
      for offset in [5, 7] { bytes[header.lowerBound + offset] = 0xFF }
    }
    let scan = try #require(SampleFrames.segments(frame).last).range
    let progressive = try Tools.run("jpegtran", ["-progressive"], on: frame).output
    // The last scan over and over.
    var last = progressive.count - 2
    while progressive[last - 2] != 0xFF || progressive[last - 1] != 0xDA { last -= 1 }
    let again = Array(progressive[(last - 2)..<progressive.count - 2])
    var scans = Array(progressive.dropLast(2))
    for _ in 0..<40_000 { scans += again }
    var png = Self.png(
      ReferencePicture(
        size: PixelSize(width: 2, height: 2), pixels: [UInt8](repeating: 7, count: 12)))
    png.replaceSubrange(16..<24, with: [0, 0, 0xFF, 0, 0, 0, 0xFF, 0])
    for (name, bytes) in [
      ("nothing", []), ("text", Array("GIF89a".utf8)), ("start only", [0xFF, 0xD8, 0xFF]),
      ("bomb", bomb), ("cut", Array(frame.prefix(frame.count / 2))),
      ("cut header", Array(frame.prefix(scan.lowerBound))),
      (
        "length 0",
        changed {
          $0[4] = 0; $0[5] = 0
        }
      ), ("length 1", changed { $0[5] = 1 }),
      (
        "length past the end",
        changed {
          $0[4] = 0xFF; $0[5] = 0xFF
        }
      ),
      ("12 bits", changed { $0[header.lowerBound + 4] = 12 }),
      ("arithmetic", changed { $0[header.lowerBound + 1] = 0xC9 }),
      (
        "no width",
        changed {
          $0[header.lowerBound + 7] = 0; $0[header.lowerBound + 8] = 0
        }
      ),
      ("many scans", scans + [0xFF, 0xD9]), ("PNG bomb", png), ("PNG cut", Array(png.dropLast(9))),
    ] as [(String, [UInt8])] {
      let code = Self.refusal(bytes)
      #expect(
        code == .unsupported || code == .decoderWarning, "\(name): \(String(describing: code))")
    }
  }

  @Test("no change of bytes traps") func noChangeOfBytesTraps() throws {
    var random = SplitMix(seed: 21)
    let frame = SampleFrames.inserting(
      0xE1, Array("Exif\0\0".utf8) + Self.exif(6, isLittle: true),
      in: SampleFrames.jpeg(Self.size, .s420))
    let progressive = try Tools.run("jpegtran", ["-progressive", "-copy", "all"], on: frame).output
    let png = Self.png(ReferencePicture(size: Self.size, pixels: SampleFrames.pixels(Self.size)))
    let seeds = [frame, progressive, png]
    let memory = try #require(GuardedBytes(capacity: seeds.map(\.count).max() ?? 0))
    var opener = PictureOpener()
    var opened = 0
    for round in 0..<3_000 {
      var bytes = seeds[round % 3]
      for _ in 0...random.next() % 5 {
        let place = Int(random.next() % UInt64(round % 2 == 0 ? 700 : bytes.count))
        bytes[min(place, bytes.count - 1)] = UInt8(truncatingIfNeeded: random.next())
      }
      if round % 7 == 0 { bytes.removeLast(Int(random.next() % UInt64(bytes.count))) }
      if (try? memory.with(bytes, { try opener.open($0) })) != nil { opened += 1 }
    }
    #expect(opened > 100)
  }
}
