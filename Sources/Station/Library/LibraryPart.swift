import ImagePicker
import Imaging
import PhotoLibrary
import Platform
import StationConfiguration
import Synchronization

/// Why the sources of a library cannot be used; nil: they can.
struct LibraryAccess: Sendable, Equatable {
  /// All albums.
  var all: AccessProblem? = .starting("the library")
  /// The album that this station saves to.
  var own: AccessProblem? = .starting("the library")
}

/// The station's library: the album that photos go to, its room, and what guests choose from.
///
/// Its state lives on the station's loop; ``current`` is for other threads. Disks are waited for on
/// the saver's thread and the looker's.
actor LibraryPart: LoopActor {
  /// The library as other threads see it.
  struct View: Sendable {
    /// What guests look through.
    var browser: PhotoBrowser?
    /// Whether they may.
    var access = LibraryAccess()
    /// Whether the next photo has a place.
    var storage = StorageReport(state: "starting", reason: nil)
  }

  /// The library that is open, with its lock.
  struct Open: Sendable {
    var library: PhotoLibrary?
    var keeper: LibraryKeeper?
  }

  /// How often the library is asked for its room, and tried again where it cannot be opened.
  static let roundPause = Duration.seconds(5)

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  nonisolated let threads: StationThreads
  nonisolated let settings: StationSettings
  nonisolated let permissions: AccessPart
  nonisolated let camera: CameraPart
  nonisolated let life: StationLife
  nonisolated let core: StationCore
  nonisolated let log = Log("station")
  private nonisolated let published = Published(View())
  // The saver's thread opens and closes it, so that a stop finds what was opened meanwhile.
  private nonisolated let opened = Published(Open())
  private var roundListeners: [@Sendable () -> Void] = []
  /// What the guest had chosen when it was looked into last.
  var checkedItems: Set<ItemID> = []
  var view = View() {
    didSet { published.publish(view) }
  }

  init(
    threads: StationThreads, settings: StationSettings, permissions: AccessPart,
    camera: CameraPart, life: StationLife, core: StationCore
  ) {
    loop = threads.loop
    (self.threads, self.settings, self.permissions) = (threads, settings, permissions)
    (self.camera, self.life, self.core) = (camera, life, core)
  }

  /// How it stands, from any thread.
  nonisolated var current: View { published.current }

  /// What is open, from any thread.
  nonisolated var open: Open { opened.current }

  /// Calls `listener` on the loop whenever the library is asked for its room.
  func listenToRounds(_ listener: @escaping @Sendable () -> Void) {
    roundListeners.append(listener)
  }

  // MARK: Opening and closing

  /// Opens the configured library; one that was open is closed first, since it holds the lock.
  func reopen() async throws(StationError) {
    let (configuration, system, media) = (
      settings.current.configuration, threads.system, threads.media
    )
    await core.updateStudio { ($0.library, $0.keeper, $0.browser) = (nil, nil, nil) }
    view.browser = nil
    let opening = OpeningLibrary()
    loop.schedule(at: system.monotonicTime() + media.patience) { [weak self] in
      guard opening.isUnderWay else { return }
      self?.perform { $0.record(StorageReport(silent: configuration.libraryPath)) }
    }
    defer { opening.end() }
    let result = await threads.worker.run { [self] () -> Result<Open, LibraryError> in
      close()
      do throws(LibraryError) {
        let place = LibraryConfiguration(configuration)
        try LibraryOwner.check(place.root, system: system)
        let library = try PhotoLibrary(configuration: place, system: system)
        let keeper = keeper(place, LibraryKeeping(configuration))
        let open = Open(library: library, keeper: keeper)
        opened.publish(open)
        return .success(open)
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let open):
      await core.updateStudio { ($0.library, $0.keeper) = (open.library, open.keeper) }
      await core.keep(account: open.keeper.map { SessionLedger(keeper: $0) })
      await openBrowser(of: open.library)
      await checkStorage()
    case .failure(let error):
      throw StationError(error).explained(by: await permissions.probe(.library))
    }
  }

  /// Lets other stations have the library; on the saver's thread, or after its end.
  nonisolated func close() {
    let open = opened.current
    opened.publish(Open())
    // What it writes is under the library's lock.
    open.keeper?.stop()
    guard let library = open.library else { return }
    // A thread that was left to itself may have the library, whose lock goes with the program then.
    // The catalog, too: its last use would be elsewhere, and closing it is a write.
    do throws(MediumSilence) {
      try threads.media.worker("close", for: library.path).run(Self.closePatience) { _ in
        open.keeper?.catalog.close()
        library.close()
      }
    } catch {
      log.error("the library could not be closed: \(LibraryError(error).message)")
    }
  }

  private static let closePatience = AbandonableWorker.Patience(
    step: .seconds(2), total: .seconds(2))

  // Photos are saved all the same without a catalog.
  private nonisolated func keeper(
    _ place: LibraryConfiguration, _ keeping: LibraryKeeping
  ) -> LibraryKeeper? {
    do throws(LibraryError) {
      return try LibraryKeeper(
        configuration: place, keeping: keeping, media: threads.media, system: threads.system)
    } catch {
      log.warning("no catalog, no journal and no copies: \(error)")
      return nil
    }
  }

  /// Has guests find nothing any more: the station has ended.
  func end() {
    view.browser = nil
    view.access = LibraryAccess(all: .stationEnded, own: .stationEnded)
  }

  /// Opens the library, and tries again every few seconds where it cannot be opened.
  ///
  /// Returns whether it is open.
  @discardableResult
  func reopenPatiently() async -> Bool {
    do throws(StationError) {
      try await reopen()
      return true
    } catch {
      wait(because: error)
      return false
    }
  }

  /// Tries again in a while to open a library that is not there, and tells why meanwhile.
  private func wait(because error: StationError) {
    let problem = AccessProblem(
      who: currentUser(), what: "the library \(settings.current.configuration.libraryPath)",
      why: "it cannot be opened", telling: error.message)
    record(
      StorageReport(state: "gone", reason: PickerReason(.storageUnavailable, problem: problem)))
    loop.schedule(at: threads.system.monotonicTime() + Self.roundPause) { [weak self] in
      Task { [weak self] in await self?.tryAgain() }
    }
  }

  private func tryAgain() async {
    guard open.library == nil, !life.isStopping, settings.current.problem == nil else { return }
    guard await reopenPatiently() else { return }
    log.notice("the library \(settings.current.configuration.libraryPath) is there")
  }

  // MARK: Room

  /// Refuses every press until the library is open again.
  func recordReopening() {
    core.assumeIsolated { $0.record(.storage, .unavailable(PickerReason(.starting))) }
    view.storage.reason = PickerReason(.starting)
  }

  /// Asks the library for its room, now and again every few seconds.
  private func checkStorage() async {
    guard open.library != nil else { return }
    await withCheckedContinuation { continuation in
      askForRoom { continuation.resume() }
    }
    scheduleRound()
  }

  /// Asks the library for its room, and notes what it says, or that its disk does not answer.
  ///
  /// The thread that saves is not asked: it may be busy with a save or a camera, or hang.
  nonisolated func askForRoom(then: @escaping @Sendable () -> Void = {}) {
    guard let library = open.library else { return then() }
    let (size, media, root) = (largestPhoto, threads.media, library.configuration.root)
    media.worker("room", for: root).submit(media.reading) { _ in
      StorageReport(library, largestPhoto: size)
    } then: { [self] result in
      let report = (try? result.get()) ?? StorageReport(silent: root)
      perform { part in
        if part.open.library === library { part.record(report) }
        then()
      }
    }
  }

  /// The most bytes that a photo of the camera can have.
  private nonisolated var largestPhoto: Int {
    let granted = camera.current.camera?.granted?.imageBytes ?? 0
    // A photo is hardly ever larger than the camera's own buffer; some air for its metadata.
    return max(granted, 4 << 20) + (128 << 10)
  }

  private func scheduleRound() {
    guard !life.isStopping else { return }
    loop.schedule(at: threads.system.monotonicTime() + Self.roundPause) { [weak self] in
      self?.assumeIsolated { $0.makeRound() }
    }
  }

  private func makeRound() {
    guard open.library != nil else { return }
    open.keeper?.look()
    roundListeners.forEach { $0() }
    askForRoom { [weak self] in self?.assumeIsolated { $0.scheduleRound() } }
  }

  private func record(_ report: StorageReport) {
    let before = view.storage
    view.storage = report
    // The free room changes all the time, and guests are not told of it.
    guard (before.state, before.reason) != (report.state, report.reason) else { return }
    if let problem = report.reason?.problem { log.warning("library: \(problem)") }
    core.assumeIsolated { $0.report(.storage, report.condition) }
  }
}

/// Whether a library is still being opened.
private final class OpeningLibrary: Sendable {
  private let isOver = Atomic(false)

  var isUnderWay: Bool { !isOver.load(ordering: .relaxed) }

  func end() { isOver.store(true, ordering: .relaxed) }
}
