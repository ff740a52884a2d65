import ImagePicker
import Imaging
import PhotoLibrary
import Platform
import StationConfiguration
import Synchronization

/// The problems of the library's sources; `nil` when a source can be used.
struct LibraryAccess: Sendable, Equatable {
  /// The problem of the albums as a whole.
  var all: AccessProblem? = .starting("the library")
  /// The problem of the album that this station saves to.
  var own: AccessProblem? = .starting("the library")
}

/// The station's library: the album of new photos, its free space, and the guests' pictures.
///
/// The state lives on the station's loop; ``current`` serves other threads. The saver's thread, the
/// looker's thread and the media threads wait for disks.
actor LibraryPart: LoopActor {
  /// The state that other threads see.
  struct View: Sendable {
    /// The browser of the guests' pictures.
    var browser: PhotoBrowser?
    /// The access of guests to the pictures.
    var access = LibraryAccess()
    /// The storage of the next photo.
    var storage = StorageReport(state: "starting", reason: nil)
  }

  /// The open library, with its lock.
  struct Open: Sendable {
    var library: PhotoLibrary?
    var keeper: LibraryKeeper?
  }

  /// The time between two checks of the free space, and between two attempts to open the library.
  static let roundPause = Duration.seconds(5)
  /// The time between two polls of the directories during a session, and while the station is idle.
  static let lookPause = Duration.milliseconds(800)
  static let idleLookPause = Duration.seconds(4)

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
  // The saver's thread opens and closes the library, so a stop finds a library opened meanwhile.
  private nonisolated let opened = Published(Open())
  private var roundListeners: [@Sendable () -> Void] = []
  /// The timer of the next poll of the directories; `nil` while a poll is under way.
  var nextLook: EventLoop.Token?
  /// Tells whether a session is under way.
  var isInUse = false
  /// The guest's choices at the last check.
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

  /// The state as last published; callable from any thread.
  nonisolated var current: View { published.current }

  /// The open library; callable from any thread.
  nonisolated var open: Open { opened.current }

  /// Calls `listener` on the loop at every regular check of the free space.
  func listenToRounds(_ listener: @escaping @Sendable () -> Void) {
    roundListeners.append(listener)
  }

  // MARK: Opening and closing

  /// Opens the configured library.
  ///
  /// A library that was open is closed first, since it holds the lock.
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

  /// Closes the library, so that other stations can open it.
  ///
  /// The call belongs on the saver's thread, or comes after the end of that thread.
  nonisolated func close() {
    let open = opened.current
    opened.publish(Open())
    // The keeper stops first, since it writes under the library's lock.
    open.keeper?.stop()
    guard let library = open.library else { return }
    // An abandoned thread may still use the library; then the lock is released when the program
    // exits. The catalog is closed here as well, since closing it writes to the disk.
    do throws(MediumSilence) {
      try threads.media.worker("close", for: library.path).run(Self.closePatience) { _ in
        open.keeper?.catalog.close()
        library.close()
      }
    } catch {
      log.error("the library could not be closed: \(LibraryError(error).operatorMessage)")
    }
  }

  private static let closePatience = AbandonableWorker.Patience(
    step: .seconds(2), total: .seconds(2))

  // Photos are saved even without a catalog.
  private nonisolated func keeper(
    _ place: LibraryConfiguration, _ keeping: LibraryKeeping
  ) -> LibraryKeeper? {
    do throws(LibraryError) {
      return try LibraryKeeper(
        configuration: place, keeping: keeping, media: threads.media, system: threads.system)
    } catch {
      log.warning("no catalog, no journal and no copies: \(error.operatorMessage)")
      return nil
    }
  }

  /// Hides all pictures from guests after the end of the station.
  func end() {
    view.browser = nil
    view.access = LibraryAccess(all: .stationEnded, own: .stationEnded)
  }

  /// Opens the library, and tries again every few seconds until it is open.
  ///
  /// Returns whether the library is open now.
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

  /// Schedules another attempt to open the library, and reports the error meanwhile.
  private func wait(because error: StationError) {
    let problem = AccessProblem(
      object: "the library \(settings.current.configuration.libraryPath)",
      cause: "it cannot be opened", error)
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

  /// Checks the library's free space now, and then every few seconds.
  private func checkStorage() async {
    guard open.library != nil else { return }
    await withCheckedContinuation { continuation in
      askForRoom { continuation.resume() }
    }
    scheduleRound()
  }

  /// Reads the library's free space and records it, or records that the disk does not answer.
  ///
  /// A media thread does the work, since the saver may be busy with a save or a camera, or hang.
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

  /// The maximum number of bytes of a photo of the camera.
  private nonisolated var largestPhoto: Int {
    let granted = camera.current.camera?.granted?.imageBytes ?? 0
    // A photo is seldom larger than the camera's own buffer; the addition is for the metadata.
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
    // The number of free bytes changes constantly and is not reported to guests.
    guard (before.state, before.reason) != (report.state, report.reason) else { return }
    if let problem = report.reason?.problem { log.warning("library: \(problem)") }
    core.assumeIsolated { $0.report(.storage, report.condition) }
  }
}

/// Tells a timer whether the library is still being opened.
private final class OpeningLibrary: Sendable {
  private let isOver = Atomic(false)

  var isUnderWay: Bool { !isOver.load(ordering: .relaxed) }

  func end() { isOver.store(true, ordering: .relaxed) }
}
