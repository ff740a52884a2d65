import Capture
import ImagePicker
import Imaging
import KioskServer
import PhotoLibrary
import Platform
import StationConfiguration
import Synchronization
import Trigger

/// A camera station, which consists of a camera, a library, triggers and a picker.
///
/// A station opens nothing before ``start()``. From then on it works by itself until ``stop()``. A
/// press begins a session, and the guest's actions decide the rest. All members are safe to use
/// from any thread.
public final class Station: Sendable {
  /// The configuration in use, which a reload replaces between sessions.
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
  /// The reporter to the service manager, or `nil` when there is none.
  let reporter = Published<ServiceReporter?>(nil)
  @MainActor private var host: StationPickerHost?
  let log = Log("station")

  var system: any SystemCalls { threads.system }
  var loop: EventLoop { threads.loop }
  var worker: EventLoop { threads.worker }
  var reader: EventLoop { threads.reader }
  var looker: EventLoop { threads.looker }
  var media: DiskWorkers { threads.media }

  /// Creates a station that is not started.
  public convenience init(configuration: Configuration) throws(StationError) {
    try self.init(configuration: configuration, options: Options())
  }

  /// Creates a station that is not started.
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

  /// Opens the library and the camera, and begins to listen for triggers.
  ///
  /// A camera that ``Options/camera`` names must be present; a configured camera may come later. An
  /// error closes everything again. ``access`` then tells which permissions are missing.
  public func start() async throws(StationError) {
    guard !life.isStopping else {
      throw StationError(.system, "a station that was stopped cannot start; make another one")
    }
    // The host answers questions before the start and after a failed start, too.
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
        log.error("there is no page: \(error)")
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

  /// The fault of a configuration that a program built without the parser's checks.
  private var wrongConfiguration: ConfigurationError? {
    do throws(ConfigurationError) {
      try configuration.check()
      return nil
    } catch {
      return error
    }
  }

  /// Opens the library and the camera; a patient station reports their errors and stays up.
  private func openAll() async throws(StationError) {
    if options.isPatient { await library.reopenPatiently() } else { try await library.reopen() }
    do {
      try await camera.open()
    } catch {
      guard options.isPatient else { throw error }
      await refuse(because: error.operatorMessage)
    }
  }

  /// Waits until a trigger asks the station to end.
  public func waitForQuit() async {
    await life.waitForEnd()
  }

  /// Makes the station the host of pickers, as an app object does on iOS.
  @MainActor private func startHosting() async {
    let host = pickerHost
    ImagePickerController.host = host
    // All events go through one stream, so the main actor receives them in the loop's order.
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

  /// The station's host of pickers, created on first use.
  @MainActor var pickerHost: StationPickerHost {
    if let host { return host }
    let host = StationPickerHost(self)
    self.host = host
    return host
  }

  /// Ends the presentations of pickers.
  @MainActor func endPresentations() { host?.presenter.shutDown() }

  // MARK: Use

  /// The camera's name with its granted mode, or with its state.
  public var cameraDescription: String { camera.description }

  /// The browser of the guests' pictures, or `nil` before the start and after the end.
  ///
  /// Calls may block on a disk, so they belong on a thread that may wait.
  public var browser: PhotoBrowser? { library.current.browser }

  /// The present time on the clock of all times in this module.
  public var now: MonotonicTime { system.monotonicTime() }

  /// Performs the action of a button of that kind; returns a reply that describes the effect.
  @discardableResult
  public func trigger(_ action: TriggerAction, source: String) async -> TriggerReply {
    let event = TriggerEvent(
      action: action, time: system.monotonicTime(), clock: .arrival, source: source)
    return await withCheckedContinuation { continuation in
      handle(event) { continuation.resume(returning: $0) }
    }
  }

  /// Takes a photo without a guest: press, countdown, photo, accept.
  public func takePhoto() async throws(StationError) -> PhotoReport {
    try await waitUntilReady(timeout: .seconds(10))
    let session: SessionID
    do {
      session = try await core.press(at: system.monotonicTime())
    } catch {
      throw StationError(error)
    }
    // The listener accepts as early as an accept counts, and never asks for a retake.
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

  /// Waits up to `timeout` until a press would be accepted; throws the obstacle.
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
    // The state is passed to the loop here, so that it arrives before the caller's next request.
    camera.changed(to: open.state)
  }
}
