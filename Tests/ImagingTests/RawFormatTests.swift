import Imaging
import Media
import StationTestSupport
import Testing

@Suite struct RawFormatTests {
  static let size = PixelSize(width: 75, height: 53)

  /// A frame of the same smooth picture in `name`, its padding full of rubbish; extra planes of
  /// multi-planar formats apart.
  static func frame(_ name: String, _ size: PixelSize) -> (planes: [[UInt8]], rows: [Int]) {
    let samples = SampleFrames.samples(size)
    let row = size.width + 13 + (size.width + 13) % 2
    func plane(
      _ values: [UInt8], _ width: Int, _ row: Int, everyOther: Bool = false
    ) -> [UInt8] {
      var rows: [UInt8] = []
      var y = 0
      while y * width < values.count {
        rows += values[y * width..<(y + 1) * width]
        rows += [UInt8](repeating: 0xEE, count: row - width)
        y += everyOther ? 2 : 1
      }
      return rows
    }
    let luma = plane(samples.luma, size.width, row)
    let chroma = samples.chromaWidth
    func pairs(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
      zip(first, second).flatMap { [$0, $1] }
    }
    switch name {
    case "NV12", "NV21", "NM12", "NM21":
      let together =
        name.hasSuffix("21")
        ? pairs(samples.red, samples.blue) : pairs(samples.blue, samples.red)
      let second = plane(together, chroma * 2, row, everyOther: true)
      return name.hasPrefix("NM") ? ([luma, second], [row, row]) : ([luma + second], [row])
    case "NV16", "NM16":
      let second = plane(pairs(samples.blue, samples.red), chroma * 2, row)
      return name == "NM16" ? ([luma, second], [row, row]) : ([luma + second], [row])
    case "YU12", "YV12", "YM12", "YM21":
      let blue = plane(samples.blue, chroma, row / 2, everyOther: true)
      let red = plane(samples.red, chroma, row / 2, everyOther: true)
      if name == "YM12" { return ([luma, blue, red], [row, row / 2, row / 2]) }
      if name == "YM21" { return ([luma, red, blue], [row, row / 2, row / 2]) }
      return ([luma + (name == "YU12" ? blue + red : red + blue)], [row])
    case "422P":
      return (
        [luma + plane(samples.blue, chroma, row / 2) + plane(samples.red, chroma, row / 2)], [row]
      )
    default:
      return ([luma], [row])
    }
  }

  static func with<Result>(
    _ name: String, _ size: PixelSize, cutBy missing: Int = 0,
    _ body: (FrameImage) throws -> Result
  ) throws -> Result {
    let (planes, rows) = frame(name, size)
    let joined = planes.flatMap { $0 }
    let memory = try #require(GuardedBytes(capacity: joined.count))
    return try memory.with(joined) { bytes in
      let first = planes[0].count - (planes.count == 1 ? missing : 0)
      var image = FrameImage(
        bytes: UnsafeRawBufferPointer(rebasing: bytes[..<first]),
        format: try #require(PixelFormat(name)), size: size, bytesPerLine: rows[0])
      image.range = .full
      if planes.count > 1 {
        func part(_ index: Int) -> UnsafeRawBufferPointer {
          guard index < planes.count else { return UnsafeRawBufferPointer(start: nil, count: 0) }
          let start = planes[..<index].reduce(0) { $0 + $1.count }
          let count = planes[index].count - (index == planes.count - 1 ? missing : 0)
          return UnsafeRawBufferPointer(rebasing: bytes[start..<start + max(0, count)])
        }
        image.second = Plane(part(1), bytesPerLine: rows[1])
        if rows.count > 2 { image.third = Plane(part(2), bytesPerLine: rows[2]) }
      }
      return try body(image)
    }
  }

  static let planarNames = [
    "NV12", "NV21", "NV16", "YU12", "YV12", "422P", "GREY", "NM12", "NM21", "NM16", "YM12",
    "YM21",
  ]

  @Test("planar stills are the turned frame", arguments: RawFormatTests.planarNames)
  func planarStillsAreTheTurnedFrame(_ name: String) throws {
    var maker = StillMaker()
    for size in [Self.size, PixelSize(width: 64, height: 48)] {
      var samples = SampleFrames.samples(size)
      if name == "GREY" {
        samples.blue = samples.blue.map { _ in 128 }
        samples.red = samples.red.map { _ in 128 }
      }
      let source = RawReference.picture(samples)
      for row in StillTableTests.rows {
        let still = try Self.with(name, size) { image in
          let inspection = FrameGate.inspect(image)
          #expect(inspection.verdict == .clean)
          return try maker.make(image, inspection: inspection, orientation: row.orientation)
        }
        let (upright, crops) = StillTableTests.upright(source, row.orientation)
        let box = StillTableTests.check(still, upright, crops: crops, row.orientation, slack: 2)
        let result = try #require(ReferencePicture(decoding: still.bytes()))
        let found = try #require(result.difference(upright.cropped(box)))
        #expect(found.largest <= 14 && found.mean < 3, "\(row) \(size) \(found)")
      }
    }
  }

  @Test(
    "a frame that lacks a row is short and nothing is read behind it",
    arguments: RawFormatTests.planarNames)
  func aFrameThatLacksARowIsShortAndNothingIsReadBehindIt(_ name: String) throws {
    for missing in [76, 200, 1000] {
      try Self.with(name, Self.size, cutBy: missing) { image in
        #expect(FrameGate.inspect(image).verdict == .damaged(.short), "\(missing)")
      }
    }
  }

  @Test("limited range is spread to what JPEG means") func limitedRangeIsSpreadToWhatJPEGMeans()
    throws
  {
    var maker = StillMaker()
    let size = PixelSize(width: 64, height: 96)
    for (luma, blue, red, expected) in [
      (16, 128, 128, SIMD3(0, 0, 0)), (235, 128, 128, SIMD3(255, 255, 255)),
      (81, 90, 240, SIMD3(255, 0, 0)), (145, 54, 34, SIMD3(0, 255, 0)),
      (41, 240, 110, SIMD3(0, 0, 255)),
    ] as [(UInt8, UInt8, UInt8, SIMD3<Int>)] {
      let bytes = [[UInt8]](repeating: [luma, blue, luma, red], count: 32 * 96).flatMap { $0 }
      let still = try bytes.withUnsafeBytes { bytes in
        let image = FrameImage(bytes: bytes, format: .yuyv, size: size, bytesPerLine: 128)
        return try maker.make(
          image, inspection: FrameGate.inspect(image), orientation: Orientation())
      }
      let difference = try #require(ReferencePicture(decoding: still.bytes()))[30, 40] &- expected
      #expect((0..<3).allSatisfy { abs(difference[$0]) <= 3 }, "\(expected) \(difference)")
    }
  }

  @Test("a preview is the whole frame smaller") func aPreviewIsTheWholeFrameSmaller() throws {
    var encoder = PreviewEncoder(maximumWidth: 40, quality: 95)
    for name in Self.planarNames + ["YUYV"] {
      let size = PixelSize(width: 96, height: 64)
      let samples = SampleFrames.samples(size)
      let packed = SampleFrames.packed(samples)
      let preview =
        try name == "YUYV"
        ? packed.bytes.withUnsafeBytes { bytes in
          var image = FrameImage(
            bytes: bytes, format: .yuyv, size: size, bytesPerLine: packed.bytesPerLine)
          image.range = .full
          return try encoder.encode(image)
        } : Self.with(name, size) { try encoder.encode($0) }
      #expect(preview.size == PixelSize(width: 32, height: 21))
      let small = try #require(ReferencePicture(decoding: preview.bytes()))
      guard name != "GREY" else { continue }
      let source = RawReference.picture(samples)
      for (x, y) in [(4, 4), (20, 10), (28, 18)] {
        let difference = small[x, y] &- source[x * 3 + 1, y * 3 + 1]
        #expect((0..<3).allSatisfy { abs(difference[$0]) <= 10 }, "\(name) \(difference)")
      }
    }
  }

  @Test("impossible sizes are refused") func impossibleSizesAreRefused() {
    let bytes = [UInt8](repeating: 0, count: 1000)
    bytes.withUnsafeBytes { bytes in
      for size in [
        PixelSize(width: 0, height: 10), PixelSize(width: -4, height: 10),
        PixelSize(width: .max, height: .max), PixelSize(width: 65535, height: 65535),
      ] {
        for name in Self.planarNames + ["YUYV"] {
          let image = FrameImage(
            bytes: bytes, format: PixelFormat(name) ?? .grey, size: size, bytesPerLine: .max)
          #expect(!FrameGate.inspect(image).isUsable)
        }
      }
    }
  }
}
