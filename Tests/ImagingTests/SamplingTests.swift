import Imaging
import Media
import Platform
import StationTestSupport
import Testing

/// Tests that each colour sampling that the gate accepts becomes a photo.
@Suite struct SamplingTests {
  typealias Factors = SampleFrames.Factors

  private static let all: [Factors] = (1...4).flatMap { across in
    (1...4).map { Factors(across, $0) }
  }
  private static let sizes = [
    PixelSize(width: 61, height: 45), PixelSize(width: 40, height: 70),
    PixelSize(width: 64, height: 32), PixelSize(width: 17, height: 16),
  ]

  private static func inspect(_ frame: [UInt8]) -> FrameInspection {
    frame.withUnsafeBytes { JPEGGate.inspect($0) }
  }

  /// Whether a decoder can take it: whole ratios, and no more than ten blocks in a unit.
  private static func isPossible(_ factors: [Factors]) -> Bool {
    guard factors.count > 1 else { return true }
    let blocks = factors.reduce(0) { $0 + $1.across * $1.down }
    let (across, down) = (factors.map(\.across).max() ?? 1, factors.map(\.down).max() ?? 1)
    return blocks <= 10
      && factors.allSatisfy { across % $0.across == 0 && down % $0.down == 0 }
  }

  /// Checks stills of one frame in some of all orientations.
  private static func check(
    _ frame: [UInt8], _ size: PixelSize, _ words: String, turn: inout Int,
    _ maker: inout StillMaker
  ) throws {
    let inspection = inspect(frame)
    #expect(inspection.verdict == .clean, "\(words)")
    guard inspection.verdict == .clean else { return }
    let whole = try #require(ReferencePicture(decoding: frame), "\(words)")
    for _ in 0..<3 {
      let row = StillTableTests.rows[turn % StillTableTests.rows.count]
      turn += 5
      let still = try Tools.still(frame, row.orientation, with: &maker)
      let promised = StillGeometry(of: inspection, format: .mjpeg, orientation: row.orientation)
      #expect(still.geometry == promised, "\(words) \(row)")
      let (upright, _) = StillTableTests.upright(whole, row.orientation)
      let matrix = still.geometry.matrix(mirrored: still.geometry.isMirrored)
      let corners = [(0, 0), (size.width, size.height)].map { x, y in
        (matrix[0] * x + matrix[2] * y + matrix[4], matrix[1] * x + matrix[3] * y + matrix[5])
      }
      let box = PixelRect(
        x: -min(corners[0].0, corners[1].0), y: -min(corners[0].1, corners[1].1),
        width: still.size.width, height: still.size.height)
      let result = try #require(ReferencePicture(decoding: still.bytes()), "\(words)")
      let found = result.difference(upright.cropped(box))
      let mean = found?.mean ?? 255
      #expect(mean < 4, "\(words) \(row): \(String(describing: found))")
    }
  }

  @Test("every sampling that the gate passes gives a still")
  func everySamplingThatTheGatePassesGivesAStill() throws {
    var maker = StillMaker()
    var (turn, passed) = (0, 0)
    for first in Self.all {
      for second in Self.all {
        for third in Self.all {
          let factors = [first, second, third]
          let size = Self.sizes[turn % Self.sizes.count]
          guard Self.isPossible(factors) else {
            let frame = SampleFrames.jpeg(PixelSize(width: 16, height: 16), factors: factors)
            #expect(!Self.inspect(frame).isUsable, "\(factors)")
            continue
          }
          let frame = SampleFrames.jpeg(size, factors: factors, restart: turn % 4)
          try Self.check(frame, size, "\(factors) \(size)", turn: &turn, &maker)
          passed += 1
        }
      }
    }
    #expect(passed > 200)
  }

  @Test("grey with any factors gives a still") func greyWithAnyFactorsGivesAStill() throws {
    var maker = StillMaker()
    var turn = 0
    for factor in Self.all {
      for size in Self.sizes {
        let frame = SampleFrames.jpeg(size, factors: [factor], restart: turn % 3)
        try Self.check(frame, size, "\(factor) \(size)", turn: &turn, &maker)
      }
    }
  }

  @Test(
    "red, green and blue are understood as the decoder understands them",
    arguments: [[82, 71, 66], [1, 2, 3], [0, 1, 2]] as [[UInt8]])
  func redGreenAndBlueAreUnderstoodAsTheDecoderUnderstandsThem(_ identifiers: [UInt8]) throws {
    var maker = StillMaker()
    var turn = 0
    let size = Self.sizes[0]
    let factors = [Factors(1, 1), Factors(1, 1), Factors(1, 1)]
    let plain = SampleFrames.jpeg(size, factors: factors, identifiers: identifiers)
    let adobe = { (transform: UInt8) in
      SampleFrames.inserting(
        0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform], in: plain)
    }
    for frame in [plain, adobe(0), adobe(1)] {
      try Self.check(frame, size, "\(identifiers)", turn: &turn, &maker)
    }
  }

  @Test("a picture without its own planes becomes a movie picture")
  func aPictureWithoutItsOwnPlanesBecomesAMoviePicture() throws {
    let size = PixelSize(width: 64, height: 48)
    let frame = SampleFrames.jpeg(size, factors: [Factors(4, 1), Factors(2, 1), Factors(2, 1)])
    let geometry = MoviePictureMaker.geometry(Orientation(enforce: .off), frame: size)
    var maker = MoviePictureMaker()
    var memory = [UInt8](repeating: 0, count: 64 * 48 * 3 / 2)
    let thumbnail = try memory.withUnsafeMutableBufferPointer { memory in
      let base = try #require(memory.baseAddress)
      let planes = MoviePlanes(
        luma: base, blue: base + 64 * 48, red: base + 64 * 60, strides: (64, 32, 32))
      return try frame.withUnsafeBytes { bytes in
        try maker.make(
          FrameImage(bytes: bytes, format: .mjpeg, size: size, bytesPerLine: 0),
          inspection: JPEGGate.inspect(bytes), geometry: geometry, into: planes,
          wantsThumbnail: true)
      }
    }
    #expect(thumbnail != nil)
    #expect(Set(memory[..<(64 * 48)]).count > 5)
  }

  /// A header that was damaged on the way and is still one: another frame may do, and is tried.
  @Test("a damaged header that passes gives a still or makes way for another frame")
  func aDamagedHeaderThatPassesGivesAStillOrMakesWayForAnotherFrame() throws {
    var random = SplitMix(seed: 8)
    var maker = StillMaker()
    let frames = [SampleFrames.Sampling.s420, .s422, .gray].map {
      SampleFrames.jpeg(PixelSize(width: 48, height: 32), $0)
    }
    var made = 0
    for round in 0..<4000 {
      var frame = frames[round % frames.count]
      for _ in 0...random.next() % 3 {
        frame[Int(random.next() % 640) % frame.count] = UInt8(truncatingIfNeeded: random.next())
      }
      let inspection = Self.inspect(frame)
      guard inspection.isUsable, inspection.size.width * inspection.size.height < 1 << 20 else {
        continue
      }
      maker.acceptsWarnings = round % 2 == 0
      let row = StillTableTests.rows[round % StillTableTests.rows.count]
      do {
        _ = try Tools.still(frame, row.orientation, with: &maker)
        made += 1
      } catch let error as StillError {
        #expect(error.isAboutThisFrame, "\(error)")
      }
    }
    #expect(made > 100)
  }
}
