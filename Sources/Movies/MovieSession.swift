import Imaging
import Media
import Platform

/// The present movie: the conversion of frames to the file, and the reasons to end it.
///
/// For one thread at a time.
struct MovieSession: ~Copyable {
  /// The reason why no further frame is taken.
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
  /// The number of consecutive frames with nothing but a decoder's warning.
  private var warned = 0
  /// The frames that a boomerang repeats, with their bytes and times.
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

  /// The number of pictures so far.
  var frames: Int { summary.frames }
  /// The time from the first picture to the newest.
  var elapsed: Duration { frames == 0 ? .zero : summary.last - summary.start }
  /// The file's size so far, in bytes.
  var bytes: Int { writer.position }

  /// Takes the next frame; returns the ending if the movie ends with or before this frame.
  mutating func take(_ frame: PooledFrame, _ image: FrameImage) throws(MovieError) -> Ending? {
    if frames > 0 {
      // The camera counts clocks that go back; a movie's time only rises.
      guard frame.timestamp > summary.last else { return nil }
      if frame.timestamp - summary.start >= plan.settings.maximum, plan.settings.boomerang == 0 {
        return Ending(.maximum)
      }
    }
    // A camera that sends another size needs another movie.
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
    // The planes lie one after the other, as in the pool.
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

  /// Adds a picture to the file; returns false for a damaged frame.
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
      guard error.isAboutThisFrame else {
        throw MovieError(.unsupported, error.message, fix: error.fix)
      }
      summary.framesDamaged += 1
      // A camera whose every frame causes a warning is still usable.
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

  /// Makes the thumbnail of a movie whose pictures are not encoded.
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

  /// Encodes pending pictures, repeats the frames of a boomerang, and completes the file.
  mutating func finish(_ ending: Ending, lost: Int) throws(MovieError) -> MovieSummary {
    var ending = ending
    do throws(MovieError) {
      if ending.problem == nil { try goBackAndForth() }
      try encoder?.finish()
      try drain()
    } catch {
      if ending.problem == nil { ending = Ending(error.code == .full ? .full : .failed, error) }
    }
    // The duration of the last picture is unknown, so the usual period is used.
    let period = Int64(Double(VideoEncoder.timeBase) / plan.rate)
    let file: MovieFileSummary
    do throws(MovieError) {
      file = try writer.finish(at: lastTicks + period)
    } catch {
      // The error that kept out the only pictures tells more than `noFrames`.
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

  /// Adds the kept frames again, backwards and forwards.
  private mutating func goBackAndForth() throws(MovieError) {
    guard kept.count > 1 else { return }
    let frames = kept
    kept = []
    var order: [Int] = []
    for round in 0..<MovieSettings.boomerangRounds {
      if round > 0 { order += 1..<frames.count }
      // The last round ends before the first frame, where a looping player starts again.
      let isLast = round == MovieSettings.boomerangRounds - 1
      order += ((isLast ? 1 : 0)..<frames.count - 1).reversed()
    }
    var position = frames.count - 1
    var ticks = lastTicks
    for index in order {
      // The time between two frames is the same as when they were taken.
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
