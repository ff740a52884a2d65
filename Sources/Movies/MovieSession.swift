import Imaging
import Media
import Platform

/// One movie under way: from frames to the file, with everything that can end it.
///
/// One thread at a time.
struct MovieSession: ~Copyable {
  /// Why no further frame is taken.
  struct Ending {
    var end: MovieSummary.End
    var problem: MovieError?

    init(_ end: MovieSummary.End, _ problem: MovieError? = nil) {
      self.end = end
      self.problem = problem
    }
  }

  private let plan: MoviePlan
  private var writer: MP4Writer
  private let encoder: VideoEncoder?
  private var maker = MoviePictureMaker()
  private var summary = MovieSummary()
  private var hasThumbnail = false
  /// Frames in a row of which only the decoder warned.
  private var warned = 0
  /// What a boomerang goes back through: the coded frames, and their times.
  private var kept: [(bytes: [UInt8], frame: PooledFrame, ticks: Int64)] = []
  private var keptBytes = 0
  private var lastTicks: Int64 = -1

  private init(_ plan: MoviePlan, _ encoder: VideoEncoder?, _ writer: consuming MP4Writer) {
    self.plan = plan
    self.encoder = encoder
    self.writer = writer
    summary.size = plan.size
    summary.coding = plan.coding
  }

  /// Opens the encoder and begins the file.
  static func begin(
    _ plan: MoviePlan, output: any MovieOutput, created: Int64?
  ) throws(MovieError) -> MovieSession {
    let encoder = plan.coding == .copy ? nil : try VideoEncoder(plan)
    let writer = try MP4Writer(
      plan, to: output, created: created, header: encoder?.header ?? [])
    return MovieSession(plan, encoder, writer)
  }

  /// Pictures so far.
  var frames: Int { summary.frames }
  /// From the first picture to the newest.
  var elapsed: Duration { frames == 0 ? .zero : summary.last - summary.start }
  /// The file's size so far.
  var bytes: Int { writer.position }

  /// Takes the next frame; says so if it is the last, or comes too late.
  mutating func take(_ frame: PooledFrame, _ image: FrameImage) throws(MovieError) -> Ending? {
    if frames > 0 {
      // Clocks that go back are counted by the camera; a movie's time only rises.
      guard frame.timestamp > summary.last else { return nil }
      if frame.timestamp - summary.start >= plan.settings.maximum, plan.settings.boomerang == 0 {
        return Ending(.maximum)
      }
    }
    // The camera was told to send something else: that is another movie.
    guard frame.inspection.size == plan.frame else { return Ending(.cameraLost) }
    guard writer.hasRoom(for: frame.count) else { return Ending(.maximum) }
    if frames == 0 { summary.start = frame.timestamp }
    let ticks = MovieSession.ticks(frame.timestamp - summary.start)
    do throws(MovieError) {
      guard try add(frame, image, at: ticks) else { return nil }
    } catch {
      if frames == 0 { throw error }
      return Ending(error.code == .full ? .full : .failed, error)
    }
    summary.frames += 1
    summary.last = frame.timestamp
    lastTicks = ticks
    guard plan.settings.boomerang > 0 else { return nil }
    // As they lie in the pool: one plane after the other.
    var bytes = Array(image.bytes)
    for plane in [image.second, image.third].compactMap({ $0 }) { bytes += Array(plane.bytes) }
    keptBytes += bytes.count
    let isFull = keptBytes + bytes.count > plan.settings.boomerangBytes
    kept.append((bytes, frame, ticks))
    return isFull || kept.count >= plan.settings.boomerang ? Ending(.maximum) : nil
  }

  static func ticks(_ time: Duration) -> Int64 {
    let rounded = Double(time.nanoseconds) * Double(VideoEncoder.timeBase) / 1e9
    return Int64(rounded.rounded())
  }

  /// Adds a picture to the file; false for a frame that is damaged.
  private mutating func add(
    _ frame: PooledFrame, _ image: FrameImage, at ticks: Int64
  ) throws(MovieError) -> Bool {
    if case .copy = plan.coding {
      if !hasThumbnail { makeThumbnail(frame, image) }
      try writer.add(image.bytes, at: ticks, isKey: true)
      return true
    }
    guard try encode(frame, image, at: ticks) else { return false }
    try drain()
    return true
  }

  private mutating func encode(
    _ frame: PooledFrame, _ image: FrameImage, at ticks: Int64
  ) throws(MovieError) -> Bool {
    guard let encoder else { return false }
    let planes = try encoder.picture()
    do throws(StillError) {
      let thumbnail = try maker.make(
        image, inspection: frame.inspection, geometry: plan.geometry, into: planes,
        wantsThumbnail: !hasThumbnail, acceptsWarnings: warned >= 4)
      if let thumbnail {
        hasThumbnail = true
        writer.use(thumbnail: thumbnail)
      }
    } catch {
      guard error.isAboutThisFrame else { throw MovieError(.unsupported, error.message) }
      summary.framesDamaged += 1
      // A camera whose every frame has something wrong is still usable.
      if error.code == .decoderWarning { warned += 1 }
      return false
    }
    if warned < 4 { warned = 0 }
    try encoder.send(at: ticks)
    return true
  }

  private mutating func drain() throws(MovieError) {
    guard let encoder else { return }
    while let packet = try encoder.next() {
      if !writer.isDescribed { try writer.use(header: packet.bytes) }
      try writer.add(packet.bytes, at: packet.ticks, isKey: packet.isKey)
    }
  }

  /// For movies that are not encoded: a picture is made only for the small one.
  private mutating func makeThumbnail(_ frame: PooledFrame, _ image: FrameImage) {
    hasThumbnail = true
    let made = MoviePlanes.withPlanes(plan.size) { planes in
      try? maker.make(
        image, inspection: frame.inspection, geometry: plan.geometry, into: planes,
        wantsThumbnail: true, acceptsWarnings: true)
    }
    if let made { writer.use(thumbnail: made) }
  }

  // MARK: The end

  /// Codes what waits, goes back and forth for a boomerang, and makes the file whole.
  mutating func finish(_ ending: Ending, lost: Int) throws(MovieError) -> MovieSummary {
    var ending = ending
    do throws(MovieError) {
      if ending.problem == nil { try goBackAndForth() }
      try encoder?.finish()
      try drain()
    } catch {
      if ending.problem == nil { ending = Ending(error.code == .full ? .full : .failed, error) }
    }
    // Nobody knows how long the last picture would have been shown: as long as one usually is.
    let period = Int64(Double(VideoEncoder.timeBase) / plan.rate)
    let file: MovieFileSummary
    do throws(MovieError) {
      file = try writer.finish(at: lastTicks + period)
    } catch {
      // What kept the only pictures out of it says more than that there are none.
      throw ending.problem ?? error
    }
    if let problem = file.problem, ending.problem == nil {
      ending = Ending(problem.code == .full ? .full : .failed, problem)
    }
    summary.frames = file.frames
    summary.duration = .nanoseconds(
      Int64(Double(file.ticks) * 1e9 / Double(VideoEncoder.timeBase)))
    summary.bytes = file.bytes
    summary.isFastStart = file.isFastStart
    summary.framesLost = lost
    summary.end = ending.end
    summary.problem = ending.problem?.description
    return summary
  }

  /// The frames that were kept, backwards and forwards again.
  private mutating func goBackAndForth() throws(MovieError) {
    guard kept.count > 1 else { return }
    let frames = kept
    kept = []
    var order: [Int] = []
    for round in 0..<MovieSettings.boomerangRounds {
      if round > 0 { order += 1..<frames.count }
      // The last round ends before the first frame, where a player that loops begins.
      let isLast = round == MovieSettings.boomerangRounds - 1
      order += ((isLast ? 1 : 0)..<frames.count - 1).reversed()
    }
    var position = frames.count - 1
    var ticks = lastTicks
    for index in order {
      // Between two frames lies the time that lay between them.
      ticks += abs(frames[index].ticks - frames[position].ticks)
      position = index
      let (bytes, frame) = (frames[index].bytes, frames[index].frame)
      let result = bytes.withUnsafeBytes { bytes in
        Result { () throws(MovieError) in try add(frame, frame.image(bytes), at: ticks) }
      }
      _ = try result.get()
      lastTicks = ticks
    }
  }
}
