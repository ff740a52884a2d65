import Imaging
import Media
import StationTestSupport
import Testing

/// Tests of every mounting of a camera, by comparison with pixels that are turned in a simple way.
@Suite struct StillTableTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var orientation: Orientation
    var testDescription: String {
      "mount \(orientation.mount.rawValue) mirror \(orientation.mirror) enforce "
        + "\(orientation.enforce) \(orientation.method.rawValue) \(orientation.aspect.rawValue)"
    }
  }

  static let rows: [Row] = {
    var rows: [Row] = []
    for mount in Orientation.Mount.allCases {
      for mirror in [Orientation.Mirror.preview, .saved] {
        for method in Orientation.Method.allCases {
          for aspect in Orientation.Aspect.allCases
          where method == .crop || aspect == .threeToFour {
            rows.append(
              Row(
                orientation: Orientation(
                  mount: mount, mirror: mirror, method: method, aspect: aspect)))
          }
        }
        for enforce in [Orientation.Shape.off, .landscape] {
          rows.append(
            Row(orientation: Orientation(mount: mount, mirror: mirror, enforce: enforce)))
        }
      }
    }
    return rows
  }()

  static let sizes = [
    PixelSize(width: 112, height: 64), PixelSize(width: 107, height: 73),
    PixelSize(width: 65, height: 90), PixelSize(width: 72, height: 72),
  ]

  /// The whole picture as it hangs in front of the viewer, and the shape it must end up with.
  static func upright(
    _ picture: ReferencePicture, _ orientation: Orientation
  ) -> (picture: ReferencePicture, crops: Bool) {
    var picture = picture
    for _ in 0..<orientation.mount.rawValue / 90 { picture = picture.turnedClockwise }
    let isRight =
      switch orientation.enforce {
      case .off: true
      case .portrait: picture.size.height > picture.size.width
      case .landscape: picture.size.width > picture.size.height
      }
    let isSquare = picture.size.width == picture.size.height
    var crops = false
    if !isRight {
      switch orientation.method {
      case .rotateClockwise where !isSquare: picture = picture.turnedClockwise
      case .rotateCounterclockwise where !isSquare:
        picture = picture.turnedClockwise.turnedClockwise.turnedClockwise
      default: crops = true
      }
    }
    if orientation.mirrorsSaved { picture = picture.mirrored }
    return (picture, crops)
  }

  /// Where the still lies in the upright picture, by its size and by the geometry's word for one
  /// corner only.
  static func check(
    _ still: Still, _ upright: ReferencePicture, crops: Bool, _ orientation: Orientation,
    slack: Int
  ) -> PixelRect {
    let matrix = still.geometry.matrix(mirrored: still.geometry.isMirrored)
    let frame = still.geometry.frame
    let corners = [(0, 0), (frame.width, frame.height)].map { x, y in
      (matrix[0] * x + matrix[2] * y + matrix[4], matrix[1] * x + matrix[3] * y + matrix[5])
    }
    let box = PixelRect(
      x: -min(corners[0].0, corners[1].0), y: -min(corners[0].1, corners[1].1),
      width: still.size.width, height: still.size.height)
    #expect(still.trimmed.width <= 15 && still.trimmed.height <= 15)
    if crops {
      let (short, long): (Int, Int) =
        switch orientation.aspect {
        case .threeToFour: (3, 4)
        case .twoToThree: (2, 3)
        case .nineToSixteen: (9, 16)
        case .free:
          upright.size.width == upright.size.height
            ? (3, 4)
            : (
              min(upright.size.width, upright.size.height),
              max(upright.size.width, upright.size.height)
            )
        }
      let ratio = Double(still.size.width) / Double(still.size.height)
      let wanted =
        orientation.enforce == .landscape
        ? Double(long) / Double(short) : Double(short) / Double(long)
      #expect(abs(ratio - wanted) < 0.06, "\(still.size)")
      // The middle is kept, to within the steps that coded data can be moved in.
      #expect(abs(box.x * 2 + box.size.width - upright.size.width) <= 2 * slack + 1)
      #expect(abs(box.y * 2 + box.size.height - upright.size.height) <= 2 * slack + 1)
    } else {
      #expect(upright.size.width - still.size.width <= 15)
      #expect(upright.size.height - still.size.height <= 15)
    }
    if orientation.enforce == .portrait { #expect(still.size.height > still.size.width) }
    if orientation.enforce == .landscape { #expect(still.size.width > still.size.height) }
    return box
  }

  @Test("JPEG stills are the turned frame", arguments: SampleFrames.Sampling.allCases)
  func jpegStillsAreTheTurnedFrame(_ sampling: SampleFrames.Sampling) throws {
    var maker = StillMaker()
    for size in Self.sizes {
      let frame = SampleFrames.jpeg(size, sampling)
      let source = try #require(ReferencePicture(decoding: frame))
      for row in Self.rows {
        let still = try frame.withUnsafeBytes { bytes in
          let image = FrameImage(bytes: bytes, format: .mjpeg, size: size, bytesPerLine: 0)
          return try maker.make(
            image, inspection: FrameGate.inspect(image), orientation: row.orientation)
        }
        #expect(still.isLossless)
        let (upright, crops) = Self.upright(source, row.orientation)
        let box = Self.check(still, upright, crops: crops, row.orientation, slack: 16)
        let result = try #require(ReferencePicture(decoding: still.bytes()), "\(row) \(size)")
        #expect(result.size == still.size && still.size == still.geometry.size)
        let found = try #require(result.difference(upright.cropped(box)))
        #expect(found.largest <= 6 && found.mean < 0.75, "\(row) \(size) \(found) \(box)")
      }
    }
  }

  @Test("exact stills keep every pixel") func exactStillsKeepEveryPixel() throws {
    var maker = StillMaker()
    for sampling in SampleFrames.Sampling.allCases {
      let size = PixelSize(width: 107, height: 73)
      let frame = SampleFrames.jpeg(size, sampling, quality: 95)
      let source = try #require(ReferencePicture(decoding: frame))
      for row in Self.rows {
        let still = try frame.withUnsafeBytes { bytes in
          let image = FrameImage(bytes: bytes, format: .mjpeg, size: size, bytesPerLine: 0)
          var exact = row.orientation
          exact.isExact = true
          return try maker.make(
            image, inspection: FrameGate.inspect(image), orientation: exact)
        }
        let (upright, crops) = Self.upright(source, row.orientation)
        let box = Self.check(still, upright, crops: crops, row.orientation, slack: 1)
        #expect(still.trimmed == PixelSize(width: 0, height: 0))
        if !crops { #expect(still.size == upright.size) }
        let result = try #require(ReferencePicture(decoding: still.bytes()))
        let found = try #require(result.difference(upright.cropped(box)))
        #expect(found.mean < 8, "\(sampling) \(row) \(found)")
      }
    }
  }

  @Test(
    "packed stills are the turned frame",
    arguments: [
      ("YUYV", [0, 1, 2, 3]), ("UYVY", [1, 0, 3, 2]), ("YVYU", [0, 3, 2, 1]),
      ("VYUY", [1, 2, 3, 0]),
    ])
  func packedStillsAreTheTurnedFrame(_ name: String, _ order: [Int]) throws {
    var maker = StillMaker()
    for size in Self.sizes {
      let samples = SampleFrames.samples(size)
      let frame = SampleFrames.packed(samples, order: order, padding: 12)
      let source = RawReference.picture(samples)
      for row in Self.rows {
        let still = try frame.bytes.withUnsafeBytes { bytes in
          var image = FrameImage(
            bytes: bytes, format: try #require(PixelFormat(name)), size: size,
            bytesPerLine: frame.bytesPerLine)
          image.range = .full
          return try maker.make(
            image, inspection: FrameGate.inspect(image), orientation: row.orientation)
        }
        let (upright, crops) = Self.upright(source, row.orientation)
        let box = Self.check(still, upright, crops: crops, row.orientation, slack: 2)
        let result = try #require(ReferencePicture(decoding: still.bytes()))
        let found = try #require(result.difference(upright.cropped(box)), "\(row) \(size)")
        #expect(found.largest <= 12 && found.mean < 2.5, "\(row) \(size) \(found)")
      }
    }
  }
}

/// Raw samples as RGB, by the formulas of JFIF.
enum RawReference {
  static func picture(_ samples: SampleFrames.Samples) -> ReferencePicture {
    var made = ReferencePicture(size: samples.size, pixels: [])
    for y in 0..<samples.size.height {
      for x in 0..<samples.size.width {
        let luma = Double(samples.luma[y * samples.size.width + x])
        let chroma = y * samples.chromaWidth + x / 2
        let blue = Double(samples.blue[chroma]) - 128
        let red = Double(samples.red[chroma]) - 128
        for value in [
          luma + 1.402 * red, luma - 0.344136 * blue - 0.714136 * red, luma + 1.772 * blue,
        ] {
          made.pixels.append(UInt8(max(0, min(255, value.rounded()))))
        }
      }
    }
    return made
  }
}
