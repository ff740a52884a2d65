import ImagePicker
import PhotoLibrary
import Platform

extension Station {
  /// Opens the configured library; one that was open is closed first, since it holds the lock.
  func openLibrary() async throws(StationError) {
    let (configuration, system) = (configuration, system)
    store.use(nil, nil)
    movies.use(nil)
    closeBrowser()
    let opened = await worker.run {
      [self] () -> Result<(PhotoLibrary, LibraryKeeper?), LibraryError> in
      closeLibrary()
      do throws(LibraryError) {
        let place = LibraryConfiguration(configuration)
        let library = try PhotoLibrary(configuration: place, system: system)
        let keeper = Station.keeper(place, LibraryKeeping(configuration), system)
        // Here, so that a station that stops meanwhile finds it when this thread has ended.
        parts.withLock { ($0.library, $0.keeper) = (library, keeper) }
        return .success((library, keeper))
      } catch {
        return .failure(error)
      }
    }
    switch opened {
    case .success((let library, let keeper)):
      store.use(library, keeper)
      movies.use(library)
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
    library?.close()
  }

  // Photos are saved all the same without a catalog.
  private static func keeper(
    _ place: LibraryConfiguration, _ keeping: LibraryKeeping, _ system: any SystemCalls
  ) -> LibraryKeeper? {
    do throws(LibraryError) {
      return try LibraryKeeper(configuration: place, keeping: keeping, system: system)
    } catch {
      Log("station").warning("no catalog, no journal and no copies: \(error)")
      return nil
    }
  }

  /// Asks the library for its room, now and again every few seconds.
  func checkStorage() async {
    guard let library = parts.withLock({ $0.library }) else { return }
    let size = largestPhoto
    let report = await worker.run { StorageReport(library, largestPhoto: size) }
    noteStorage(report)
    scheduleStorageCheck()
  }

  /// The most bytes that a photo of the camera can have.
  var largestPhoto: Int {
    let granted = parts.withLock { $0.camera }?.granted?.imageBytes ?? 0
    // A photo is hardly ever larger than the camera's own buffer; some air for its metadata.
    return max(granted, 4 << 20) + (128 << 10)
  }

  func scheduleStorageCheck() {
    guard !parts.withLock({ $0.isStopping }) else { return }
    loop.schedule(at: system.monotonicTime() + .seconds(5)) { [weak self] in
      guard let self else { return }
      worker.submit { [weak self] in
        guard let self else { return }
        let (library, keeper) = parts.withLock { ($0.library, $0.keeper) }
        guard let library else { return }
        noteStorage(StorageReport(library, largestPhoto: largestPhoto))
        keeper?.look()
        checkMovies()
        scheduleStorageCheck()
      }
    }
  }

  func noteStorage(_ report: StorageReport) {
    let before = parts.withLock { parts in
      defer { parts.storage = report }
      return parts.storage
    }
    guard before != report else { return }
    if let problem = report.reason?.problem { log.warning("library: \(problem)") }
    core.perform { [weak self] core in
      core.note(.storage, report.condition)
      self?.showOnPanel(core)
    }
  }
}
