import Glibc
import Imaging
import Media
import Platform
import StationTestSupport
import Testing

@testable import Movies

@Suite struct MovieRecorderTests {
  private static let frame = PixelSize(width: 128, height: 96)

  /// Frames with irregular times, all different.
  private static let frames = (0..<40).map { SampleFrames.jpeg(frame, seed: UInt64($0 + 1)) }
  private static let times = (0..<40).map { number in
    MonotonicTime(
      nanoseconds: 5_000_000_000 + Int64(number) * 33_366_700 + Int64(number * number % 7) * 100_000
    )
  }

  private static func plan(
    _ coding: MoviePlan.Coding, _ change: (inout MovieSettings) -> Void = { _ in }
  ) -> MoviePlan {
    var settings = MovieSettings()
    change(&settings)
    return MoviePlan(
      settings, coding: coding, orientation: Orientation(), frame: frame, rate: 30)
  }

  private static let x264 = MoviePlan.Coding.h264(encoder: "libx264", preset: "ultrafast")

  /// Records what is in the pool already, and stops behind the last frame.
  private static func record(
    _ plan: MoviePlan, to output: any MovieOutput, frames: Int = 40,
    pictures: (Int) -> [UInt8] = { Self.frames[$0] }
  ) -> Result<MovieSummary, MovieError>? {
    let pool = MoviePool(bytes: 4 << 20)
    let ticket = pool.begin(from: MonotonicTime(nanoseconds: 0))
    for number in 0..<frames {
      pictures(number).withUnsafeBytes { bytes in
        let size = plan.geometry.frame
        let image = FrameImage(bytes: bytes, format: .mjpeg, size: size, bytesPerLine: 0)
        pool.add(
          image, FrameGate.inspect(image), sequence: UInt32(number), timestamp: times[number])
      }
    }
    let clock = ManualClock(MonotonicTime(nanoseconds: 20_000_000_000))
    let recorder = MovieRecorder(
      plan, pool: pool, ticket: ticket, output: output,
      system: FaultySystemCalls(clock: clock))
    recorder.stop(at: MonotonicTime(nanoseconds: 10_000_000_000))
    return recorder.run()
  }

  @Test("a copied movie has every frame's own bytes, in order, at its own time")
  func copied() throws {
    let output = MemoryOutput()
    let summary = try #require(try Self.record(Self.plan(.copy), to: output)?.get())
    #expect(summary.frames == 40)
    #expect(summary.end == .stopped)
    #expect(summary.isFastStart)
    let pictures = try #require(MoviePictures(output.bytes))
    #expect(pictures.pictures == Self.frames)
    var ticks = 0
    for number in 0..<40 {
      let time = Self.times[number] - Self.times[0]
      let error = Double(ticks) / 90_000 - Double(time.nanoseconds) / 1e9
      #expect(abs(error) < 0.00002, "frame \(number)")
      ticks += pictures.durations[number]
    }
    #expect(output.bytes.count == summary.bytes)
  }

  @Test(
    "a copied movie of frames that are too small for a picture is written, without a small one",
    arguments: [(1, 4000), (4000, 1), (1, 1)])
  func smallFrames(width: Int, height: Int) throws {
    let size = PixelSize(width: width, height: height)
    let plan = MoviePlan(
      MovieSettings(), coding: .copy, orientation: Orientation(), frame: size, rate: 30)
    let output = MemoryOutput()
    let jpeg = SampleFrames.jpeg(size)
    let summary = try #require(
      try Self.record(plan, to: output, frames: 3, pictures: { _ in jpeg })?.get())
    #expect(summary.frames == 3)
    #expect(Box.find("uuid", in: output.bytes) == nil)
  }

  @Test("a finished file has its tables first and nothing but whole boxes")
  func layout() throws {
    for coding in [MoviePlan.Coding.copy, Self.x264] {
      let output = MemoryOutput()
      _ = try #require(try Self.record(Self.plan(coding), to: output)?.get())
      let types = try #require(Box.all(output.bytes)).map(\.type)
      #expect(types == ["ftyp", "moov", "uuid", "free", "mdat"])
      let thumbnail = try #require(Box.find("uuid", in: output.bytes))
      let jpeg = output.bytes[thumbnail.body].dropFirst(16)
      #expect(jpeg.prefix(2) == [0xFF, 0xD8] && jpeg.suffix(2) == [0xFF, 0xD9])
    }
  }

  @Test("an encoded movie has a picture for every frame, the first of them whole by itself")
  func encoded() throws {
    let output = MemoryOutput()
    let summary = try #require(try Self.record(Self.plan(Self.x264), to: output)?.get())
    #expect(summary.frames == 40)
    #expect(summary.size == PixelSize(width: 72, height: 96))
    let pictures = try #require(MoviePictures(output.bytes))
    #expect(pictures.pictures.count == 40)
    for picture in pictures.pictures {
      // Lengths of four bytes fill the picture, and no parameter sets are among the units.
      var at = 0
      while at + 4 < picture.count {
        #expect(![7, 8, 9].contains(picture[at + 4] & 31))
        at += 4 + Box.number(picture, at, 4)
      }
      #expect(at == picture.count)
    }
    #expect(
      Box.find("moov/trak/mdia/minf/stbl/stsd", in: output.bytes) != nil)
    // The pictures that need no other are listed, and only those.
    let list = try #require(Box.find("moov/trak/mdia/minf/stbl/stss", in: output.bytes))
    let keys = (0..<Box.number(output.bytes, list.body.lowerBound + 4, 4)).map {
      Box.number(output.bytes, list.body.lowerBound + 8 + $0 * 4, 4)
    }
    let whole = pictures.pictures.indices.filter { index in
      var at = 0
      while at + 4 < pictures.pictures[index].count {
        if pictures.pictures[index][at + 4] & 31 == 5 { return true }
        at += 4 + Box.number(pictures.pictures[index], at, 4)
      }
      return false
    }
    #expect(keys == whole.map { $0 + 1 })
    #expect(keys.first == 1)
  }

  @Test("the part that is written is a movie at any time: fragments that hold together")
  func fragments() throws {
    // Cut off behind the second fragment, as a full disk does.
    let whole = MemoryOutput()
    _ = try #require(try Self.record(Self.plan(.copy), to: whole)?.get())
    let head = MP4Writer.headBytes(Self.plan(.copy))
    let limited = MemoryOutput(limit: head + 60_000)
    let summary = try #require(try Self.record(Self.plan(.copy), to: limited)?.get())
    #expect(summary.end == .full)
    #expect(summary.problem?.contains("full") == true)
    #expect((1..<40).contains(summary.frames))
    let pictures = try #require(MoviePictures(limited.bytes))
    #expect(pictures.pictures == Array(Self.frames.prefix(summary.frames)))
  }

  @Test("a disk that is full from the start gives no movie, and says so")
  func fullAtOnce() {
    let result = Self.record(Self.plan(.copy), to: MemoryOutput(limit: 1000))
    guard case .failure(let error)? = result else {
      Issue.record("a movie without room")
      return
    }
    #expect(error.code == .full)
  }

  @Test("ends when it is as long as it may be")
  func maximum() throws {
    let output = MemoryOutput()
    let plan = Self.plan(.copy) { $0.maximum = .milliseconds(500) }
    let summary = try #require(try Self.record(plan, to: output)?.get())
    #expect(summary.end == .maximum)
    #expect(summary.duration <= .milliseconds(534))
    #expect(summary.frames == 15)
  }

  @Test("never gets larger than what was asked to be free before")
  func largest() throws {
    let output = MemoryOutput()
    let plan = Self.plan(.copy) { $0.maximum = .milliseconds(500) }
    #expect(plan.mostBytes > 15 * 8000)
    let summary = try #require(try Self.record(plan, to: output)?.get())
    #expect(summary.bytes <= plan.mostBytes)
  }

  @Test("a boomerang goes forward and back three times, at the pace of its frames")
  func boomerang() throws {
    let output = MemoryOutput()
    let plan = Self.plan(.copy) { $0.boomerang = 5 }
    let summary = try #require(try Self.record(plan, to: output)?.get())
    let pictures = try #require(MoviePictures(output.bytes))
    let round = [0, 1, 2, 3, 4, 3, 2, 1]
    let order = (round + round + round).map { Self.frames[$0] }
    #expect(pictures.pictures == order)
    #expect(summary.frames == 24)
    let forward = pictures.durations[0..<4]
    #expect(Array(pictures.durations[4..<8]) == forward.reversed())
  }

  @Test("without one usable frame there is no movie")
  func nothing() {
    let result = Self.record(Self.plan(Self.x264), to: MemoryOutput(), frames: 0)
    guard case .failure(let error)? = result else {
      Issue.record("a movie of nothing")
      return
    }
    #expect(error.code == .noFrames)
  }

  @Test("an encoder that is not there is an error that says what to do")
  func noEncoder() {
    let result = Self.record(
      Self.plan(.h264(encoder: "h264_nothing", preset: nil)), to: MemoryOutput())
    guard case .failure(let error)? = result else {
      Issue.record("a movie by nothing")
      return
    }
    #expect(error.code == .noEncoder)
    #expect(error.operatorMessage.contains("'movie.codec'"))
  }

  @Test("whichever write fails, what is left is a whole movie or none, and it is said")
  func everyWriteFails() throws {
    let path = "/tmp/retake-movie-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    defer { unlink(path) }
    for errno in [ENOSPC, EIO] {
      var call = 1
      while true {
        let system = FaultySystemCalls()
        let file = try Descriptor(
          opening: path, flags: O_RDWR | O_CREAT | O_TRUNC, mode: 0o600, system: system)
        system.fail("pwrite", at: call, with: errno)
        let output = MovieFile(file.number, path: path, system: system)
        let result = Self.record(Self.plan(.copy), to: output)
        let writes = system.calls.filter { $0 == "pwrite" }.count
        switch try #require(result) {
        case .success(let summary):
          let bytes = try Self.read(path)
          if summary.isFastStart {
            let pictures = try #require(MoviePictures(bytes), "call \(call), errno \(errno)")
            #expect(pictures.pictures == Array(Self.frames.prefix(summary.frames)))
          } else {
            #expect(Box.all(bytes)?.map(\.type).contains("moof") == true)
          }
          if summary.frames < 40 { #expect(summary.problem != nil) }
        case .failure(let error):
          #expect(error.cause?.errno == errno, "call \(call)")
        }
        if writes < call { break }
        call += 1
      }
      #expect(call > 5)
    }
  }

  private static func read(_ path: String) throws -> [UInt8] {
    let file = try Descriptor(opening: path, flags: O_RDONLY, system: LinuxSystemCalls())
    var bytes = [UInt8](repeating: 0, count: 4 << 20)
    let count = bytes.withUnsafeMutableBytes { file.system.read(file.number, $0) }
    return Array(bytes.prefix(count))
  }
}
