import ImagePicker
import Imaging
import PhotoLibrary
import Platform
import StationConfiguration
import Trigger

extension Station {
  /// Reads the configuration again; what is wrong with it is the answer, and the old one stays.
  func reload(_ reply: @escaping @Sendable (TriggerReply) -> Void) {
    guard let read = options.reload else {
      return reply(TriggerReply(isAccepted: false, text: "there is no file to read again"))
    }
    // Reading may block.
    worker.submit { [self] in
      do throws(ConfigurationError) {
        let next = try read()
        warnOfSecrets(next)
        loop.submit { [self] in accept(next, reply) }
      } catch {
        loop.submit { [self] in refuse(error, reply) }
      }
    }
  }

  private func accept(
    _ next: Configuration, _ reply: @escaping @Sendable (TriggerReply) -> Void
  ) {
    let needsStart = next.socketPath != configuration.socketPath
    let unused = camera(unusedOf: next)
    if let unused { log.warning(unused) }
    settings.assumeIsolated { $0.accept(next) }
    showService()
    log.notice("the configuration was read again")
    if core.assumeIsolated({ $0.machine.state == .idle }) { applyNextConfiguration() }
    reply(
      TriggerReply(
        isAccepted: true,
        text: "read again, in use from the next session on"
          + (needsStart ? "; 'socket.path' from the next start on" : "")
          + (unused.map { "; \($0)" } ?? "")))
  }

  private func refuse(
    _ error: ConfigurationError, _ reply: @escaping @Sendable (TriggerReply) -> Void
  ) {
    log.error("the configuration stays as it was: \(error)")
    let isWaiting = settings.assumeIsolated { $0.refuse(error.description) }
    if isWaiting { reportCamera() } else { showService() }
    reply(TriggerReply(isAccepted: false, text: "the configuration stays as it was: \(error)"))
  }

  /// What is to be said where a camera was configured anew and the command line names another.
  private func camera(unusedOf next: Configuration) -> String? {
    guard let named = options.camera, next.camera.device != configuration.camera.device else {
      return nil
    }
    return "'camera.device' is not used, since the station was started with '--camera \(named)'"
  }

  /// Brings what was read again into use; on the loop, between sessions.
  func applyNextConfiguration() {
    guard !life.isStopping, let change = settings.assumeIsolated({ $0.takeNext() }) else { return }
    let (old, new, isFirst) = (change.old, change.new, change.isFirst)
    core.assumeIsolated { core in
      core.reconfigure(.init(new))
      core.updateStudio { ($0.orientation, $0.movie) = (new.orientation, new.movie) }
    }
    media.use(patience: new.diskPatience)
    // Nothing was opened yet where the configuration was wrong at the start.
    let changesLibrary =
      isFirst || LibraryChoice(old) != LibraryChoice(new) || library.open.library == nil
    let changesCamera =
      isFirst || old.camera != new.camera || old.cameras != new.cameras
      || old.fallback != new.fallback
    let changesPanel = isFirst || old.buttons != new.buttons || old.lamps != new.lamps
    let changesWeb =
      old.web.server != new.web.server || page.current.report.problem != nil
    if changesLibrary {
      // At once: a press before the library is open would have no place for its photo.
      library.assumeIsolated { $0.recordReopening() }
    }
    page.assumeIsolated { $0.show() }
    guard changesLibrary || changesCamera || changesPanel || changesWeb else { return }
    Task { [self] in
      do throws(StationError) {
        if changesPanel { await openPanel() }
        if changesLibrary { await library.reopenPatiently() }
        if changesCamera { try await camera.reopen() }
        if changesWeb { await page.reopen(as: WebStation(self)) }
      } catch {
        log.error("the new configuration cannot be used: \(error.message)")
        await refuse(because: error.message)
      }
    }
  }

  /// Refuses every press, since the configuration cannot be used, until it is read again.
  func refuse(because problem: String) async {
    log.error("waiting for another configuration: \(problem)")
    await settings.wait(because: problem)
    core.perform { [weak self] _ in self?.reportCamera() }
  }

  /// Tells the service manager what is new, if something is.
  func showService() {
    guard let reporter = reporter.current else { return }
    loop.submit { reporter.show() }
  }

  /// Tells the picker what a press would meet at the camera; on the loop.
  private func reportCamera() {
    let condition = camera.condition
    core.assumeIsolated { $0.report(.camera, condition) }
  }

  /// Looks after what changes by itself: the room for movies, and faults; on the loop.
  func roundMade() {
    checkMovies()
    let wrong = checks.filter(\.isUnseen)
    page.assumeIsolated { $0.record(wrong) }
  }

  /// Brings what is shown up to what can be used now; on the loop.
  func conditionsChanged() {
    show()
    reporter.current?.show()
  }

  private struct LibraryChoice: Equatable {
    // Another name of the same letters is another directory.
    var path: FileName
    var album: FileName
    var places: [FileName]
    var reserve: Int64?
    var allowsVolatile: Bool
    var keeping: LibraryKeeping
    var browsing: BrowserConfiguration

    init(_ configuration: Configuration) {
      path = FileName(configuration.libraryPath)
      album = FileName(configuration.album)
      reserve = configuration.reserve
      allowsVolatile = configuration.allowsVolatile
      keeping = LibraryKeeping(configuration)
      browsing = BrowserConfiguration(configuration)
      places = (keeping.copies + browsing.roots).map(FileName.init)
    }
  }
}
