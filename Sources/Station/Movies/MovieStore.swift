import Capture
import ImagePicker
import Imaging
import Movies
import PhotoLibrary
import Platform
import StationConfiguration
import Synchronization

/// Records movies for the station: from a camera's frames to a file without a name.
///
/// What it makes is handed to the ``CandidateStore``, which keeps it until the guest has decided. All
/// calls may come from any thread and none waits, but for ``close(within:)``.
final class MovieStore: MovieStoring {
  private struct Current {
    var candidate: CandidateID
    var recorder: MovieRecorder
    var plan: MoviePlan
    var start: MonotonicTime
  }

  private struct State {
    var camera: Camera?
    var label = ""
    var delay = Duration.zero
    var settings: MovieSettings
    var orientation: Orientation
    var library: PhotoLibrary?
    /// What the camera sends now; nil until that is known.
    var mode: CameraMode?
    var kit: MovieKit?
    var problem: MovieError?
    var isArmed = false
    var current: Current?
    /// Movies whose bytes can be read.
    var readable: [CandidateID: ReviewMovie] = [:]
    /// Movies that were asked for and are not whole yet.
    var pending: Set<CandidateID> = []
    /// Those of them that nobody wants any more.
    var discarded: Set<CandidateID> = []
    var counts = MoviePool.Counts()
  }

  // A thread of its own: encoders are tested on it.
  private let worker: EventLoop
  private let saver: EventLoop
  private let candidates: CandidateStore
  private let system: any SystemCalls
  private let state: Mutex<State>
  private let changed = Mutex(Callback())
  private let log = Log("movies")

  init(
    saver: EventLoop, candidates: CandidateStore, configuration: Configuration,
    system: any SystemCalls
  ) throws(SystemError) {
    worker = try EventLoop("movies", system: system)
    self.saver = saver
    self.candidates = candidates
    self.system = system
    state = Mutex(State(settings: configuration.movie, orientation: configuration.orientation))
  }

  /// Calls `body` when it is known anew whether movies can be recorded.
  func onChange(_ body: @escaping @Sendable () -> Void) { changed.withLock { $0.body = body } }

  // MARK: What it works with

  func use(_ configuration: Configuration) {
    let isNew = state.withLock { state in
      let isNew =
        state.settings != configuration.movie || state.orientation != configuration.orientation
      state.settings = configuration.movie
      state.orientation = configuration.orientation
      return isNew
    }
    if isNew { prepare() }
  }

  func use(_ library: PhotoLibrary?) { state.withLock { $0.library = library } }

  func use(_ camera: Camera, label: String, delay: Duration) {
    state.withLock {
      ($0.camera, $0.label, $0.delay) = (camera, label, delay)
      ($0.mode, $0.kit, $0.problem) = (nil, nil, nil)
    }
    prepare()
  }

  /// Looks at what the camera sends now, and gets ready for movies of that.
  func prepare() {
    worker.submit { [self] in
      let (camera, settings, orientation, known) = state.withLock {
        ($0.camera, $0.settings, $0.orientation, $0.kit?.plan)
      }
      guard let camera, let mode = camera.granted else { return }
      if let known, state.withLock({ $0.mode }) == mode, known.settings == settings,
        known.isTurned(by: orientation, isJPEG: mode.format.isJPEG)
      {
        return
      }
      do throws(MovieError) {
        take(try MovieKit(mode, settings, orientation, system: system), mode, camera)
      } catch {
        log.warning("no movies: \(error)")
        state.withLock { ($0.mode, $0.kit, $0.problem) = (mode, nil, error) }
        camera.tap(nil)
      }
      changed.withLock { $0.body }?()
    }
  }

  private func take(_ kit: MovieKit, _ mode: CameraMode, _ camera: Camera) {
    let (isArmed, isCurrent) = state.withLock { state in
      guard state.camera === camera else { return (false, false) }
      if let old = state.kit { state.counts.add(old.pool.counts) }
      (state.mode, state.kit, state.problem) = (mode, kit, nil)
      return (state.isArmed, true)
    }
    guard isCurrent else { return }
    log.info(
      "movies: \(kit.plan.size) \(kit.plan.coding.description)",
      [("bytes", "\(kit.plan.mostBytes)"), ("pool", "\(kit.pool.capacity)")])
    if isArmed { kit.pool.arm(preroll: kit.plan.settings.preroll) }
    kit.tap(camera)
  }

  /// Has frames kept for the pre-roll, or no longer.
  func arm(_ isArmed: Bool) {
    let kit = state.withLock { state -> MovieKit? in
      guard state.isArmed != isArmed else { return nil }
      state.isArmed = isArmed
      return state.current == nil ? state.kit : nil
    }
    guard let kit else { return }
    if isArmed { kit.pool.arm(preroll: kit.plan.settings.preroll) } else { kit.pool.disarm() }
  }

  /// Calls `answer` once the thread that begins movies gets to it: a sign that it lives.
  func ping(_ answer: @escaping @Sendable () -> Void) { worker.submit(answer) }

  /// Ends the threads, each within `limit`; a movie that nobody has accepted is gone.
  ///
  /// A thread that hangs in the library's disk is left to itself.
  func close(within limit: Duration) {
    let (current, camera) = state.withLock { state in
      defer {
        // The library too, whose lock the next station waits for.
        (state.current, state.kit, state.readable) = (nil, nil, [:])
        (state.library, state.camera) = (nil, nil)
      }
      return (state.current, state.camera)
    }
    camera?.tap(nil)
    current?.recorder.abandon()
    current?.recorder.join(within: limit)
    worker.stop(within: limit)
  }

  // MARK: Questions

  /// Why no movie can be recorded, but for room; nil: it can.
  var problem: PickerReason? {
    let (problem, kit) = state.withLock { ($0.problem, $0.kit) }
    if let problem {
      return PickerReason(
        .moviesUnavailable,
        problem: AccessProblem(
          who: currentUser(), what: "movies", why: problem.message,
          fix: "see 'movie.codec' in the configuration"))
    }
    return kit == nil ? PickerReason(.moviesUnavailable) : nil
  }

  /// What has to be free before one begins; nil while that is not known.
  var mostBytes: Int? { state.withLock { $0.kit?.plan.mostBytes } }

  var status: MovieStatus {
    let (kit, current, counts) = state.withLock { ($0.kit, $0.current, $0.counts) }
    return MovieStatus(kit, current?.plan, current?.recorder.progress, counts)
  }

  /// The movie of a candidate, for who shows the review; nil: there is none.
  func movie(of candidate: CandidateID) -> ReviewMovie? {
    state.withLock { $0.readable[candidate] }
  }

  // MARK: A movie

  func record(
    _ exposure: Exposure, maximum: Duration,
    answer: @escaping @Sendable (Result<MovieSummary, PickerReason>) -> Void
  ) {
    let (kit, library, delay, camera, label) = state.withLock {
      ($0.kit, $0.library, $0.delay, $0.camera, $0.label)
    }
    guard let kit, let library, let camera else {
      return answer(.failure(problem ?? PickerReason(.moviesUnavailable)))
    }
    // At once: the pool lets old frames go as new ones come.
    let moment = exposure.moment + delay
    let isBoomerang = kit.plan.settings.boomerang > 0
    let ticket = kit.pool.begin(
      from: moment - (isBoomerang ? .zero : kit.plan.settings.preroll))
    state.withLock { _ = $0.pending.insert(exposure.candidate) }
    var plan = kit.plan
    plan.settings.maximum = min(maximum, plan.settings.maximum)
    let name = camera.identity?.name ?? label
    let job = Job(
      exposure: exposure, plan: plan, pool: kit.pool, ticket: ticket, library: library,
      camera: name, delay: delay)
    worker.submit { [self] in start(job, answer) }
  }

  private struct Job {
    var exposure: Exposure
    var plan: MoviePlan
    var pool: MoviePool
    var ticket: Int
    var library: PhotoLibrary
    var camera: String
    var delay: Duration
  }

  private func start(
    _ job: Job, _ answer: @escaping @Sendable (Result<MovieSummary, PickerReason>) -> Void
  ) {
    let candidate = job.exposure.candidate
    let recording: Recording
    do {
      recording = try job.library.beginMovie()
    } catch {
      rest(job.pool, candidate)
      return answer(.failure(PickerReason(error)))
    }
    let library = job.library
    let output = MovieFile(recording.descriptor, path: library.path, system: system) { bytes in
      library.room(for: bytes).allowsSession
    }
    let recorder = MovieRecorder(
      job.plan, pool: job.pool, ticket: job.ticket, output: output, created: MovieKit.date,
      system: system)
    let isWanted = state.withLock { state in
      guard state.discarded.remove(candidate) == nil else { return false }
      state.current = Current(
        candidate: candidate, recorder: recorder, plan: job.plan, start: job.exposure.moment)
      return true
    }
    guard isWanted else { return rest(job.pool, candidate) }
    do {
      try recorder.start { [self] result in ended(job, recording, result, answer) }
    } catch {
      rest(job.pool, candidate)
      answer(.failure(PickerReason(movie: error)))
    }
  }

  /// On the recorder's thread: the movie is a whole file, or there is none.
  private func ended(
    _ job: Job, _ recording: Recording, _ result: Result<MovieSummary, MovieError>,
    _ answer: @escaping @Sendable (Result<MovieSummary, PickerReason>) -> Void
  ) {
    let candidate = job.exposure.candidate
    switch result {
    case .success(let summary):
      let isWanted = state.withLock { state in
        guard state.discarded.remove(candidate) == nil else { return false }
        state.readable[candidate] = ReviewMovie(
          candidate: candidate, recording: recording, summary: summary)
        return true
      }
      rest(job.pool, candidate)
      guard isWanted else { return }
      let report = PhotoReport(
        summary, camera: job.camera, press: job.exposure.press, moment: job.exposure.moment,
        delay: job.delay)
      // Before the answer: a save that follows at once is queued behind it.
      candidates.adopt(candidate, recording, bytes: summary.bytes, report: report)
      answer(.success(summary))
    case .failure(let error):
      rest(job.pool, candidate)
      answer(.failure(PickerReason(movie: error)))
    }
  }

  /// The camera's frames are nobody's again, but for the pre-roll.
  private func rest(_ pool: MoviePool, _ candidate: CandidateID) {
    let (preroll, recorder) = state.withLock { state -> (Duration?, MovieRecorder?) in
      var recorder: MovieRecorder?
      if state.current?.candidate == candidate {
        recorder = state.current?.recorder
        state.current = nil
      }
      state.discarded.remove(candidate)
      state.pending.remove(candidate)
      // The next movie has it already.
      guard state.pending.isEmpty else { return (nil, recorder) }
      return (state.isArmed ? state.settings.preroll : .zero - .seconds(1), recorder)
    }
    // This may be its own thread, which cannot wait for itself.
    if let recorder { worker.submit { recorder.join() } }
    guard let preroll else { return }
    if preroll >= .zero { pool.arm(preroll: preroll) } else { pool.disarm() }
  }

  func stop(_ candidate: CandidateID, at moment: MonotonicTime) {
    let (current, delay) = state.withLock { ($0.current, $0.delay) }
    if let current, current.candidate == candidate {
      // The picker's own timer: nobody has stopped it.
      let isOver = moment >= current.start + current.plan.settings.maximum
      current.recorder.stop(at: moment + delay, because: isOver ? .maximum : .stopped)
    } else {
      // It has not begun yet; then it ends with what there is when it does.
      worker.submit { [self] in
        guard let current = state.withLock({ $0.current }), current.candidate == candidate else {
          return
        }
        current.recorder.stop(at: moment + delay)
      }
    }
  }

  /// The camera is gone: a movie under way ends with what there is.
  func cameraLost() {
    guard let current = state.withLock({ $0.current }) else { return }
    current.recorder.stop(at: system.monotonicTime(), because: .cameraLost)
  }

  func discard(_ candidate: CandidateID) {
    let recorder = state.withLock { state -> MovieRecorder? in
      state.readable[candidate] = nil
      if state.pending.contains(candidate) { state.discarded.insert(candidate) }
      guard let current = state.current, current.candidate == candidate else { return nil }
      return current.recorder
    }
    recorder?.abandon()
    // Its thread ends by itself and lets the file go; the pool is free then.
    guard let recorder else { return }
    worker.submit { [self] in
      recorder.join()
      guard let kit = state.withLock({ $0.kit }) else { return }
      rest(kit.pool, candidate)
    }
  }

  /// Nobody looks at the movie any more.
  func release(_ candidate: CandidateID) { state.withLock { $0.readable[candidate] = nil } }
}

extension MoviePool.Counts {
  mutating func add(_ other: MoviePool.Counts) {
    framesCopied += other.framesCopied
    bytesCopied += other.bytesCopied
    framesLost += other.framesLost
  }
}
