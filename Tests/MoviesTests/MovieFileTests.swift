import Glibc
import Imaging
import Media
import Platform
import StationTestSupport
import Synchronization
import Testing

@testable import Movies

/// Tests of a movie file's headers and of writing it to the disk.
@Suite struct MovieFileTests {
  private static let frame = PixelSize(width: 128, height: 96)
  private static let frames = (0..<20).map { SampleFrames.jpeg(frame, seed: UInt64($0 + 1)) }

  /// Frame numbers with their times in milliseconds.
  private static func record(
    to output: any MovieOutput, _ frames: [(Int, Int)], lostBefore: Int = 0,
    isBT709: Bool = false, created: Int64? = nil
  ) throws -> MovieSummary {
    let plan = MoviePlan(
      MovieSettings(), coding: .copy, orientation: Orientation(), frame: frame, rate: 30,
      isBT709: isBT709)
    let pool = MoviePool(bytes: 1 << 20)
    var ticket = pool.begin(from: MonotonicTime(nanoseconds: 0))
    // Frames of a movie before it that found no room.
    while pool.counts.framesLost < lostBefore { add(0, at: 1, to: pool) }
    pool.arm(preroll: .zero)
    ticket = pool.begin(from: MonotonicTime(nanoseconds: 0))
    for (number, milliseconds) in frames { add(number, at: milliseconds, to: pool) }
    let recorder = MovieRecorder(
      plan, pool: pool, ticket: ticket, output: output, created: created)
    recorder.stop(at: MonotonicTime(nanoseconds: 900_000_000))
    return try #require(try recorder.run()?.get())
  }

  private static func add(_ number: Int, at milliseconds: Int, to pool: MoviePool) {
    frames[number].withUnsafeBytes { bytes in
      let image = FrameImage(bytes: bytes, format: .mjpeg, size: frame, bytesPerLine: 0)
      pool.add(
        image, FrameGate.inspect(image), sequence: UInt32(number),
        timestamp: MonotonicTime(nanoseconds: Int64(milliseconds) * 1_000_000))
    }
  }

  private static let regular = (0..<20).map { ($0, $0 * 33) }

  @Test("a disk that takes a few bytes at a time gets every byte in its place")
  func shortWrites() throws {
    let path = "/tmp/retake-movie-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    defer { unlink(path) }
    let system = FaultySystemCalls()
    let file = try Descriptor(
      opening: path, flags: O_RDWR | O_CREAT | O_TRUNC, mode: 0o600, system: system)
    system.shortenWrites(to: 1000)
    _ = try Self.record(to: MovieFile(file.number, path: path, system: system), Self.regular)
    var bytes = [UInt8](repeating: 0, count: 4 << 20)
    let count = bytes.withUnsafeMutableBytes { system.pread(file.number, $0, 0) }
    let pictures = try #require(MoviePictures(Array(bytes.prefix(count))))
    #expect(pictures.pictures == Self.frames)
  }

  /// A disk whose free room ends.
  private final class Filling: MovieOutput {
    let file = MemoryOutput()
    private let room: Mutex<Int>
    init(_ room: Int) { self.room = Mutex(room) }
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(MovieError) {
      try file.write(bytes, at: offset)
    }
    func truncate(to count: Int) throws(MovieError) { try file.truncate(to: count) }
    func hasRoom(for bytes: Int) -> Bool {
      room.withLock { room in
        room -= bytes
        return room >= 0
      }
    }
  }

  @Test("a movie leaves the disk its reserve: it ends before the last bytes are taken")
  func reserve() throws {
    let bytes = Self.frames.prefix(17).reduce(0) { $0 + $1.count } + 1000
    let output = Filling(bytes)
    let summary = try Self.record(to: output, Self.regular)
    #expect(summary.end == .full)
    #expect((1..<20).contains(summary.frames))
    let pictures = try #require(MoviePictures(output.file.bytes))
    #expect(pictures.pictures == Array(Self.frames.prefix(summary.frames)))
  }

  @Test("a frame whose clock went back, or stood still, is left out")
  func clock() throws {
    let output = MemoryOutput()
    let summary = try Self.record(to: output, [(0, 0), (1, 33), (2, 33), (3, 20), (4, 66)])
    #expect(summary.frames == 3)
    let pictures = try #require(MoviePictures(output.bytes))
    #expect(pictures.pictures == [0, 1, 4].map { Self.frames[$0] })
  }

  @Test("frames that an earlier movie lost are not this one's")
  func lost() throws {
    let summary = try Self.record(to: MemoryOutput(), [(0, 0), (1, 33)], lostBefore: 3)
    #expect(summary.framesLost == 0)
  }

  @Test("says when it was made, in seconds since 1904, or nothing where the clock was never set")
  func created() throws {
    for (created, wanted) in [(Int64?.none, 0), (Int64(1_700_000_000), 3_782_844_800)] {
      let output = MemoryOutput()
      _ = try Self.record(to: output, [(0, 0), (1, 33)], created: created)
      for path in ["moov/mvhd", "moov/trak/tkhd", "moov/trak/mdia/mdhd"] {
        let box = try #require(Box.find(path, in: output.bytes))
        #expect(Box.number(output.bytes, box.body.lowerBound + 4, 4) == wanted, "\(path)")
        #expect(Box.number(output.bytes, box.body.lowerBound + 8, 4) == wanted, "\(path)")
      }
    }
  }

  @Test("says which matrix the colours were made with", arguments: [(false, 6), (true, 1)])
  func colours(isBT709: Bool, matrix: Int) throws {
    var track = MovieTrack(
      plan: MoviePlan(
        MovieSettings(), coding: .h264(encoder: "libx264", preset: nil),
        orientation: Orientation(), frame: Self.frame, rate: 30, isBT709: isBT709))
    (track.sequenceSet, track.pictureSet) = ([0x67, 100, 0, 30], [0x68])
    var writer = BoxWriter()
    track.movie(SampleTable(room: 0), isFragmented: false, to: &writer)
    let place = try #require(
      writer.bytes.indices.dropLast(14).first {
        Array(writer.bytes[$0..<$0 + 8]) == Array("colrnclx".utf8)
      })
    #expect(Box.number(writer.bytes, place + 12, 2) == matrix)
    // Limited range.
    #expect(writer.bytes[place + 14] == 0)
  }

  @Test("a file that is larger than four gigabytes has offsets of eight bytes")
  func offsets() throws {
    for (offset, type, width) in [(1000, "stco", 4), (5_000_000_000, "co64", 8)] {
      var table = SampleTable(room: 1)
      table.add(size: 10, duration: 3000, isKey: true)
      table.add(chunkAt: offset, of: 1)
      var writer = BoxWriter()
      table.write(to: &writer)
      let boxes = try #require(Box.all(writer.bytes))
      let box = try #require(boxes.last)
      #expect(box.type == type)
      #expect(Box.number(writer.bytes, box.body.lowerBound + 8, width) == offset)
    }
  }

  @Test("a small picture that is too large for the head is left out")
  func thumbnail() throws {
    let plan = MoviePlan(
      MovieSettings(), coding: .copy, orientation: Orientation(), frame: Self.frame, rate: 30)
    for (count, isThere) in [(48 << 10, true), ((48 << 10) + 1, false)] {
      let output = MemoryOutput()
      var writer = try MP4Writer(plan, to: output, created: nil)
      writer.use(thumbnail: [UInt8](repeating: 1, count: count))
      try Self.frames[0].withUnsafeBytes { try writer.add($0, at: 0, isKey: true) }
      _ = try writer.finish(at: 3000)
      #expect((Box.find("uuid", in: output.bytes) != nil) == isThere, "\(count)")
    }
  }
}
