import Capture
import ImagePicker
import Imaging
import Movies
import PhotoLibrary
import Platform

/// Records movies for the station, from a camera's frames to a file without a name.
///
/// Complete movies go to the ``CandidateStore``, which keeps them until the guest has decided. The
/// state lives on the station's loop, where the core calls the store. ``view`` serves other
/// threads.
actor MovieStore: MovieStoring, LoopActor {
  /// The state that other threads see.
  struct View: Sendable {
    /// The plan and the pool of the camera's movies, or `nil` until they are known.
    var kit: MovieKit?
    /// The reason for which the camera gives no movies.
    var problem: MovieError?
    /// The condition of movies, as last checked.
    var condition = PickerMachine.Condition.unavailable(PickerReason(.moviesUnavailable))
    /// The movie being recorded.
    var current: Current?
    /// The movies under review whose bytes can be read.
    var readable: [CandidateID: ReviewMovie] = [:]
    /// The counts of the pools that were replaced.
    var counts = MoviePool.Counts()
  }

  /// A movie being recorded.
  struct Current: Sendable {
    var candidate: CandidateID
    var recorder: MovieRecorder
    var plan: MoviePlan
    var start: MonotonicTime
  }

  /// A movie that was requested and is not complete yet.
  private struct Pending {
    /// Whether the movie was discarded.
    var isDiscarded = false
    /// The requested end, if it was requested before the recording began.
    var stop: MonotonicTime?
  }

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  // The worker is a thread of its own, since it tests encoders.
  private nonisolated let worker: EventLoop
  private nonisolated let candidates: CandidateStore
  private nonisolated let system: any SystemCalls
  private nonisolated let published = Published(View())
  private nonisolated let log = Log("movies")

  private var view = View() {
    didSet { published.publish(view) }
  }
  private var studio = Studio()
  /// The camera's mode when ``View/kit`` or ``View/problem`` was found.
  private var mode: CameraMode?
  private var isArmed = false
  private var pending: [CandidateID: Pending] = [:]
  /// Whether an encoder is being tested, and whether the test must be repeated afterwards.
  private var (isPreparing, isStale) = (false, false)
  private var changed: (@Sendable () -> Void)?

  /// Creates a store that is called on `loop` and gives complete movies to `candidates`.
  init(
    loop: EventLoop, candidates: CandidateStore, system: any SystemCalls
  ) throws(SystemError) {
    self.loop = loop
    worker = try EventLoop("movies", system: system)
    self.candidates = candidates
    self.system = system
  }

  /// Calls `body` on the loop whenever the ability to record movies was determined anew.
  func onChange(_ body: @escaping @Sendable () -> Void) { changed = body }

  // MARK: Preparation

  nonisolated func use(_ studio: Studio) {
    assumeIsolated { $0.change(to: studio) }
  }

  private func change(to next: Studio) {
    let before = studio
    studio = next
    let isAnotherCamera = before.source?.camera !== next.source?.camera
    if isAnotherCamera {
      if let old = view.kit { view.counts.add(old.pool.counts) }
      (mode, view.kit, view.problem) = (nil, nil, nil)
    }
    if isAnotherCamera || before.movie != next.movie || before.orientation != next.orientation {
      prepare()
    }
  }

  /// Prepares for movies of the camera's present mode; callable from any thread.
  nonisolated func lookAgain() { perform { $0.prepare() } }

  private func prepare() {
    guard !isPreparing else {
      isStale = true
      return
    }
    guard let camera = studio.source?.camera, let granted = camera.granted else { return }
    let (settings, orientation) = (studio.movie, studio.orientation)
    if let known = view.kit?.plan, mode == granted, known.settings == settings,
      known.isTurned(by: orientation, isJPEG: granted.format.isJPEG)
    {
      return
    }
    isPreparing = true
    worker.submit { [self] in
      let kit: Result<MovieKit, MovieError>
      do throws(MovieError) {
        kit = .success(try MovieKit(granted, settings, orientation, system: system))
      } catch {
        kit = .failure(error)
      }
      perform { store in
        store.isPreparing = false
        store.take(kit, granted, camera)
        guard store.isStale else { return }
        store.isStale = false
        store.prepare()
      }
    }
  }

  private func take(_ kit: Result<MovieKit, MovieError>, _ mode: CameraMode, _ camera: Camera) {
    guard studio.source?.camera === camera else { return }
    self.mode = mode
    if let old = view.kit { view.counts.add(old.pool.counts) }
    switch kit {
    case .success(let kit):
      (view.kit, view.problem) = (kit, nil)
      log.info(
        "movies: \(kit.plan.size) \(kit.plan.coding.description)",
        [("bytes", "\(kit.plan.mostBytes)"), ("pool", "\(kit.pool.capacity)")])
      if isArmed { kit.pool.arm(preroll: kit.plan.settings.preroll) }
      kit.tap(camera)
    case .failure(let error):
      log.warning("no movies: \(error.operatorMessage)")
      (view.kit, view.problem) = (nil, error)
      camera.tap(nil)
    }
    changed?()
  }

  /// Starts or stops keeping frames for the pre-roll.
  func arm(_ isArmed: Bool) {
    guard self.isArmed != isArmed else { return }
    self.isArmed = isArmed
    guard view.current == nil, let kit = view.kit else { return }
    if isArmed { kit.pool.arm(preroll: kit.plan.settings.preroll) } else { kit.pool.disarm() }
  }

  /// Calls `answer` on the thread that begins movies, which shows that the thread lives.
  nonisolated func ping(_ answer: @escaping @Sendable () -> Void) { worker.submit(answer) }

  /// Releases the camera and the library; movies that were not accepted are lost.
  ///
  /// Returns the recorder of a movie being recorded, whose thread has not ended yet.
  func abandon() -> MovieRecorder? {
    let recorder = view.current?.recorder
    studio.source?.camera.tap(nil)
    recorder?.abandon()
    studio = Studio()
    (view.current, view.kit, view.readable) = (nil, nil, [:])
    return recorder
  }

  /// Ends the threads, waiting up to `limit` for each; a thread that hangs in a disk is abandoned.
  nonisolated func close(_ recorder: MovieRecorder?, within limit: Duration) {
    recorder?.join(within: limit)
    worker.stop(within: limit)
  }

  // MARK: Questions, from any thread

  /// The reason for which no movie can be recorded, apart from the free space, or `nil`.
  nonisolated var problem: PickerReason? {
    let view = published.current
    if let problem = view.problem {
      return PickerReason(
        .moviesUnavailable,
        problem: AccessProblem(
          subject: currentUser(), object: "movies", cause: problem.message,
          fix: problem.fix ?? "see 'movie.codec' in the configuration"))
    }
    return view.kit == nil ? PickerReason(.moviesUnavailable) : nil
  }

  /// The number of bytes that must be free before a movie begins, or `nil` while it is unknown.
  private var mostBytes: Int? { view.kit?.plan.mostBytes }

  nonisolated var status: MovieStatus {
    let view = published.current
    return MovieStatus(
      view.kit, view.current?.plan, view.current?.recorder.progress, view.counts)
  }

  /// Returns the movie of a candidate, for viewers of the review, or `nil` when there is none.
  nonisolated func movie(of candidate: CandidateID) -> ReviewMovie? {
    published.current.readable[candidate]
  }

  /// The condition of movies, as last checked.
  nonisolated var condition: PickerMachine.Condition { published.current.condition }

  /// Checks whether a movie could begin now; the saver's thread reads the free space.
  func findCondition() async -> PickerMachine.Condition {
    let (library, bytes) = (studio.library, mostBytes)
    var found = problem.map { PickerMachine.Condition.unavailable($0) }
    if found == nil, let library, let bytes {
      found = await candidates.loop.run { StorageReport(library, longestMovie: bytes).condition }
    }
    let condition = found ?? .unavailable(PickerReason(.moviesUnavailable))
    if view.condition != condition { view.condition = condition }
    return condition
  }

  // MARK: A movie

  nonisolated func record(
    _ exposure: Exposure, maximum: Duration, in studio: Studio,
    answer: @escaping @Sendable (Result<MovieSummary, PickerReason>) -> Void
  ) {
    assumeIsolated { $0.begin(exposure, maximum, studio, answer) }
  }

  private func begin(
    _ exposure: Exposure, _ maximum: Duration, _ studio: Studio,
    _ answer: @escaping @Sendable (Result<MovieSummary, PickerReason>) -> Void
  ) {
    guard let kit = view.kit, let library = studio.library, let source = studio.source else {
      return answer(.failure(problem ?? PickerReason(.moviesUnavailable)))
    }
    // The pool begins at once, since new frames displace old ones.
    let moment = exposure.moment + source.delay
    let isBoomerang = kit.plan.settings.boomerang > 0
    let ticket = kit.pool.begin(
      from: moment - (isBoomerang ? .zero : kit.plan.settings.preroll))
    pending[exposure.candidate] = Pending()
    var plan = kit.plan
    plan.settings.maximum = min(maximum, plan.settings.maximum)
    let job = Job(
      exposure: exposure, plan: plan, pool: kit.pool, ticket: ticket, library: library,
      camera: source.name, delay: source.delay, answer: answer)
    worker.submit { [self] in open(job) }
  }

  private struct Job: Sendable {
    var exposure: Exposure
    var plan: MoviePlan
    var pool: MoviePool
    var ticket: Int
    var library: PhotoLibrary
    var camera: String
    var delay: Duration
    var answer: @Sendable (Result<MovieSummary, PickerReason>) -> Void

    var candidate: CandidateID { exposure.candidate }
  }

  /// Opens the movie's file on the worker, which may wait for the disk.
  private nonisolated func open(_ job: Job) {
    let recording: Recording
    do {
      recording = try job.library.beginMovie()
    } catch {
      return perform { $0.fail(job, PickerReason(error)) }
    }
    let library = job.library
    let output = MovieFile(recording.descriptor, path: library.path, system: system) { bytes in
      library.room(for: bytes).allowsSession
    }
    let recorder = MovieRecorder(
      job.plan, pool: job.pool, ticket: job.ticket, output: output, created: MovieKit.date,
      system: system)
    perform { $0.start(job, recording, recorder) }
  }

  private func start(_ job: Job, _ recording: Recording, _ recorder: MovieRecorder) {
    guard let wish = pending[job.candidate], !wish.isDiscarded else {
      return rest(job.pool, job.candidate)
    }
    view.current = Current(
      candidate: job.candidate, recorder: recorder, plan: job.plan, start: job.exposure.moment)
    if let moment = wish.stop { recorder.stop(at: moment) }
    do {
      try recorder.start { [self] result in perform { $0.end(job, recording, result) } }
    } catch {
      fail(job, PickerReason(movie: error))
    }
  }

  /// Gives the complete movie to the candidate store, or answers with the reason for the failure.
  private func end(
    _ job: Job, _ recording: Recording, _ result: Result<MovieSummary, MovieError>
  ) {
    let summary: MovieSummary
    switch result {
    case .success(let whole): summary = whole
    case .failure(let error): return fail(job, PickerReason(movie: error))
    }
    let isWanted = pending[job.candidate]?.isDiscarded != true
    if isWanted {
      view.readable[job.candidate] = ReviewMovie(
        candidate: job.candidate, recording: recording, summary: summary)
    }
    rest(job.pool, job.candidate)
    guard isWanted else { return }
    let report = PhotoReport(
      summary, camera: job.camera, press: job.exposure.press, moment: job.exposure.moment,
      delay: job.delay)
    // The movie is adopted before the answer, so that a save at once is queued behind the adoption.
    candidates.adopt(
      job.candidate, recording, bytes: summary.bytes, report: report, in: job.library)
    job.answer(.success(summary))
  }

  private func fail(_ job: Job, _ reason: PickerReason) {
    rest(job.pool, job.candidate)
    job.answer(.failure(reason))
  }

  /// Ends the recorder of a movie, and frees the pool for the pre-roll or the next movie.
  private func rest(_ pool: MoviePool, _ candidate: CandidateID) {
    if let current = view.current, current.candidate == candidate {
      view.current = nil
      // The worker waits for the recorder's thread, since the loop must not block.
      worker.submit { current.recorder.join() }
    }
    pending[candidate] = nil
    // Another requested movie already uses the pool.
    guard pending.isEmpty else { return }
    if isArmed { pool.arm(preroll: studio.movie.preroll) } else { pool.disarm() }
  }

  nonisolated func stop(_ candidate: CandidateID, at moment: MonotonicTime) {
    assumeIsolated { store in
      let end = moment + (store.studio.source?.delay ?? .zero)
      guard let current = store.view.current, current.candidate == candidate else {
        // The movie has not begun yet, and ends right after its start with the frames there are.
        store.pending[candidate]?.stop = end
        return
      }
      // The picker's own timer gave the maximum as the end, so the guest did not stop the movie.
      let isOver = moment >= current.start + current.plan.settings.maximum
      current.recorder.stop(at: end, because: isOver ? .maximum : .stopped)
    }
  }

  /// Ends the present movie, since the camera is gone; callable from any thread.
  nonisolated func cameraLost() {
    let time = system.monotonicTime()
    perform { $0.view.current?.recorder.stop(at: time, because: .cameraLost) }
  }

  nonisolated func discard(_ candidate: CandidateID) {
    assumeIsolated { store in
      store.view.readable[candidate] = nil
      store.pending[candidate]?.isDiscarded = true
      guard let current = store.view.current, current.candidate == candidate else { return }
      current.recorder.abandon()
      // The recorder's thread ends by itself and closes the file, and the pool is free after that.
      guard let pool = store.view.kit?.pool else { return }
      store.worker.submit {
        current.recorder.join()
        store.perform { $0.rest(pool, candidate) }
      }
    }
  }

  /// Removes the movie from the movies that viewers can read.
  nonisolated func release(_ candidate: CandidateID) {
    assumeIsolated { $0.view.readable[candidate] = nil }
  }
}

extension MoviePool.Counts {
  mutating func add(_ other: MoviePool.Counts) {
    framesCopied += other.framesCopied
    bytesCopied += other.bytesCopied
    framesLost += other.framesLost
  }
}
