import Imaging
import Media
import Platform
import StationTestSupport
import Synchronization
import Testing

@testable import Movies

/// Tests that a movie without its end, as a power cut or a full disk leaves it, can be played.
@Suite struct MovieFragmentTests {
  private static let frame = PixelSize(width: 128, height: 96)
  private static let frames = (0..<40).map { SampleFrames.jpeg(frame, seed: UInt64($0 + 1)) }
  /// Irregular, so that a wrong sum shows.
  private static let times = (0..<40).map { number in
    MonotonicTime(
      nanoseconds: 5_000_000_000 + Int64(number) * 33_366_700 + Int64(number * number % 7) * 100_000
    )
  }

  /// A file whose head cannot be written with the tables at the end.
  private final class WithoutTables: MovieOutput {
    let file = MemoryOutput()
    private let heads = Mutex(0)

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(MovieError) {
      if offset == 0 {
        let number = heads.withLock { heads in
          heads += 1
          return heads
        }
        if number == 2 { throw MovieError(.output, "not now") }
      }
      try file.write(bytes, at: offset)
    }

    func truncate(to count: Int) throws(MovieError) { try file.truncate(to: count) }
    func hasRoom(for bytes: Int) -> Bool { true }
  }

  /// A picture of a fragment, as a player finds it.
  private struct Sample {
    var ticks: Int
    var duration: Int
    var bytes: [UInt8]
    var isKey: Bool
  }

  private struct Fragment {
    var number: Int
    var samples: [Sample] = []
  }

  private static func fragments(_ bytes: [UInt8]) throws -> [Fragment] {
    var result: [Fragment] = []
    for box in try #require(Box.all(bytes)) where box.type == "moof" {
      let inner = try #require(Box.all(bytes, in: box.body))
      let header = try #require(inner.first { $0.type == "mfhd" })
      let track = try #require(inner.first { $0.type == "traf" })
      let parts = try #require(Box.all(bytes, in: track.body))
      let time = try #require(parts.first { $0.type == "tfdt" }).body.lowerBound
      let run = try #require(parts.first { $0.type == "trun" }).body.lowerBound
      var fragment = Fragment(number: Box.number(bytes, header.body.lowerBound + 4, 4))
      var ticks = Box.number(bytes, time + 4, 8)
      // From the fragment's first byte, where its own size stands.
      var place = box.body.lowerBound - 8 + Box.number(bytes, run + 8, 4)
      for index in 0..<Box.number(bytes, run + 4, 4) {
        let row = run + 12 + index * 12
        let (duration, size) = (Box.number(bytes, row, 4), Box.number(bytes, row + 4, 4))
        fragment.samples.append(
          Sample(
            ticks: ticks, duration: duration, bytes: Array(bytes[place..<place + size]),
            isKey: Box.number(bytes, row + 8, 4) & 0x10000 == 0))
        ticks += duration
        place += size
      }
      result.append(fragment)
    }
    return result
  }

  private static func record(_ coding: MoviePlan.Coding) throws -> [UInt8] {
    let plan = MoviePlan(
      MovieSettings(), coding: coding, orientation: Orientation(), frame: frame, rate: 30)
    let pool = MoviePool(bytes: 4 << 20)
    let ticket = pool.begin(from: MonotonicTime(nanoseconds: 0))
    for number in 0..<40 { add(number, at: times[number], to: pool) }
    let output = WithoutTables()
    let recorder = MovieRecorder(
      plan, pool: pool, ticket: ticket, output: output,
      system: FaultySystemCalls(clock: ManualClock(MonotonicTime(nanoseconds: 6_900_000_000))))
    recorder.stop(at: MonotonicTime(nanoseconds: 6_700_000_000))
    let summary = try #require(try recorder.run()?.get())
    #expect(!summary.isFastStart)
    #expect(summary.frames == 40)
    return output.file.bytes
  }

  private static func add(_ number: Int, at time: MonotonicTime, to pool: MoviePool) {
    frames[number].withUnsafeBytes { bytes in
      let image = FrameImage(bytes: bytes, format: .mjpeg, size: frame, bytesPerLine: 0)
      pool.add(
        image, FrameGate.inspect(image), sequence: UInt32(number), timestamp: time)
    }
  }

  @Test("each fragment says when it begins, which pictures it has, and where they lie")
  func times() throws {
    let fragments = try Self.fragments(Self.record(.copy))
    #expect(fragments.map(\.number) == [1, 2, 3])
    let samples = fragments.flatMap(\.samples)
    #expect(samples.map(\.bytes) == Self.frames)
    #expect(samples.allSatisfy { $0.isKey })
    for (number, sample) in samples.enumerated() {
      let wanted = Self.times[number] - Self.times[0]
      let error = Double(sample.ticks) / 90_000 - Double(wanted.nanoseconds) / 1e9
      #expect(abs(error) < 0.00002, "picture \(number)")
    }
    // The last is shown as long as one usually is.
    #expect(samples.last?.duration == 3000)
    // Half a second each, and none waits for longer.
    for fragment in fragments.dropLast() {
      let length = fragment.samples.reduce(0) { $0 + $1.duration }
      #expect((45_000..<51_000).contains(length), "fragment \(fragment.number)")
    }
  }

  @Test("fragments of H.264 say which pictures need no other")
  func keys() throws {
    let x264 = MoviePlan.Coding.h264(encoder: "libx264", preset: "ultrafast")
    let samples = try Self.fragments(Self.record(x264)).flatMap(\.samples)
    #expect(samples.count == 40)
    for (number, sample) in samples.enumerated() {
      // With a slice of an IDR picture; other units may come before it.
      #expect(sample.isKey == Self.units(sample.bytes).contains(5), "picture \(number)")
    }
    #expect(samples.first?.isKey == true)
    #expect(samples.filter { $0.isKey }.count == 2)
  }

  /// The types of the units that a picture is made of.
  private static func units(_ picture: [UInt8]) -> [UInt8] {
    var types: [UInt8] = []
    var place = 0
    while place + 4 < picture.count {
      types.append(picture[place + 4] & 31)
      place += 4 + Box.number(picture, place, 4)
    }
    return types
  }

  // MARK: The end

  /// A recorder on its own thread whose clock stands where the test puts it.
  private final class Late: Sendable {
    let clock = ManualClock(MonotonicTime(nanoseconds: 5_000_000_000))
    let pool = MoviePool(bytes: 1 << 20)
    let recorder: MovieRecorder
    let result = Mutex<Result<MovieSummary, MovieError>?>(nil)
    private let reads = Mutex(0)

    init() throws {
      let plan = MoviePlan(
        MovieSettings(), coding: .copy, orientation: Orientation(),
        frame: MovieFragmentTests.frame, rate: 30)
      recorder = MovieRecorder(
        plan, pool: pool, ticket: pool.begin(from: MonotonicTime(nanoseconds: 0)),
        output: MemoryOutput(), system: FaultySystemCalls(clock: clock))
    }

    func start() throws {
      clock.onRead { [weak self] in self?.reads.withLock { $0 += 1 } }
      try recorder.start { [self] end in result.withLock { $0 = end } }
    }

    func add(_ number: Int, at time: Duration) {
      MovieFragmentTests.add(number, at: Late.time(time), to: pool)
    }

    static func time(_ time: Duration) -> MonotonicTime {
      MonotonicTime(nanoseconds: 5_000_000_000) + time
    }

    var hasEnded: Bool { result.withLock { $0 != nil } }

    /// Lets the recorder go on until it has that many frames, or has ended.
    func take(_ frames: Int) async {
      while recorder.progress.frames < frames, !hasEnded { await pause() }
    }

    /// Lets the recorder look at its clock some times, so that it ends where it would.
    func look() async {
      let before = reads.withLock { $0 }
      while reads.withLock({ $0 }) < before + 8, !hasEnded { await pause() }
    }

    /// Lets it go on until it has ended; false where it does not.
    func end() async -> Bool {
      for _ in 0..<30_000 {
        if hasEnded { return true }
        await pause()
      }
      return false
    }

    var summary: MovieSummary? { result.withLock { try? $0?.get() } }
  }

  // Two frames' time, at 30 a second.
  private static let grace = Duration.microseconds(66_666)

  @Test("frames that were taken before a stop belong to the movie, also when they come late")
  func late() async throws {
    let late = try Late()
    late.add(0, at: .zero)
    try late.start()
    await late.take(1)
    late.clock.advance(to: Late.time(.milliseconds(100)))
    late.recorder.stop(at: Late.time(.milliseconds(100)))
    await late.look()
    late.add(1, at: .milliseconds(66))
    await late.take(2)
    late.clock.advance(to: Late.time(.milliseconds(100) + Self.grace - .milliseconds(2)))
    await late.look()
    // The moment itself is the last that belongs to it.
    late.add(2, at: .milliseconds(100))
    await late.take(3)
    #expect(!late.hasEnded)
    late.clock.advance(to: Late.time(.milliseconds(100) + Self.grace + .milliseconds(1)))
    #expect(await late.end())
    late.recorder.join()
    let summary = try #require(late.summary)
    #expect(summary.frames == 3)
    #expect(summary.end == .stopped)
    #expect(summary.last == Late.time(.milliseconds(100)))
  }

  @Test("a frame from after the stop ends the movie at once, and is not in it")
  func after() async throws {
    let late = try Late()
    late.add(0, at: .zero)
    late.add(1, at: .milliseconds(33))
    late.recorder.stop(at: Late.time(.milliseconds(40)))
    late.add(2, at: .milliseconds(41))
    late.add(3, at: .milliseconds(35))
    try late.start()
    #expect(await late.end())
    late.recorder.join()
    #expect(late.summary?.frames == 2)
  }

  @Test("a camera that sends nothing for two seconds has ended the movie, and not before")
  func lost() async throws {
    let late = try Late()
    late.add(0, at: .zero)
    try late.start()
    await late.take(1)
    late.clock.advance(to: Late.time(.milliseconds(1_990)))
    await late.look()
    late.add(1, at: .milliseconds(1_980))
    await late.take(2)
    #expect(!late.hasEnded)
    late.clock.advance(to: Late.time(.milliseconds(3_995)))
    #expect(await late.end())
    late.recorder.join()
    #expect(late.summary?.frames == 2)
    #expect(late.summary?.end == .cameraLost)
  }
}
