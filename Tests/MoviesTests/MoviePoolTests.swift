import CAllocationCounter
import Glibc
import Imaging
import Media
import Platform
import StationTestSupport
import Testing

@testable import Movies

@Suite struct MoviePoolTests {
  private static let period = Duration.milliseconds(33)

  /// A frame of that many bytes which tells its number in each of them.
  private static func add(_ number: Int, bytes: Int, to pool: MoviePool) {
    let block = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: bytes)
    block.withUnsafeBytes { bytes in
      let image = FrameImage(
        bytes: bytes, format: .grey, size: PixelSize(width: bytes.count, height: 1),
        bytesPerLine: bytes.count)
      pool.add(
        image,
        FrameInspection(verdict: .clean, picture: 0..<bytes.count, size: image.size),
        sequence: UInt32(number), timestamp: time(number))
    }
  }

  private static func time(_ number: Int) -> MonotonicTime {
    MonotonicTime(nanoseconds: 1_000_000_000) + period * number
  }

  private static func drain(_ pool: MoviePool, _ ticket: Int) -> [UInt32] {
    var numbers: [UInt32] = []
    while let frame = pool.next(ticket, until: MonotonicTime(nanoseconds: 0)) {
      let image = pool.image(of: frame)
      #expect(
        image.bytes.allSatisfy { $0 == UInt8(truncatingIfNeeded: frame.sequence) },
        "the bytes of frame \(frame.sequence)")
      numbers.append(frame.sequence)
      pool.advance(ticket)
    }
    return numbers
  }

  @Test("keeps nothing while it is off, and copies nothing")
  func off() {
    let pool = MoviePool(bytes: 10_000)
    for number in 0..<5 { Self.add(number, bytes: 100, to: pool) }
    #expect(pool.count == 0)
    #expect(pool.counts == MoviePool.Counts())
  }

  @Test("keeps the frames of the pre-roll, and a movie begins with them")
  func preroll() {
    let pool = MoviePool(bytes: 100_000)
    pool.arm(preroll: .seconds(1))
    for number in 0..<100 { Self.add(number, bytes: 100, to: pool) }
    #expect((30...32).contains(pool.count))
    let ticket = pool.begin(from: Self.time(90))
    for number in 100..<105 { Self.add(number, bytes: 100, to: pool) }
    #expect(Self.drain(pool, ticket) == Array(90..<105))
    #expect(pool.counts.framesCopied == 105)
    #expect(pool.counts.bytesCopied == 10_500)
  }

  @Test("keeps as much of the pre-roll as its memory holds")
  func smallMemory() {
    let pool = MoviePool(bytes: 8192)
    pool.arm(preroll: .seconds(1))
    for number in 0..<50 { Self.add(number, bytes: 1000, to: pool) }
    let ticket = pool.begin(from: Self.time(0))
    let numbers = Self.drain(pool, ticket)
    #expect(numbers == Array(50 - UInt32(numbers.count)..<50))
    #expect((6...8).contains(numbers.count))
  }

  @Test("loses what finds no room while a movie is recorded, counts it, and goes on")
  func full() {
    let pool = MoviePool(bytes: 4096)
    let ticket = pool.begin(from: Self.time(0))
    for number in 0..<10 { Self.add(number, bytes: 1000, to: pool) }
    #expect(Self.drain(pool, ticket) == [0, 1, 2, 3])
    #expect(pool.counts.framesLost == 6)
    Self.add(20, bytes: 1000, to: pool)
    #expect(Self.drain(pool, ticket) == [20])
  }

  @Test("goes round its memory for a long movie without mixing frames up", arguments: [1, 7, 99])
  func round(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let pool = MoviePool(bytes: 20_000, frames: 16)
    let ticket = pool.begin(from: Self.time(0))
    var waiting: [UInt32] = []
    var lost = 0
    for number in 0..<2000 {
      let before = pool.counts.framesLost
      Self.add(number, bytes: Int(random.next() % 4000) + 1, to: pool)
      if pool.counts.framesLost == before { waiting.append(UInt32(number)) } else { lost += 1 }
      for _ in 0..<random.next() % 3 {
        guard let frame = pool.next(ticket, until: MonotonicTime(nanoseconds: 0)) else { break }
        #expect(frame.sequence == waiting.removeFirst())
        #expect(
          pool.image(of: frame).bytes.allSatisfy {
            $0 == UInt8(truncatingIfNeeded: frame.sequence)
          })
        pool.advance(ticket)
      }
    }
    #expect(Self.drain(pool, ticket) == waiting)
    #expect(lost > 0 && lost < 1500)
  }

  @Test("who recorded an earlier movie gets nothing of the next, and takes nothing from it")
  func tickets() {
    let pool = MoviePool(bytes: 10_000)
    let old = pool.begin(from: Self.time(0))
    Self.add(0, bytes: 10, to: pool)
    let new = pool.begin(from: Self.time(1))
    Self.add(1, bytes: 10, to: pool)
    #expect(pool.next(old, until: MonotonicTime(nanoseconds: 0)) == nil)
    pool.advance(old)
    #expect(Self.drain(pool, new) == [1])
  }

  @Test("a frame from before the movie's beginning is not part of it")
  func early() {
    let pool = MoviePool(bytes: 10_000)
    let ticket = pool.begin(from: Self.time(5))
    for number in 0..<8 { Self.add(number, bytes: 10, to: pool) }
    #expect(Self.drain(pool, ticket) == [5, 6, 7])
  }

  @Test("a webcam's frame without tables comes out with them, and without padding")
  func repaired() throws {
    let plain = SampleFrames.jpeg(PixelSize(width: 64, height: 48))
    let sent = SampleFrames.withoutTables(plain) + [UInt8](repeating: 0, count: 100)
    let pool = MoviePool(bytes: 100_000)
    let ticket = pool.begin(from: Self.time(0))
    sent.withUnsafeBytes { bytes in
      let image = FrameImage(
        bytes: bytes, format: .mjpeg, size: PixelSize(width: 64, height: 48), bytesPerLine: 0)
      pool.add(image, FrameGate.inspect(image), sequence: 1, timestamp: Self.time(1))
    }
    let frame = try #require(pool.next(ticket, until: MonotonicTime(nanoseconds: 0)))
    let kept = Array(pool.image(of: frame).bytes)
    #expect(kept.suffix(2) == [0xFF, 0xD9])
    #expect(SampleFrames.segments(kept).contains { $0.code == 0xC4 })
    #expect(frame.inspection.picture == 0..<kept.count)
  }

  @Test(
    "allocates nothing for a frame",
    .enabled(
      if: callocation_works() != 0,
      "a sanitizer has a malloc of its own, so that allocations cannot be counted"))
  func allocations() {
    let frame = SampleFrames.jpeg(PixelSize(width: 64, height: 48))
    let pool = MoviePool(bytes: 50_000)
    pool.arm(preroll: .milliseconds(300))
    frame.withUnsafeBytes { bytes in
      let image = FrameImage(
        bytes: bytes, format: .mjpeg, size: PixelSize(width: 64, height: 48), bytesPerLine: 0)
      let inspection = FrameGate.inspect(image)
      func run(_ numbers: Range<Int>) {
        for number in numbers {
          pool.add(
            image, inspection, sequence: UInt32(number), timestamp: Self.time(number))
        }
      }
      run(0..<100)
      let before = callocation_total()
      callocation_trap(getenv("RETAKE_TRAP_ALLOCATIONS") == nil ? 0 : 1)
      _ = callocation_count(1)
      run(100..<400)
      _ = callocation_count(0)
      callocation_trap(0)
      #expect(callocation_total() - before == 0)
    }
    #expect(pool.counts.framesCopied == 400)
  }
}
