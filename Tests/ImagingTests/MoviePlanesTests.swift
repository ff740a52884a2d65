import Imaging
import Media
import StationTestSupport
import Testing

/// Tests that a movie's picture stays inside the planes of its own size, for frames of any size.
@Suite struct MoviePlanesTests {
  private static let sides = [1, 2, 3, 7, 15, 16, 17, 33, 64]

  private static let orientations = [
    Orientation(), Orientation(enforce: .off), Orientation(mount: .clockwise),
    Orientation(mount: .counterclockwise, mirror: .saved, aspect: .nineToSixteen),
  ]

  /// Makes the picture in planes of the geometry's own size with a border around each; nil where it
  /// is refused, else whether the borders are as they were.
  private static func keepsInside(_ frame: [UInt8], _ size: PixelSize, _ row: Orientation) -> Bool?
  {
    let geometry = MoviePictureMaker.geometry(row, frame: size)
    let (luma, half) = (geometry.size, geometry.size.width / 2 * (geometry.size.height / 2))
    let counts = [luma.width * luma.height, half, half]
    let border = 4096
    var memory = [UInt8](repeating: 0xA5, count: counts.reduce(border) { $0 + $1 + border })
    let starts = [border, 2 * border + counts[0], 3 * border + counts[0] + counts[1]]
    var maker = MoviePictureMaker()
    let isMade = memory.withUnsafeMutableBufferPointer { memory -> Bool in
      guard let base = memory.baseAddress else { return false }
      let planes = MoviePlanes(
        luma: base + starts[0], blue: base + starts[1], red: base + starts[2],
        strides: (luma.width, luma.width / 2, luma.width / 2))
      return frame.withUnsafeBytes { bytes in
        let image = FrameImage(bytes: bytes, format: .mjpeg, size: size, bytesPerLine: 0)
        do {
          _ = try maker.make(
            image, inspection: JPEGGate.inspect(bytes), geometry: geometry, into: planes,
            wantsThumbnail: true)
          return true
        } catch {
          return false
        }
      }
    }
    var isWhole = true
    for (start, end) in zip([0] + zip(starts, counts).map(+), starts + [memory.count]) {
      isWhole = isWhole && memory[start..<end].allSatisfy { $0 == 0xA5 }
    }
    #expect(isWhole, "\(size) \(row)")
    return isMade ? isWhole : nil
  }

  @Test("nothing is written beside the planes") func nothingIsWrittenBesideThePlanes() {
    var (made, refused) = (0, 0)
    for width in Self.sides {
      for height in Self.sides {
        let size = PixelSize(width: width, height: height)
        let frame = SampleFrames.jpeg(size, .s420)
        for row in Self.orientations {
          if Self.keepsInside(frame, size, row) == nil { refused += 1 } else { made += 1 }
        }
      }
    }
    #expect(made > 150)
    #expect(refused > 30)
  }

  @Test("a line is refused", arguments: [(1, 4000), (4000, 1)]) func aLineIsRefused(
    _ width: Int, _ height: Int
  ) {
    let size = PixelSize(width: width, height: height)
    let frame = SampleFrames.jpeg(size, .s422)
    for row in Self.orientations { #expect(Self.keepsInside(frame, size, row) == nil) }
  }
}
