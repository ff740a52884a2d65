import ImagePicker
import PhotoLibrary
import Platform

extension Station {
  /// Opens the configured library; one that was open is closed first, since it holds the lock.
  func openLibrary() async throws(StationError) {
    let (configuration, system) = (configuration, system)
    parts.withLock { $0.library = nil }
    store.use(nil)
    let opened = await worker.run { () -> Result<PhotoLibrary, LibraryError> in
      do throws(LibraryError) {
        return .success(
          try PhotoLibrary(configuration: LibraryConfiguration(configuration), system: system))
      } catch {
        return .failure(error)
      }
    }
    switch opened {
    case .success(let library):
      parts.withLock { $0.library = library }
      store.use(library)
      await core.note(.library, .ready)
      await checkStorage()
    case .failure(let error): throw StationError(error)
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
        guard let self, let library = parts.withLock({ $0.library }) else { return }
        noteStorage(StorageReport(library, largestPhoto: largestPhoto))
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
