import CMedia
import StationTestSupport
import Testing

@Suite("The search for markers")
struct MarkerSearchTests {
  /// The next FF without a 00 after it, found one byte at a time.
  private func expected(_ bytes: [UInt8], _ from: Int) -> Int {
    (from..<bytes.count).first { index in
      bytes[index] == 0xFF && (index + 1 == bytes.count || bytes[index + 1] != 0)
    } ?? bytes.count
  }

  /// Scan data of random bytes, in which one FF at most is a marker's.
  private func scan(_ count: Int, marker: Int?, _ random: inout SystemRandomNumberGenerator)
    -> [UInt8]
  {
    var bytes = (0..<count).map { _ in
      UInt8.random(in: 0...7, using: &random) == 0
        ? 0xFF : UInt8.random(in: 0...255, using: &random)
    }
    for index in bytes.indices.dropFirst() where bytes[index - 1] == 0xFF { bytes[index] = 0 }
    if bytes.last == 0xFF { bytes[count - 1] = 1 }
    if let marker {
      bytes[marker] = 0xFF
      if marker + 1 < count { bytes[marker + 1] = 0xD9 }
    }
    return bytes
  }

  @Test("every way finds a marker at every place, and nothing where there is none")
  func ways() throws {
    var random = SystemRandomNumberGenerator()
    let memory = try #require(GuardedBytes(capacity: 2048))
    for way in 0..<cmedia_marker_ways() {
      for place in 0..<700 {
        let count = place + 1 + Int.random(in: 0...600, using: &random)
        for marker in [place, nil] {
          let bytes = scan(count, marker: marker, &random)
          let from = Int.random(in: 0...place, using: &random)
          // Nothing is read behind the last byte: the next page cannot be.
          let found = memory.with(bytes) { guarded in
            guarded.withMemoryRebound(to: UInt8.self) {
              cmedia_next_marker_by(way, $0.baseAddress, from, count)
            }
          }
          let wanted = expected(bytes, from)
          guard found == wanted else {
            Issue.record("way \(way): \(found) in place of \(wanted) of \(count), from \(from)")
            return
          }
        }
      }
    }
  }

  @Test("what is used is one of the ways, and begins behind the end at the end")
  func ends() {
    let bytes: [UInt8] = [0xFF, 0xD9]
    #expect(cmedia_marker_ways() >= 1)
    #expect(cmedia_next_marker(bytes, 0, 2) == 0)
    #expect(cmedia_next_marker(bytes, 1, 2) == 2)
    for way in 0..<cmedia_marker_ways() {
      #expect(cmedia_next_marker_by(way, bytes, 2, 2) == 2)
      #expect(cmedia_next_marker_by(way, [0xFF], 0, 1) == 0)
      #expect(cmedia_next_marker_by(way, [0xFF, 0x00], 0, 2) == 2)
      #expect(cmedia_next_marker_by(way, [0xFF, 0xFF, 0x00], 0, 3) == 0)
    }
  }
}
