import ImagePicker
import PhotoLibrary
import Platform
import StationConfiguration
import Synchronization

extension Station {
  /// Opens the configured library; one that was open is closed first, since it holds the lock.
  func openLibrary() async throws(StationError) {
    let (configuration, system) = (configuration, system)
    await core.updateStudio { ($0.library, $0.keeper, $0.browser) = (nil, nil, nil) }
    parts.withLock { $0.browser = nil }
    let opening = OpeningLibrary()
    loop.schedule(at: system.monotonicTime() + media.patience) { [weak self] in
      guard let self, opening.isUnderWay else { return }
      noteStorage(StorageReport(silent: configuration.libraryPath))
    }
    defer { opening.end() }
    let opened = await worker.run {
      [self] () -> Result<(PhotoLibrary, LibraryKeeper?), LibraryError> in
      closeLibrary()
      do throws(LibraryError) {
        let place = LibraryConfiguration(configuration)
        try LibraryOwner.check(place.root, system: system)
        let library = try PhotoLibrary(configuration: place, system: system)
        let keeper = Station.keeper(place, LibraryKeeping(configuration), media, system)
        // Here, so that a station that stops meanwhile finds it when this thread has ended.
        parts.withLock { ($0.library, $0.keeper) = (library, keeper) }
        return .success((library, keeper))
      } catch {
        return .failure(error)
      }
    }
    switch opened {
    case .success((let library, let keeper)):
      await core.updateStudio { ($0.library, $0.keeper) = (library, keeper) }
      await core.keep(account: keeper.map { SessionLedger(keeper: $0) })
      await openBrowser(of: library)
      await checkStorage()
    case .failure(let error):
      throw StationError(error).explained(by: await probeAccess(to: .library))
    }
  }

  /// Lets other stations have the library; on the thread that saves, or after its end.
  func closeLibrary() {
    let (library, keeper) = parts.withLock { parts in
      defer { (parts.library, parts.keeper) = (nil, nil) }
      return (parts.library, parts.keeper)
    }
    // What it writes is under the library's lock.
    keeper?.stop()
    guard let library else { return }
    // A thread that was left to itself may have the library, whose lock goes with the program then.
    // The catalog, too: its last use would be elsewhere, and closing it is a write.
    do throws(MediumSilence) {
      try media.worker("close", for: library.path).run(Station.closePatience) { _ in
        keeper?.catalog.close()
        library.close()
      }
    } catch {
      log.error("the library could not be closed: \(LibraryError(error).message)")
    }
  }

  private static let closePatience = AbandonableWorker.Patience(
    step: .seconds(2), total: .seconds(2))

  // Photos are saved all the same without a catalog.
  private static func keeper(
    _ place: LibraryConfiguration, _ keeping: LibraryKeeping, _ media: Media,
    _ system: any SystemCalls
  ) -> LibraryKeeper? {
    do throws(LibraryError) {
      return try LibraryKeeper(
        configuration: place, keeping: keeping, media: media, system: system)
    } catch {
      Log("station").warning("no catalog, no journal and no copies: \(error)")
      return nil
    }
  }

  /// Asks the library for its room, now and again every few seconds.
  func checkStorage() async {
    guard parts.withLock({ $0.library }) != nil else { return }
    await withCheckedContinuation { continuation in
      askForRoom { continuation.resume() }
    }
    scheduleStorageCheck()
  }

  /// Asks the library for its room, and notes what it says, or that its disk does not answer.
  ///
  /// The thread that saves is not asked: it may be busy with a save or a camera, or hang.
  func askForRoom(then: @escaping @Sendable () -> Void = {}) {
    guard let library = parts.withLock({ $0.library }) else { return then() }
    let size = largestPhoto
    media.worker("room", for: library.configuration.root).submit(media.reading) { _ in
      StorageReport(library, largestPhoto: size)
    } then: { [self] result in
      if parts.withLock({ $0.library === library }) {
        let silence = StorageReport(silent: library.configuration.root)
        noteStorage((try? result.get()) ?? silence)
      }
      then()
    }
  }

  /// The most bytes that a photo of the camera can have.
  var largestPhoto: Int {
    let granted = camera.current.camera?.granted?.imageBytes ?? 0
    // A photo is hardly ever larger than the camera's own buffer; some air for its metadata.
    return max(granted, 4 << 20) + (128 << 10)
  }

  func scheduleStorageCheck() {
    guard !life.isStopping else { return }
    loop.schedule(at: system.monotonicTime() + .seconds(5)) { [weak self] in
      guard let self else { return }
      let (library, keeper) = parts.withLock { ($0.library, $0.keeper) }
      guard library != nil else { return }
      keeper?.look()
      checkMovies()
      noteFaults()
      askForRoom { [weak self] in self?.scheduleStorageCheck() }
    }
  }

  func noteStorage(_ report: StorageReport) {
    let before = parts.withLock { parts in
      defer { parts.storage = report }
      return parts.storage
    }
    // The free room changes all the time, and guests are not told of it.
    guard (before.state, before.reason) != (report.state, report.reason) else { return }
    if let problem = report.reason?.problem { log.warning("library: \(problem)") }
    core.perform { $0.report(.storage, report.condition) }
  }
}

/// Whether a library is still being opened.
private final class OpeningLibrary: Sendable {
  private let isOver = Atomic(false)

  var isUnderWay: Bool { !isOver.load(ordering: .relaxed) }

  func end() { isOver.store(true, ordering: .relaxed) }
}
