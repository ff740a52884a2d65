import Media
import StationTestSupport
import Testing

@testable import Imaging

/// Tests of cameras that send BT.709 or BT.2020, as HDMI grabbers do, because JPEG uses BT.601.
@Suite struct ColourMatrixTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var weights: ColorEncoding
    var range: SampleRange
    var testDescription: String { "\(weights) \(range)" }
  }

  static let cases = [ColorEncoding.bt601, .bt709, .bt2020].flatMap { weights in
    [SampleRange.limited, .full].map { Case(weights: weights, range: $0) }
  }

  private static func lumaWeights(_ weights: ColorEncoding) -> (red: Double, blue: Double) {
    switch weights {
    case .bt601: (0.299, 0.114)
    case .bt709: (0.2126, 0.0722)
    case .bt2020: (0.2627, 0.0593)
    }
  }

  /// Red, green and blue of samples, from 0 to 1, not held.
  static func pixel(_ y: UInt8, _ blue: UInt8, _ red: UInt8, _ kind: Case) -> SIMD3<Double> {
    let isLimited = kind.range == .limited
    let luma = isLimited ? (Double(y) - 16) / 219 : Double(y) / 255
    let cb = (Double(blue) - 128) / (isLimited ? 224 : 255)
    let cr = (Double(red) - 128) / (isLimited ? 224 : 255)
    let (kr, kb) = lumaWeights(kind.weights)
    let (r, b) = (luma + 2 * (1 - kr) * cr, luma + 2 * (1 - kb) * cb)
    return SIMD3(r, (luma - kr * r - kb * b) / (1 - kr - kb), b)
  }

  /// JPEG's samples of a colour.
  static func jpeg(_ pixel: SIMD3<Double>) -> SIMD3<Double> {
    let luma = 0.299 * pixel.x + 0.587 * pixel.y + 0.114 * pixel.z
    return SIMD3(
      luma * 255, 128 + (pixel.z - luma) / 1.772 * 255, 128 + (pixel.x - luma) / 1.402 * 255)
  }

  /// NV12 of colours that there are, each chroma sample its own.
  private static func frame(_ size: PixelSize, _ kind: Case) -> [UInt8] {
    var random = SplitMix(seed: 709)
    let chroma = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    var luma = [UInt8](repeating: 0, count: size.width * size.height)
    var pairs: [UInt8] = []
    for y in 0..<chroma.height {
      for x in 0..<chroma.width {
        let (blue, red) = (UInt8(98 + random.next() % 60), UInt8(98 + random.next() % 60))
        pairs += [blue, red]
        for row in 2 * y..<min(2 * y + 2, size.height) {
          for column in 2 * x..<min(2 * x + 2, size.width) {
            luma[row * size.width + column] = UInt8(80 + random.next() % 90)
          }
        }
      }
    }
    return luma + pairs
  }

  @Test("planes are the reference within two levels", arguments: ColourMatrixTests.cases)
  func planesAreTheReferenceWithinTwoLevels(_ kind: Case) throws {
    let size = PixelSize(width: 154, height: 90)
    let bytes = Self.frame(size, kind)
    for row in StillTableTests.rows {
      let geometry = StillGeometry(
        row.orientation, frame: size, unit: PixelSize(width: 2, height: 2), freedom: .chroma)
      var buffer = ScratchBuffer()
      let target = PlanarTarget(
        geometry, unit: PixelSize(width: 2, height: 2), isGrey: false, in: &buffer)
      try bytes.withUnsafeBytes { bytes in
        var image = FrameImage(bytes: bytes, format: .nv12, size: size, bytesPerLine: size.width)
        (image.range, image.encoding) = (kind.range, kind.weights)
        let layout = try #require(RawLayout(.nv12))
        let planes = try #require(layout.planes(image))
        target.fill(
          from: planes, unit: layout.unit, geometry: geometry, range: image.range,
          weights: image.encoding)
      }
      let samples = target.samples
      var largest = 0.0
      let matrix = geometry.matrix(mirrored: geometry.isMirrored)
      let crop = geometry.crop
      for y in crop.y..<crop.y + crop.size.height {
        for x in crop.x..<crop.x + crop.size.width {
          // A pixel's own corner that becomes the upper left one.
          let at = (
            matrix[0] * x + matrix[2] * y + matrix[4] + min(matrix[0] + matrix[2], 0),
            matrix[1] * x + matrix[3] * y + matrix[5] + min(matrix[1] + matrix[3], 0)
          )
          let chroma = size.width * size.height + (y / 2) * size.width + (x / 2) * 2
          let wanted = Self.jpeg(
            Self.pixel(bytes[y * size.width + x], bytes[chroma], bytes[chroma + 1], kind))
          let luma = Double(samples[0].start[at.1 * samples[0].stride + at.0])
          largest = max(largest, abs(luma - wanted.x))
          guard geometry.size.width % 2 == 0, geometry.size.height % 2 == 0 else { continue }
          let place = at.1 / 2 * samples[1].stride + at.0 / 2
          largest = max(largest, abs(Double(samples[1].start[place]) - wanted.y))
          largest = max(largest, abs(Double(samples[2].start[place]) - wanted.z))
        }
      }
      #expect(largest <= 2, "\(row): \(largest)")
    }
  }

  // Pure colours of BT.709 in limited range, as an HDMI source sends them.
  private static let colours: [(UInt8, UInt8, UInt8, SIMD3<Int>)] = [
    (63, 102, 240, SIMD3(255, 0, 0)), (173, 42, 26, SIMD3(0, 255, 0)),
    (32, 240, 118, SIMD3(0, 0, 255)), (126, 128, 128, SIMD3(128, 128, 128)),
  ]

  @Test(
    "pure colours of BT.709 are pure colours in photo, preview and thumbnail",
    arguments: ["YUYV", "UYVY", "NV12", "NV16", "YU12"])
  func pureColoursOfBT709ArePureColoursInPhotoPreviewAndThumbnail(_ name: String) throws {
    let size = PixelSize(width: 64, height: 96)
    var maker = StillMaker()
    var preview = PreviewEncoder(maximumWidth: 32, quality: 95)
    for (luma, blue, red, expected) in Self.colours {
      let pixels = size.width * size.height
      let bytes: [UInt8] =
        switch name {
        case "YUYV": (0..<pixels / 2).flatMap { _ in [luma, blue, luma, red] }
        case "UYVY": (0..<pixels / 2).flatMap { _ in [blue, luma, red, luma] }
        case "NV12", "NV16":
          [UInt8](repeating: luma, count: pixels)
            + (0..<pixels / (name == "NV12" ? 4 : 2)).flatMap { _ in [blue, red] }
        default:
          [UInt8](repeating: luma, count: pixels) + [UInt8](repeating: blue, count: pixels / 4)
            + [UInt8](repeating: red, count: pixels / 4)
        }
      let (still, small) = try bytes.withUnsafeBytes { bytes in
        let format = try #require(PixelFormat(name))
        var image = FrameImage(
          bytes: bytes, format: format, size: size,
          bytesPerLine: name.hasSuffix("YUYV") || name == "UYVY" ? 128 : 64)
        image.encoding = .bt709
        let still = try maker.make(
          image, inspection: FrameGate.inspect(image), orientation: Orientation(mount: .clockwise))
        return (still.bytes(), try preview.encode(image).bytes())
      }
      for made in [still, small] {
        let picture = try #require(ReferencePicture(decoding: made))
        let difference = picture[20, 14] &- expected
        #expect((0..<3).allSatisfy { abs(difference[$0]) <= 3 }, "\(name) \(difference)")
      }
    }
  }

  @Test("a movie keeps BT.709 and its thumbnail does not")
  func aMovieKeepsBT709AndItsThumbnailDoesNot() throws {
    let size = PixelSize(width: 64, height: 96)
    let geometry = MoviePictureMaker.geometry(Orientation(), frame: size)
    var maker = MoviePictureMaker()
    for (luma, blue, red, expected) in Self.colours {
      let bytes = (0..<size.width * size.height / 2).flatMap { _ in [luma, blue, luma, red] }
      var memory = [UInt8](repeating: 0, count: 64 * 96 * 3 / 2)
      let thumbnail = try memory.withUnsafeMutableBufferPointer { memory in
        let base = try #require(memory.baseAddress)
        let planes = MoviePlanes(
          luma: base, blue: base + 64 * 96, red: base + 64 * 120,
          strides: (geometry.size.width, geometry.size.width / 2, geometry.size.width / 2))
        return try bytes.withUnsafeBytes { bytes in
          var image = FrameImage(bytes: bytes, format: .yuyv, size: size, bytesPerLine: 128)
          image.encoding = .bt709
          return try maker.make(
            image, inspection: FrameGate.inspect(image), geometry: geometry, into: planes,
            wantsThumbnail: true)
        }
      }
      let samples = [memory[100], memory[64 * 96 + 100], memory[64 * 120 + 100]].map(Int.init)
      let wanted = [luma, blue, red].map(Int.init)
      #expect((0..<3).allSatisfy { abs(samples[$0] - wanted[$0]) <= 1 }, "\(samples)")
      let picture = try #require(ReferencePicture(decoding: thumbnail ?? []))
      let difference = picture[20, 30] &- expected
      #expect((0..<3).allSatisfy { abs(difference[$0]) <= 4 }, "\(difference)")
    }
  }
}
