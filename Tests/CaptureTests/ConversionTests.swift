import Media
import StationTestSupport
import Testing

@testable import Capture

@Suite struct ConversionTests {
  private static let size = PixelSize(width: 64, height: 48)

  // BT.601, limited range.
  private static func expected(_ red: Double, _ green: Double, _ blue: Double) -> [Int] {
    [
      16 + 0.257 * red + 0.504 * green + 0.098 * blue,
      128 - 0.148 * red - 0.291 * green + 0.439 * blue,
      128 + 0.439 * red - 0.368 * green - 0.071 * blue,
    ].map { Int($0.rounded()) }
  }

  // One colour all over, as that format has it.
  static func frame(
    _ name: String, _ colour: (UInt8, UInt8, UInt8), _ size: PixelSize = size, padding: Int = 0
  ) -> [UInt8] {
    let (red, green, blue) = colour
    var bytes: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        switch name {
        case "RGB3": bytes += [red, green, blue]
        case "BGR3": bytes += [blue, green, red]
        case "XR24": bytes += [blue, green, red, 0]
        // The first row's first two pixels, then the second row's.
        case "BA81": bytes.append([blue, green, green, red][(y & 1) * 2 + (x & 1)])
        case "RGGB": bytes.append([red, green, green, blue][(y & 1) * 2 + (x & 1)])
        case "GRBG": bytes.append([green, red, blue, green][(y & 1) * 2 + (x & 1)])
        case "GBRG": bytes.append([green, blue, red, green][(y & 1) * 2 + (x & 1)])
        case "RG10":
          let value = UInt16([red, green, green, blue][(y & 1) * 2 + (x & 1)]) << 2
          bytes += [UInt8(value & 255), UInt8(value >> 8)]
        case "Y16": bytes += [0, green]
        default: break
        }
      }
      bytes += [UInt8](repeating: 0xEE, count: padding)
    }
    return bytes
  }

  private func convert(
    _ bytes: [UInt8], _ name: String, _ size: PixelSize, line: Int = 0
  ) throws -> (PixelSize, [Int]) {
    let converter = try #require(FrameConverter())
    let format = try #require(PixelFormat(name))
    return try bytes.withUnsafeBytes { bytes in
      let image = try converter.convert(
        FrameImage(bytes: bytes, format: format, size: size, bytesPerLine: line))
      #expect(image.format == .yuv420)
      #expect(image.range == .limited)
      let luma = image.size.width * image.size.height
      // Inside, away from the edges that a sensor's pattern blurs.
      let middle = image.size.width * (image.size.height / 2) + image.size.width / 2
      let chroma = (image.size.width / 2) * (image.size.height / 4) + image.size.width / 4
      return (
        image.size,
        [
          Int(image.bytes[middle]), Int(image.bytes[luma + chroma]),
          Int(image.bytes[luma + luma / 4 + chroma]),
        ]
      )
    }
  }

  @Test(
    arguments: ["RGB3", "BGR3", "XR24", "BA81", "RGGB", "GRBG", "GBRG", "RG10"],
    [(200, 60, 40), (30, 180, 90), (20, 40, 220)] as [(UInt8, UInt8, UInt8)])
  func coloursStayWhatTheyAre(_ name: String, _ colour: (UInt8, UInt8, UInt8)) throws {
    let expected = ConversionTests.expected(Double(colour.0), Double(colour.1), Double(colour.2))
    let size = ConversionTests.size
    let (_, found) = try convert(ConversionTests.frame(name, colour), name, size)
    for (found, expected) in zip(found, expected) {
      #expect(abs(found - expected) <= 4, "\(name): \(found) for \(expected)")
    }
  }

  @Test("padding and odd sizes are honoured", arguments: ["RGB3", "RGGB", "RG10", "XR24"])
  func paddingAndOddSizesAreHonoured(_ name: String) throws {
    let size = PixelSize(width: 65, height: 49)
    let bytes = ConversionTests.frame(name, (200, 60, 40), size, padding: 12)
    let line = bytes.count / size.height
    let (got, found) = try convert(Array(bytes.dropLast(12)), name, size, line: line)
    #expect(got == PixelSize(width: 64, height: 48))
    let expected = ConversionTests.expected(200, 60, 40)
    for (found, expected) in zip(found, expected) { #expect(abs(found - expected) <= 4) }
  }

  @Test(
    "a frame that is too short is refused, and nothing else",
    arguments: ["RGB3", "BA81", "RG10", "P207", "CPIA", "M420", "S501", "Y10B"])
  func aFrameThatIsTooShortIsRefusedAndNothingElse(_ name: String) throws {
    for count in [0, 1, 100, 1000] {
      #expect(throws: CaptureError.self) {
        _ = try convert([UInt8](repeating: 0x55, count: count), name, ConversionTests.size)
      }
    }
  }

  @Test("what it does not know is refused in words") func whatItDoesNotKnowIsRefusedInWords() throws
  {
    do {
      _ = try convert([0, 0, 0, 0], "H264", ConversionTests.size)
      Issue.record("it was converted")
    } catch let error as CaptureError {
      #expect(error.code == .noMode)
      #expect(error.message.contains("H264"))
    }
  }

  @Test("colour that has to be converted comes after our own formats and before grey")
  func colourThatHasToBeConvertedComesAfterOurOwnFormatsAndBeforeGrey() {
    let size = SizeOffer(size: ConversionTests.size, rates: [.thirty])
    let names = ["GREY", "BA81", "RGB3", "NV12", "H264", "Y16"]
    let offers = names.compactMap { PixelFormat($0) }.map {
      FormatOffer(format: $0, isCompressed: $0.description == "H264", sizes: [size])
    }
    let order = ModeChoice.order(offers, wish: ModeWish()).map(\.format.description)
    #expect(order == ["NV12", "RGB3", "BA81", "GREY", "Y16"])
  }

  @Test("a viewer of a raw camera gets converted frames")
  func aViewerOfARawCameraGetsConvertedFrames() throws {
    let size = ConversionTests.size
    let device = ScriptedCamera(
      [ScriptedFormat(PixelFormat("RGB3") ?? .grey, [(size, [30])]) { [$0.width * $0.height * 3] }]
    ) { _ in .picture([ConversionTests.frame("RGB3", (200, 60, 40))]) }
    let bench = try Bench(device)
    bench.camera.preview.setEncoder { image, target in
      target[0] = image.format == .yuv420 ? 1 : 0
      return 1
    }
    #expect(bench.stream(2))
    #expect(bench.camera.preview.newest().map { Array($0.bytes) } == [1])
  }

  @Test("grey alone uses its whole range unless the driver says otherwise")
  func greyAloneUsesItsWholeRangeUnlessTheDriverSaysOtherwise() {
    func range(_ format: PixelFormat, _ quantization: UInt32) -> SampleRange {
      VideoColours(space: 0, encoding: 0, quantization: quantization).range(of: format)
    }
    #expect(range(.grey, 0) == .full)
    #expect(range(.yuyv, 0) == .limited)
    #expect(range(.grey, 2) == .limited)  // V4L2_QUANTIZATION_LIM_RANGE
    #expect(range(.yuyv, 1) == .full)  // V4L2_QUANTIZATION_FULL_RANGE
  }

  @Test(
    arguments: [
      (0, 0, 0, .limited, .bt601), (7, 0, 0, .full, .bt601), (3, 0, 0, .limited, .bt709),
      (8, 0, 1, .full, .bt601), (7, 0, 2, .limited, .bt601), (8, 2, 0, .limited, .bt709),
      (10, 0, 0, .limited, .bt2020), (3, 1, 0, .limited, .bt601), (99, 99, 99, .limited, .bt601),
    ] as [(UInt32, UInt32, UInt32, SampleRange, ColorEncoding)])
  func whatTheDriverSaysOfColoursIsHandedOn(
    _ space: UInt32, _ encoding: UInt32, _ quantization: UInt32, _ range: SampleRange,
    _ weights: ColorEncoding
  ) throws {
    for isMultiplanar in [false, true] {
      let name = isMultiplanar ? "NM12" : "YUYV"
      let format = ScriptedFormat(
        try #require(PixelFormat(name)), [(ConversionTests.size, [30])]
      ) {
        isMultiplanar
          ? [$0.width * $0.height, $0.width * $0.height / 2] : [$0.width * $0.height * 2]
      }
      let device = ScriptedCamera([format]) { _ in
        .picture([
          [UInt8](repeating: 7, count: 64 * 48 * 2), [UInt8](repeating: 7, count: 64 * 24),
        ])
      }
      if isMultiplanar { device.deviceCapabilities = 0x0400_1000 }
      device.colorspace = space
      device.encoding = encoding
      device.quantization = quantization
      let bench = try Bench(device)
      #expect(bench.stream(1))
      let image = Held(bench.camera.ring.newest())?.frame.image
      #expect(image?.range == range)
      #expect(image?.encoding == weights)
    }
  }

  @Test("rubbish of a driver that is older than the fields is not read")
  func rubbishOfADriverThatIsOlderThanTheFieldsIsNotRead() throws {
    let device = ScriptedCamera(
      [ScriptedFormat(.yuyv, [(ConversionTests.size, [30])])]
    ) { _ in .picture([[UInt8](repeating: 0, count: 64 * 48 * 2)]) }
    device.hasColours = false
    device.quantization = 1
    let bench = try Bench(device)
    #expect(bench.stream(1))
    #expect(Held(bench.camera.ring.newest())?.frame.image.range == .limited)
  }
}
