import Capture
import ImagePicker
import Imaging
import KioskServer
import PhotoLibrary
import Platform
import StationConfiguration
import Synchronization
import Trigger

/// A camera station: a camera, a library, triggers, and the picker between them.
///
/// Nothing is opened before ``start()``. From then on it works by itself until ``stop()``: a press
/// begins a session, and everything else follows from what guests do. All of it is safe from any
/// thread.
public final class Station: Sendable {
  /// What it works with now; a reload changes it between sessions.
  public var configuration: Configuration { settings.current.configuration }
  let options: Options
  let threads: StationThreads
  let settings: StationSettings
  let permissions: AccessPart
  let camera: CameraPart
  let core: StationCore
  let store: CandidateStore
  let movies: MovieStore
  let library: LibraryPart
  let panel: PanelPart
  let page: PagePart
  let life = StationLife()
  let triggers = Published(OpenTriggers())
  /// Tells the service manager how the station stands; nil: nobody is told.
  let reporter = Published<ServiceReporter?>(nil)
  @MainActor private var host: StationPickerHost?
  let log = Log("station")

  var system: any SystemCalls { threads.system }
  var loop: EventLoop { threads.loop }
  var worker: EventLoop { threads.worker }
  var reader: EventLoop { threads.reader }
  var looker: EventLoop { threads.looker }
  var media: DiskWorkers { threads.media }

  /// Makes a station that does nothing yet.
  public convenience init(configuration: Configuration) throws(StationError) {
    try self.init(configuration: configuration, options: Options())
  }

  /// Makes a station that does nothing yet.
  public init(
    configuration: Configuration, options: Options, system: any SystemCalls = LinuxSystemCalls()
  ) throws(StationError) {
    self.options = options
    do throws(SystemError) {
      threads = try StationThreads(patience: configuration.diskPatience, system: system)
      store = try CandidateStore(saver: threads.worker, reader: threads.reader, system: system)
      movies = try MovieStore(loop: threads.loop, candidates: store, system: system)
    } catch {
      throw StationError(.system, "a thread cannot be started: \(error)", cause: error)
    }
    core = StationCore(
      machine: PickerMachine(configuration: .init(configuration)), store: store, movies: movies,
      studio: Studio(configuration), loop: threads.loop, system: system)
    settings = StationSettings(configuration, loop: threads.loop)
    let view = Published(CameraPart.View())
    permissions = AccessPart(
      threads: threads, options: options, settings: settings, life: life, camera: view)
    camera = CameraPart(
      view, threads: threads, options: options, settings: settings, permissions: permissions,
      life: life, core: core, movies: movies)
    library = LibraryPart(
      threads: threads, settings: settings, permissions: permissions, camera: camera, life: life,
      core: core)
    panel = PanelPart(loop: threads.loop, system: system)
    page = PagePart(
      threads: threads, options: options, settings: settings, camera: camera, core: core)
  }

  // MARK: Life

  /// Opens the library and the camera and begins to listen for triggers.
  ///
  /// A camera that ``Options/camera`` names must be there; one of the configuration may come later.
  /// On an error everything is closed again; ``access`` then says what is not permitted.
  public func start() async throws(StationError) {
    guard !life.isStopping else {
      throw StationError(.system, "a station that was stopped cannot start; make another one")
    }
    // Asked before and after a start that fails, too: that is when it matters.
    await MainActor.run {
      if ImagePickerController.host == nil { ImagePickerController.host = pickerHost }
    }
    prepareReporting()
    await core.listenToConditions { [weak self] in self?.conditionsChanged() }
    await library.listenToRounds { [weak self] in self?.roundMade() }
    warnOfSecrets(configuration)
    do throws(StationError) {
      if let problem = options.configurationProblem {
        await refuse(because: problem.description)
      } else if let problem = wrongConfiguration {
        guard options.isPatient else { throw StationError(problem) }
        await refuse(because: problem.description)
      } else if options.isBrowsingOnly {
        await library.openBrowser(of: nil)
      } else {
        try await openAll()
      }
      try startTriggers()
      await openPanel()
      do throws(StationError) {
        try await page.open(as: WebStation(self))
      } catch {
        guard options.isPatient else { throw error }
        log.error("there is no page: \(error.message)")
      }
    } catch {
      await stop()
      throw error
    }
    await movies.onChange { [weak self] in self?.checkMovies() }
    checkMovies()
    await core.listen { [weak self] snapshot in self?.changed(snapshot) }
    await core.listenToNotices { [weak page] notice in
      page?.assumeIsolated { $0.announce(notice) }
    }
    await startHosting()
    startReporting()
  }

  /// What a program that set the configuration up by itself would learn only later.
  private var wrongConfiguration: ConfigurationError? {
    do throws(ConfigurationError) {
      try configuration.check()
      return nil
    } catch {
      return error
    }
  }

  /// Opens library and camera; a patient station puts up with what is wrong, and tells it.
  private func openAll() async throws(StationError) {
    if options.isPatient { await library.reopenPatiently() } else { try await library.reopen() }
    do {
      try await camera.open()
    } catch {
      guard options.isPatient else { throw error }
      await refuse(because: error.message)
    }
  }

  /// Waits until somebody asks the station to end, by a key or a signal.
  public func waitForQuit() async {
    await life.waitForEnd()
  }

  /// Registers the station with the picker's interface, as an app object does on iOS.
  @MainActor private func startHosting() async {
    let host = pickerHost
    ImagePickerController.host = host
    // One stream, so that the main actor hears of everything in the loop's order.
    let (events, queue) = AsyncStream.makeStream(of: StationPickerHost.Event.self)
    await core.listenToOutcomes { session, outcome, report in
      queue.yield(.outcome(session, outcome, report))
    }
    await core.listen { snapshot in
      queue.yield(.session(snapshot.session))
      if let session = snapshot.session { queue.yield(.frames(session, snapshot.state.frames)) }
    }
    Task { [weak host] in
      for await event in events { host?.handle(event) }
    }
  }

  /// The one host of pickers.
  @MainActor var pickerHost: StationPickerHost {
    if let host { return host }
    let host = StationPickerHost(self)
    self.host = host
    return host
  }

  /// Ends the presentations of pickers.
  @MainActor func endPresentations() { host?.presenter.shutDown() }

  // MARK: Use

  /// Which camera is used, in words: its label and what it granted.
  public var cameraDescription: String { camera.description }

  /// What guests look through; nil before the start and after the end.
  ///
  /// Its calls may block on a disk: make them on a thread that may wait.
  public var browser: PhotoBrowser? { library.current.browser }

  /// The instant by the clock that dates everything here.
  public var now: MonotonicTime { system.monotonicTime() }

  /// Does what a button of that kind would do; the reply says what came of it.
  @discardableResult
  public func trigger(_ action: TriggerAction, source: String) async -> TriggerReply {
    let event = TriggerEvent(
      action: action, time: system.monotonicTime(), clock: .arrival, source: source)
    return await withCheckedContinuation { continuation in
      handle(event) { continuation.resume(returning: $0) }
    }
  }

  /// One session without anybody there: press, countdown, photo, accept.
  public func takePhoto() async throws(StationError) -> PhotoReport {
    try await waitUntilReady(timeout: .seconds(10))
    let session: SessionID
    do {
      session = try await core.press(at: system.monotonicTime())
    } catch {
      throw StationError(error)
    }
    // Accepts as soon as an accept counts; a retake is nobody's to ask for here.
    await core.listen { [weak core, system] snapshot in
      guard let core, snapshot.session == session, case .reviewing(let review) = snapshot.state
      else { return }
      core.assumeIsolated { core in
        let due = MonotonicTime(review.shown) + PickerMachine.guardTime
        core.loop.schedule(at: max(due, system.monotonicTime())) {
          core.perform { $0.send(.accept, session: session) }
        }
      }
    }
    switch await core.outcome(of: session) {
    case .finished(let candidate):
      guard let report = await core.report(of: candidate) else {
        throw StationError(.system, "the photo was saved, but nothing is known of it")
      }
      return report
    case .cancelled: throw StationError(.cancelled, "the session was cancelled")
    case .failed(let reason): throw StationError(reason)
    }
  }

  /// Waits until a press would be taken; throws what is in its way.
  public func waitUntilReady(timeout: Duration) async throws(StationError) {
    if let reason = library.current.storage.reason { throw StationError(reason) }
    guard let open = camera.current.camera else {
      throw StationError(.noCamera, "there is no camera")
    }
    let result = await worker.run { () -> Result<Void, CaptureError> in
      do throws(CaptureError) {
        try open.waitUntilStreaming(timeout: timeout)
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    if case .failure(let error) = result { throw StationError(error) }
    // The state reached the loop before this does.
    camera.changed(to: open.state)
  }
}
