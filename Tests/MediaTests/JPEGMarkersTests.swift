import StationTestSupport
import Testing

@testable import Media

@Suite("The reader of JPEG markers")
struct JPEGMarkersTests {
  /// The step from `place` on, in bytes that end at a page that cannot be read.
  private func step(
    _ bytes: [UInt8], at place: Int = 0, limit: Int? = nil
  ) throws -> (step: JPEGMarkers.Step, position: Int) {
    let memory = try #require(GuardedBytes(capacity: 64))
    return memory.with(bytes) { guarded in
      var markers = JPEGMarkers(guarded, at: place, limit: limit)
      return (markers.next(), markers.position)
    }
  }

  private static func marker(
    _ code: UInt8, _ offset: Int, _ body: Range<Int>
  ) -> JPEGMarkers.Step {
    .marker(JPEGMarkers.Marker(code: code, offset: offset, body: body))
  }

  @Test("steps over a segment, fill bytes, and markers that stand alone")
  func markers() throws {
    let comment: [UInt8] = [0xFF, 0xFE, 0, 4, 1, 2]
    let cases: [([UInt8], JPEGMarkers.Step, Int)] = [
      (comment, Self.marker(0xFE, 0, 4..<6), 6),
      ([0xFF, 0xFF] + comment, Self.marker(0xFE, 2, 6..<8), 8),
      ([0xFF, 0xFE, 0, 2], Self.marker(0xFE, 0, 4..<4), 4),
      ([0xFF, 0xD9], Self.marker(0xD9, 0, 2..<2), 2),
      ([0xFF, 0xD0, 0xFF], Self.marker(0xD0, 0, 2..<2), 2),
      ([0xFF, 0x01, 0, 9], Self.marker(0x01, 0, 2..<2), 2),
    ]
    for (bytes, wanted, position) in cases {
      let found = try step(bytes)
      #expect(found.step == wanted, "\(bytes)")
      #expect(found.position == position, "\(bytes)")
    }
  }

  @Test(
    "says why there is no marker",
    arguments: [
      ([], .cut), ([0xFF], .cut), ([0x41], .cut), ([0x41, 0x42], .noMarker),
      ([0xFF, 0xFF, 0xFF], .cut), ([0xFF, 0xC0], .cut), ([0xFF, 0xC0, 0], .cut),
      ([0xFF, 0xC0, 0, 1], .badLength), ([0xFF, 0xC0, 0, 5, 1, 2], .cut),
    ] as [([UInt8], JPEGMarkers.Fault)])
  func faults(_ bytes: [UInt8], _ fault: JPEGMarkers.Fault) throws {
    let found = try step(bytes)
    #expect(found.step == .fault(fault))
  }

  @Test("takes a segment that ends behind the bytes when the picture goes on")
  func limit() throws {
    let bytes: [UInt8] = [0xFF, 0xE1, 0x10, 0, 1]
    for (limit, wanted) in [
      (nil, .fault(.cut)), (4096, .fault(.cut)), (4098, Self.marker(0xE1, 0, 4..<4098)),
    ] as [(Int?, JPEGMarkers.Step)] {
      let found = try step(bytes, limit: limit)
      #expect(found.step == wanted)
    }
  }

  @Test("finds a position outside of the bytes cut")
  func outside() throws {
    for place in [-1, 2, .max] {
      let found = try step([0xFF, 0xD9], at: place)
      #expect(found.step == .fault(.cut), "\(place)")
    }
  }

  @Test("passes over a scan with restarts and stuffed bytes to the next marker")
  func scan() throws {
    let scan: [UInt8] = [1, 0xFF, 0, 2, 0xFF, 0xD3, 3, 0xFF, 0xFF, 0xD4, 4]
    for (bytes, wanted) in [
      (scan + [0xFF, 0xD9], 11), (scan + [0xFF, 0xC4, 0], 11), (scan, nil), (scan + [0xFF], nil),
    ] as [([UInt8], Int?)] {
      let memory = try #require(GuardedBytes(capacity: 64))
      let found = memory.with(bytes) { guarded in
        var markers = JPEGMarkers(guarded, at: 0)
        return markers.passScan() ? markers.position : nil
      }
      #expect(found == wanted)
    }
  }

  @Test("survives any bytes")
  func hostile() throws {
    var random = SplitMix(seed: 11)
    let memory = try #require(GuardedBytes(capacity: 64))
    for _ in 0..<20_000 {
      let bytes = (0..<Int(random.next() % 40)).map { _ in
        random.next() % 3 == 0 ? 0xFF : UInt8(truncatingIfNeeded: random.next())
      }
      memory.with(bytes) { guarded in
        var markers = JPEGMarkers(guarded, at: 0)
        var last = -1
        while case .marker(let marker) = markers.next() {
          precondition(marker.offset > last && marker.body.upperBound <= guarded.count)
          last = marker.offset
          _ = markers.size(of: marker)
          _ = markers.exif(marker)
        }
      }
    }
  }
}
