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
  /// What is decided by whoever starts it, not by the configuration.
  public struct Options: Sendable {
    /// The camera to use, in place of the configuration's; it must be there at the start.
    public var camera: String?
    /// The rate to ask for, in place of the configuration's.
    public var rate: Double?
    /// Whether the keys of the terminal are triggers.
    public var usesTerminal = false
    /// Is told on the station's loop what came of each key of the terminal.
    public var terminalAnswer: @Sendable (TerminalTrigger.Answer) -> Void = { _ in }
    /// Whether signals are triggers: `SIGUSR1` is the shutter, `SIGHUP` reloads, `SIGTERM` ends.
    public var usesSignals = false
    /// Whether the configured buttons and lamps are used.
    public var usesPanel = true
    /// Whether it only shows what there is to choose: no camera is opened and nothing is written.
    ///
    /// It may then run beside the station that has the library.
    public var isBrowsingOnly = false
    /// Whether a socket listens for triggers.
    public var usesSocket = true
    /// Whether the configured page is served; a program with a page of its own leaves it out.
    public var usesWeb = false
    /// A listening socket for the page that somebody else opened, in place of `web.listen`.
    public var webListener: Int32?
    /// Reads the configuration again, for `TriggerAction.reload`; nil: there is nothing to read.
    public var reload: (@Sendable () throws(ConfigurationError) -> Configuration)?
    /// A file to which the demo camera and clips write the number and time of each frame.
    public var sourceLog: String?
    /// A file to which the fate of each frame is appended; see `CameraOptions.frameLog`.
    public var frameLog: String?

    /// Who is told how the station stands, and that it lives; nil: nobody.
    public var manager: ServiceManager?
    /// Whether it waits for what is wrong to be put right, and says so, instead of giving up.
    public var isPatient = false
    /// What is wrong with the configuration; with ``isPatient``, presses are refused until it is
    /// read again without fault.
    public var configurationProblem: ConfigurationError?

    /// Makes the options of a station inside another program.
    public init() {}
  }

  /// What it works with now; a reload changes it between sessions.
  public var configuration: Configuration { parts.withLock { $0.configuration } }
  let options: Options
  let system: any SystemCalls
  let loop: EventLoop
  let worker: EventLoop
  /// The thread that reads the pictures guests choose from.
  ///
  /// It waits for disks, but for none longer than ``media`` lets it.
  let reader: EventLoop
  /// The thread that looks which directories and cameras are there, in the same way.
  let looker: EventLoop
  /// The threads that may hang in a disk.
  let media: Media
  let core: StationCore
  let store: CandidateStore
  let movies: MovieStore
  let panel: PanelPart
  let life = StationLife()
  let triggers = Published(OpenTriggers())
  @MainActor private var host: StationPickerHost?
  let log = Log("station")

  struct Parts {
    var configuration: Configuration
    /// Read again, and waiting for the end of the session.
    var nextConfiguration: Configuration?
    var camera: Camera?
    var cameraLabel = ""
    /// The cameras of the configuration that are there.
    var camerasPresent: Set<String> = []
    /// Whether a session uses another camera than the usual one.
    var isCameraBorrowed = false
    var library: PhotoLibrary?
    var keeper: LibraryKeeper?
    var browser: PhotoBrowser?
    var libraryAccess = LibraryAccess()
    var access = AccessReport()
    var checkedItems: Set<ItemID> = []
    var storage = StorageReport(state: "starting", reason: nil)
    var web: KioskServer?
    var pageRefusal: PageRefusal?
    var page: PageMoment?
    var pageReport = PageReport()
    var faults = FaultLog()
    var reporter: ServiceReporter?
    /// What is wrong with the configuration, in words; nothing is opened while that is so.
    var configurationProblem: String?
    /// What is wrong with the one that was read last, while the one before stays in use.
    var refusedConfiguration: String?
  }
  let parts: Mutex<Parts>

  /// Makes a station that does nothing yet.
  public convenience init(configuration: Configuration) throws(StationError) {
    try self.init(configuration: configuration, options: Options())
  }

  /// Makes a station that does nothing yet.
  public init(
    configuration: Configuration, options: Options, system: any SystemCalls = LinuxSystemCalls()
  ) throws(StationError) {
    parts = Mutex(Parts(configuration: configuration))
    self.options = options
    self.system = system
    do {
      loop = try EventLoop("station", system: system)
      worker = try EventLoop("saver", system: system)
      reader = try EventLoop("reader", system: system)
      looker = try EventLoop("looker", system: system)
      media = Media(patience: configuration.diskPatience)
      store = try CandidateStore(saver: worker, reader: reader, system: system)
      movies = try MovieStore(loop: loop, candidates: store, system: system)
    } catch {
      throw StationError(.system, "a thread cannot be started: \(error)", cause: error)
    }
    panel = PanelPart(loop: loop, system: system)
    core = StationCore(
      machine: PickerMachine(configuration: .init(configuration)), store: store, movies: movies,
      studio: Studio(configuration), loop: loop, system: system)
  }

  // MARK: Life

  /// Opens the library and the camera and begins to listen for triggers.
  ///
  /// A camera that ``Options/camera`` names must be there; one of the configuration may come later.
  /// On an error everything is closed again; ``access`` then says what is not permitted.
  public func start() async throws(StationError) {
    // Asked before and after a start that fails, too: that is when it matters.
    await MainActor.run {
      if ImagePickerController.host == nil { ImagePickerController.host = pickerHost }
    }
    prepareReporting()
    warnOfSecrets(configuration)
    do throws(StationError) {
      if let problem = options.configurationProblem {
        await refuse(because: problem.description)
      } else if let problem = wrongConfiguration {
        guard options.isPatient else { throw StationError(problem) }
        await refuse(because: problem.description)
      } else if options.isBrowsingOnly {
        await openBrowser(of: nil)
      } else {
        try await openAll()
      }
      try startTriggers()
      await openPanel()
      do throws(StationError) {
        try await openWeb()
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
    await core.listenToNotices { [weak self] in self?.report($0) }
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
    try await openLibraryPatiently()
    do {
      try await openCamera()
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
  public var cameraDescription: String {
    let (camera, label) = parts.withLock { ($0.camera, $0.cameraLabel) }
    guard let camera else { return "no camera" }
    let name = camera.identity.map { $0.name } ?? label
    return camera.granted.map { "\(name), \($0)" } ?? "\(name), \(camera.state)"
  }

  /// How it stands now.
  public var status: StationStatus {
    let parts = parts.withLock { $0 }
    let view = core.view.current
    let counts = parts.camera?.counts ?? CameraCounts()
    let state = parts.camera?.state ?? .stopped
    var library = StationStatus.Library(
      path: parts.library?.path ?? configuration.libraryPath, state: parts.storage.state,
      fix: parts.storage.reason?.problem?.fix, copies: parts.keeper?.copies ?? [])
    library.freeBytes = parts.storage.free
    library.picturesOmitted = parts.browser?.omitted ?? 0
    return StationStatus(
      state: view.snapshot?.state.name.rawValue ?? "starting",
      session: view.snapshot?.session?.rawValue,
      deadlineNanoseconds: view.snapshot?.deadline?.nanoseconds,
      frames: FrameReport(view.snapshot?.state),
      camera: .init(
        name: parts.camera?.identity?.name ?? parts.cameraLabel, state: state.name,
        words: state.description, mode: parts.camera?.granted?.description,
        observedRate: parts.camera?.observedRate.map { ($0 * 10).rounded() / 10 },
        lacksLight: parts.camera?.lacksLight ?? false,
        twins: parts.camera?.identity?.twins ?? [],
        framesPublished: counts.published, framesDamaged: counts.damaged,
        framesDamagedByReason: counts.damageByReason, decoderFaults: counts.decoderFaults,
        faultsShown: counts.faultsShown,
        framesDropped: counts.dropped, framesCopied: counts.framesCopied,
        bytesCopied: counts.bytesCopied),
      library: library,
      access: parts.access, photos: view.tally.photos, lastPhoto: view.tally.last,
      lastRefusal: view.refusal?.operatorMessage,
      deltas: view.tally.deltas, movies: movies.status, panel: panel.report,
      configurationProblem: parts.configurationProblem,
      refusedConfiguration: parts.refusedConfiguration, silentDisks: media.silent,
      page: parts.pageReport,
      service: serviceReport)
  }

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
    let (camera, storage) = parts.withLock { ($0.camera, $0.storage) }
    if let reason = storage.reason { throw StationError(reason) }
    guard let camera else { throw StationError(.noCamera, "there is no camera") }
    let result = await worker.run { () -> Result<Void, CaptureError> in
      do throws(CaptureError) {
        try camera.waitUntilStreaming(timeout: timeout)
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    if case .failure(let error) = result { throw StationError(error) }
    // The state reached the loop before this does.
    cameraChanged(camera.state)
  }
}
