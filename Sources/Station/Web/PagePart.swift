import Glibc
import ImagePicker
import KioskServer
import PhotoLibrary
import Platform
import StationConfiguration

/// The station's page: its server, what it shows, and the faults that the operator reads there.
///
/// Its state lives on the station's loop; ``current`` is for other threads.
actor PagePart: LoopActor {
  /// The page as other threads see it.
  struct View: Sendable {
    /// The server; nil: there is no page.
    var server: KioskServer?
    /// Where it is, for the status.
    var report = PageReport()
    /// The last faults of the station.
    var faults = FaultLog()
  }

  /// When the page's present screen began.
  private struct Moment {
    var snapshot: PickerMachine.Snapshot
    var began: MonotonicTime
  }

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private nonisolated let threads: StationThreads
  private nonisolated let options: Station.Options
  private nonisolated let settings: StationSettings
  private nonisolated let camera: CameraPart
  private nonisolated let core: StationCore
  private nonisolated let published = Published(View())
  private nonisolated let log = Log("station")
  private var view = View() {
    didSet { published.publish(view) }
  }
  /// Answers at a socket unit's socket while there is no page.
  private var refusal: PageRefusal?
  private var moment: Moment?

  init(
    threads: StationThreads, options: Station.Options, settings: StationSettings,
    camera: CameraPart, core: StationCore
  ) {
    loop = threads.loop
    (self.threads, self.options, self.settings) = (threads, options, settings)
    (self.camera, self.core) = (camera, core)
  }

  /// How it stands, from any thread.
  nonisolated var current: View { published.current }

  // MARK: Opening and closing

  /// Opens the page in place of one that is open, for a server that asks `station`.
  func open(as station: WebStation) async throws(StationError) {
    await close()
    guard options.usesWeb else { return }
    let configuration = settings.current.configuration
    view.report = PageReport(
      configuration.web, isConfigured: configuration.origins["web.listen"] != nil,
      listener: options.webListener.flatMap { KioskAddress(listener: $0) })
    if let words = view.report.words, let fix = view.report.fix { log.warning("\(words); \(fix)") }
    guard let choice = configuration.web.server else { return refuse() }
    do throws(KioskError) {
      let server = try KioskServer(
        choice, station: station, state: state(), listener: listener(), media: threads.media,
        system: threads.system)
      try await server.start()
      view.server = server
    } catch {
      refuse()
      throw StationError(error)
    }
    show()
  }

  /// Opens it at a reload; buttons work also without it.
  func reopen(as station: WebStation) async {
    do throws(StationError) {
      try await open(as: station)
    } catch {
      log.error("there is no page until the next reload: \(error.message)")
      view.report.problem = error.message
    }
  }

  // The server closes what it listens on; a reload opens another one on the same socket.
  private func listener() -> Int32? { options.webListener.map { fcntl($0, F_DUPFD_CLOEXEC, 3) } }

  /// Answers at the socket unit's socket in place of a page.
  private func refuse() {
    guard let listener = listener(), listener >= 0 else { return }
    let refusal = PageRefusal(listener, loop: loop, system: threads.system)
    self.refusal = refusal
    refusal.start()
  }

  /// Closes it, and waits for its threads.
  func close() async {
    let (server, open) = (view.server, refusal)
    (view.server, refusal) = (nil, nil)
    open?.stop()
    guard let server else { return }
    // Joining blocks, so it is done on a thread for it.
    await withCheckedContinuation { continuation in
      let close: @Sendable () -> Void = {
        server.stop()
        continuation.resume()
      }
      if let thread = try? Thread("stop-web", close) { thread.detach() } else { close() }
    }
  }

  // MARK: What it shows

  /// Brings the page up to the present state.
  func show() { view.server?.publish(state()) }

  /// Tells whoever looks at the page.
  func announce(_ notice: GuestNotice) { view.server?.announce(KioskNotice(notice)) }

  /// Everything that the page shows.
  func state() -> KioskState {
    let (machine, look, last) = core.assumeIsolated { ($0.machine, $0.pageLook, $0.tally.last) }
    let now = threads.system.monotonicTime()
    if moment?.snapshot != machine.snapshot {
      moment = Moment(snapshot: machine.snapshot, began: now)
    }
    var state = KioskState(
      settings.current.configuration, machine, look, camera.current,
      began: moment?.began ?? now)
    state.lastPhoto = last.flatMap { KioskState.LastPhoto(path: $0.path) }
    return state
  }

  // MARK: Faults

  /// Records what guests are told to be wrong, with the kind of its fix; nil ends the fault.
  func record(_ trouble: KioskState.Trouble?, code: String?) {
    view.faults.record(trouble, code: code, at: threads.system.monotonicTime())
  }

  /// Notes what is wrong with parts that guests hear nothing of: copies, disks, buttons, lamps.
  func record(_ wrong: [Station.Check]) {
    view.faults.record(wrong, at: threads.system.monotonicTime())
  }
}

extension StationError {
  /// The same in the station's words.
  init(_ error: KioskError) {
    let code: Code =
      switch error.code {
      case .configuration, .inUse: .configuration
      case .denied: .noPermission
      case .system: .system
      }
    self.init(code, error.message, cause: error)
  }
}
