import CTurboJPEG
import Media
import StationTestSupport
import Testing

@testable import Imaging

@Suite("Slices of a raw still")
struct SliceTests {
  /// All samples of a picture, by the library's own decoder.
  private func decoded(_ bytes: [UInt8], _ size: PixelSize) throws -> [UInt8] {
    let handle = try #require(tjInitDecompress())
    defer { tjDestroy(handle) }
    var pixels = [UInt8](repeating: 0, count: size.width * size.height * 3)
    let result = tjDecompress2(
      handle, bytes, UInt(bytes.count), &pixels, Int32(size.width), 0, Int32(size.height),
      Int32(TJPF_RGB.rawValue), 0)
    let words = String(cString: tjGetErrorStr2(handle))
    #expect(result == 0, "\(words)")
    return pixels
  }

  private func still(
    _ format: String, _ size: PixelSize, _ mount: Orientation.Mount, slices: Int
  ) throws -> Still {
    try RawFormatTests.with(format, size) { image in
      var maker = StillMaker()
      maker.slices = slices
      return try maker.make(
        image, inspection: FrameGate.inspect(image),
        orientation: Orientation(mount: mount, mirror: .none, enforce: .off))
    }
  }

  @Test(
    "slices have the pixels of the whole, and the gate finds nothing to say",
    arguments: [
      ("422P", Orientation.Mount.clockwise), ("422P", .upright), ("NV12", .clockwise),
      ("GREY", .upright),
    ])
  func same(_ format: String, _ mount: Orientation.Mount) throws {
    // The last row and column of units are cut.
    let size = PixelSize(width: 1290, height: 930)
    let whole = try still(format, size, mount, slices: 1)
    let pixels = try decoded(whole.bytes(), whole.size)
    #expect(whole.bytes().withUnsafeBytes { JPEGGate.inspect($0).verdict } == .clean)
    for slices in 2...4 {
      let sliced = try still(format, size, mount, slices: slices)
      #expect(sliced.size == whole.size)
      let bytes = sliced.bytes()
      #expect(bytes != whole.bytes())
      let verdict = bytes.withUnsafeBytes { JPEGGate.inspect($0).verdict }
      #expect(verdict == .clean)
      let isSame = try decoded(bytes, sliced.size) == pixels
      #expect(isSame, "\(slices) slices")
    }
  }

  @Test("rows of a plan follow each other, whole units but for the last")
  func plan() throws {
    let unit = PixelSize(width: 2, height: 2)
    for height in [1080, 1081, 1920, 2047] {
      let size = PixelSize(width: 1080, height: height)
      let plan = try #require(SlicePlan(size, unit: unit, slices: 4))
      #expect(plan.rows.first?.lowerBound == 0)
      #expect(plan.rows.last?.upperBound == height)
      for (one, next) in zip(plan.rows, plan.rows.dropFirst()) {
        #expect(one.upperBound == next.lowerBound)
        #expect(one.count % 16 == 0)
        #expect(next.count <= one.count)
        #expect(plan.interval == one.count / 16 * 68)
      }
    }
    #expect(SlicePlan(PixelSize(width: 640, height: 480), unit: unit, slices: 4) == nil)
    #expect(SlicePlan(PixelSize(width: 1080, height: 1920), unit: unit, slices: 1) == nil)
    // A restart interval has two bytes.
    let huge = PixelSize(width: 16_000, height: 12_000)
    #expect(SlicePlan(huge, unit: PixelSize(width: 1, height: 1), slices: 2) == nil)
  }
}
