import Glibc
import Imaging
import Media
import Platform
import StationTestSupport
import Testing

@testable import Movies

@Suite struct MovieMemoryTests {
  @Test(
    "H.264 pictures have no more pixels than the memory is meant for; small ones stay as they are",
    arguments: [
      (PixelSize(width: 4000, height: 3000), true, PixelSize(width: 2000, height: 1500)),
      (PixelSize(width: 4000, height: 3000), false, PixelSize(width: 2000, height: 1500)),
      (PixelSize(width: 3840, height: 2160), true, PixelSize(width: 2880, height: 1620)),
      (PixelSize(width: 3840, height: 2160), false, PixelSize(width: 1920, height: 1080)),
      (PixelSize(width: 12000, height: 9000), true, PixelSize(width: 1500, height: 1125)),
      (PixelSize(width: 1920, height: 1080), true, PixelSize(width: 1920, height: 1080)),
      (PixelSize(width: 641, height: 479), false, PixelSize(width: 641, height: 479)),
      (PixelSize(width: 16, height: 16), true, PixelSize(width: 16, height: 16)),
    ])
  func sizes(frame: PixelSize, isJPEG: Bool, reduced: PixelSize) {
    let plan = MoviePlan(
      MovieSettings(), coding: .h264(encoder: "libx264", preset: nil), orientation: Orientation(),
      frame: frame, rate: 30, isJPEG: isJPEG)
    #expect(plan.geometry.frame == reduced)
    #expect(plan.size.width * plan.size.height <= MovieSettings().mostPixels)
    #expect(plan.frame == frame)
    // The camera's own pictures are passed on as they are.
    let copy = MoviePlan(
      MovieSettings(), coding: .copy, orientation: Orientation(), frame: frame, rate: 30)
    #expect(copy.geometry.frame == frame)
  }

  @Test("a frame that is made smaller gives the same picture, turned and cropped as ever")
  func reduced() throws {
    let frame = PixelSize(width: 256, height: 192)
    let jpeg = SampleFrames.jpeg(frame, seed: 7)
    let grey = (0..<frame.width * frame.height).map { UInt8($0 % frame.width / 2 + 60) }
    for isJPEG in [true, false] {
      let bytes = isJPEG ? jpeg : grey
      let whole = MoviePictureMaker.geometry(Orientation(), frame: frame)
      let small = MoviePictureMaker.geometry(
        Orientation(), frame: PixelSize(width: 128, height: 96))
      let (large, largeMean) = try Self.picture(bytes, isJPEG, frame, whole)
      let (_, smallMean) = try Self.picture(bytes, isJPEG, frame, small)
      #expect(large == PixelSize(width: 144, height: 192))
      #expect(abs(largeMean - smallMean) < 3, "JPEG: \(isJPEG)")
    }
  }

  private static func picture(
    _ bytes: [UInt8], _ isJPEG: Bool, _ frame: PixelSize, _ geometry: StillGeometry
  ) throws -> (PixelSize, Double) {
    let size = geometry.size
    var memory = [UInt8](repeating: 0, count: size.width * size.height * 3 / 2)
    var maker = MoviePictureMaker()
    try memory.withUnsafeMutableBufferPointer { memory in
      let luma = try #require(memory.baseAddress)
      let blue = luma + size.width * size.height
      let planes = MoviePlanes(
        luma: luma, blue: blue, red: blue + size.width * size.height / 4,
        strides: (size.width, size.width / 2, size.width / 2))
      try bytes.withUnsafeBytes { bytes in
        let image = FrameImage(
          bytes: bytes, format: isJPEG ? .mjpeg : .grey, size: frame,
          bytesPerLine: isJPEG ? 0 : frame.width)
        _ = try maker.make(
          image, inspection: FrameGate.inspect(image), geometry: geometry, into: planes)
      }
    }
    let luma = memory.prefix(size.width * size.height)
    return (size, luma.reduce(0.0) { $0 + Double($1) } / Double(luma.count))
  }

  @Test("an encoder uses four threads at most: each holds frames of its own")
  func threads() { #expect((1...4).contains(VideoEncoder.threads)) }

  @Test(
    "the frames that wait for a movie stay within their budget, whatever the camera sends",
    arguments: [
      (PixelSize(width: 4000, height: 3000), 30.0, 24 << 20, true),
      (PixelSize(width: 12000, height: 9000), 240.0, 1 << 30, true),
      (PixelSize(width: 3840, height: 2160), 60.0, 16 << 20, false),
      (PixelSize(width: .max, height: .max), 1e9, .max, false),
    ])
  func pool(frame: PixelSize, rate: Double, largest: Int, isJPEG: Bool) {
    var settings = MovieSettings()
    settings.preroll = .seconds(5)
    let bytes = MoviePlan.poolBytes(
      settings, frame: frame, rate: rate, largestFrame: largest, isJPEG: isJPEG)
    #expect(bytes == MemoryBudget.moviePool)
  }

  @Test("a pool that is off has given its memory back")
  func givenBack() throws {
    let pool = MoviePool(bytes: 8 << 20)
    pool.arm(preroll: .seconds(10))
    let frame = [UInt8](repeating: 3, count: 1 << 20)
    frame.withUnsafeBytes { bytes in
      let image = FrameImage(
        bytes: bytes, format: .grey, size: PixelSize(width: 1 << 20, height: 1),
        bytesPerLine: 1 << 20)
      for number in 0..<6 {
        pool.add(
          image, FrameInspection(verdict: .clean, picture: 0..<bytes.count, size: image.size),
          sequence: UInt32(number), timestamp: MonotonicTime(nanoseconds: Int64(number)))
      }
    }
    #expect(pool.count == 6)
    let before = try Self.residentPages(pool)
    pool.disarm()
    #expect(before >= 6 << 8)
    // The pages at both ends are shared with the allocator's own.
    #expect(try Self.residentPages(pool) <= 2)
  }

  private static func residentPages(_ pool: MoviePool) throws -> Int {
    let page = sysconf(Int32(_SC_PAGESIZE))
    let start = UInt(bitPattern: pool.memory.baseAddress)
    let first = start / UInt(page) * UInt(page)
    let count = (Int(start - first) + pool.memory.count + page - 1) / page
    var pages = [UInt8](repeating: 0, count: count)
    let result = mincore(UnsafeMutableRawPointer(bitPattern: first), count * page, &pages)
    #expect(result == 0)
    return pages.filter { $0 & 1 == 1 }.count
  }

  @Test("a boomerang ends with the frames that its memory has room for")
  func boomerang() throws {
    let frame = PixelSize(width: 128, height: 96)
    let frames = (0..<20).map { SampleFrames.jpeg(frame, seed: UInt64($0 + 1)) }
    var settings = MovieSettings()
    settings.boomerang = 20
    settings.boomerangBytes = frames.prefix(6).reduce(0) { $0 + $1.count }
    let plan = MoviePlan(
      settings, coding: .copy, orientation: Orientation(), frame: frame, rate: 30)
    let pool = MoviePool(bytes: 4 << 20)
    let ticket = pool.begin(from: MonotonicTime(nanoseconds: 0))
    for (number, bytes) in frames.enumerated() {
      bytes.withUnsafeBytes { bytes in
        let image = FrameImage(bytes: bytes, format: .mjpeg, size: frame, bytesPerLine: 0)
        pool.add(
          image, FrameGate.inspect(image), sequence: UInt32(number),
          timestamp: MonotonicTime(nanoseconds: Int64(number) * 33_000_000))
      }
    }
    let recorder = MovieRecorder(plan, pool: pool, ticket: ticket, output: MemoryOutput())
    let summary = try recorder.record()
    // Five or six forward, and back and forth three times.
    #expect([24, 30].contains(summary.frames))
    #expect(summary.end == .maximum)
  }

  // YM12: three planes, each in a buffer of its own.
  private static let separatePlanes = PixelFormat(rawValue: 0x3231_4D59)

  @Test("a boomerang of frames with planes of their own goes back through all of them")
  func planes() throws {
    let size = PixelSize(width: 64, height: 48)
    var settings = MovieSettings()
    settings.boomerang = 3
    let plan = MoviePlan(
      settings, coding: .h264(encoder: "libx264", preset: "ultrafast"),
      orientation: Orientation(), frame: size, rate: 30, isJPEG: false)
    let pool = MoviePool(bytes: 1 << 20)
    let ticket = pool.begin(from: MonotonicTime(nanoseconds: 0))
    let luma = [UInt8](repeating: 90, count: 64 * 48)
    let chroma = [UInt8](repeating: 140, count: 32 * 24)
    for number in 0..<3 {
      luma.withUnsafeBytes { luma in
        chroma.withUnsafeBytes { chroma in
          var image = FrameImage(
            bytes: luma, format: Self.separatePlanes, size: size, bytesPerLine: 64)
          image.second = Plane(chroma, bytesPerLine: 32)
          image.third = Plane(chroma, bytesPerLine: 32)
          pool.add(
            image, FrameInspection(verdict: .clean, picture: 0..<luma.count, size: size),
            sequence: UInt32(number),
            timestamp: MonotonicTime(nanoseconds: Int64(number) * 33_000_000))
        }
      }
    }
    let recorder = MovieRecorder(plan, pool: pool, ticket: ticket, output: MemoryOutput())
    #expect(try recorder.record().frames == 12)
  }
}
