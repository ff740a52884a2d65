import Glibc
import ImagePicker
import KioskServer
import PhotoLibrary
import Platform
import StationConfiguration

/// The station's page: its server, its state, and the faults for the operator.
///
/// The state lives on the station's loop; ``current`` serves other threads.
actor PagePart: LoopActor {
  /// The state that other threads see.
  struct View: Sendable {
    /// The server, or `nil` when there is no page.
    var server: PageServer?
    /// The address of the page, for the status.
    var report = PageReport()
    /// The last faults of the station.
    var faults = FaultLog()
  }

  /// The time when the page's present screen began.
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

  /// The state as last published; callable from any thread.
  nonisolated var current: View { published.current }

  // MARK: Opening and closing

  /// Opens the page in place of an open one, with a server that asks `station`.
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
      let server = try PageServer(
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

  /// Opens the page at a reload; an error is logged, since buttons work without a page.
  func reopen(as station: WebStation) async {
    do throws(StationError) {
      try await open(as: station)
    } catch {
      log.error("there is no page until the next reload: \(error)")
      view.report.problem = error.operatorMessage
    }
  }

  // The server closes its listening socket, so each server gets a duplicate of the descriptor.
  private func listener() -> Int32? { options.webListener.map { fcntl($0, F_DUPFD_CLOEXEC, 3) } }

  /// Answers at the socket unit's socket in place of a page.
  private func refuse() {
    guard let listener = listener(), listener >= 0 else { return }
    let refusal = PageRefusal(listener, loop: loop, system: threads.system)
    self.refusal = refusal
    refusal.start()
  }

  /// Closes the page and waits for its threads.
  func close() async {
    let (server, open) = (view.server, refusal)
    (view.server, refusal) = (nil, nil)
    open?.stop()
    await server?.stop()
  }

  // MARK: State

  /// Sends the present state to the page.
  func show() { view.server?.publish(state()) }

  /// Sends a notice to all viewers of the page.
  func announce(_ notice: GuestNotice) { view.server?.announce(KioskNotice(notice)) }

  /// Returns the complete state of the page.
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

  /// Records the trouble that guests are told about; `nil` ends it.
  func record(_ trouble: KioskState.Trouble?, code: String?) {
    view.faults.record(trouble, code: code, at: threads.system.monotonicTime())
  }

  /// Records the faults that guests are not told about: copies, disks, buttons, lamps.
  func record(_ wrong: [Station.Check]) {
    view.faults.record(wrong, at: threads.system.monotonicTime())
  }
}
