import ImagePicker
import Imaging
import PhotoLibrary
import Platform
import StationConfiguration
import Trigger

extension Station {
  /// Reads the configuration again; a faulty one is refused and the present one stays in use.
  func reload(_ reply: @escaping @Sendable (TriggerReply) -> Void) {
    guard let read = options.reload else {
      return reply(TriggerReply(isAccepted: false, text: "there is no file to read again"))
    }
    // Reading may block, so the worker does it.
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

  /// Returns a notice when `camera.device` changed but the command line names another camera.
  private func camera(unusedOf next: Configuration) -> String? {
    guard let named = options.camera, next.camera.device != configuration.camera.device else {
      return nil
    }
    return "'camera.device' is not used, since the station was started with '--camera \(named)'"
  }

  /// Brings the next configuration into use, between sessions; on the loop.
  func applyNextConfiguration() {
    guard !life.isStopping, let change = settings.assumeIsolated({ $0.takeNext() }) else { return }
    let (old, new, isFirst) = (change.old, change.new, change.isFirst)
    core.assumeIsolated { core in
      core.reconfigure(.init(new))
      core.updateStudio { ($0.orientation, $0.movie) = (new.orientation, new.movie) }
    }
    media.use(patience: new.diskPatience)
    // A configuration that was faulty at the start opened nothing, so everything is opened now.
    let changesLibrary =
      isFirst || LibraryChoice(old) != LibraryChoice(new) || library.open.library == nil
    let changesCamera =
      isFirst || old.camera != new.camera || old.cameras != new.cameras
      || old.fallback != new.fallback
    let changesPanel = isFirst || old.buttons != new.buttons || old.lamps != new.lamps
    let changesWeb =
      old.web.server != new.web.server || page.current.report.problem != nil
    if changesLibrary {
      // Presses are refused at once, since a photo would have no place until the library is open.
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
        log.error("the new configuration cannot be used: \(error)")
        await refuse(because: error.operatorMessage)
      }
    }
  }

  /// Refuses every press until the configuration is read again without fault.
  func refuse(because problem: String) async {
    log.error("waiting for another configuration: \(problem)")
    await settings.wait(because: problem)
    core.perform { [weak self] _ in self?.reportCamera() }
  }

  /// Reports the status to the service manager, if it has changed.
  func showService() {
    guard let reporter = reporter.current else { return }
    loop.submit { reporter.show() }
  }

  /// Reports the camera's condition to the picker; on the loop.
  private func reportCamera() {
    let condition = camera.condition
    core.assumeIsolated { $0.report(.camera, condition) }
  }

  /// Checks the conditions that change by themselves, such as the free space; on the loop.
  func roundMade() {
    checkMovies()
    let wrong = checks.filter(\.isUnseen)
    page.assumeIsolated { $0.record(wrong) }
  }

  /// Shows the present conditions on the panel, on the page and to the service manager; on the
  /// loop.
  func conditionsChanged() {
    show()
    reporter.current?.show()
  }

  private struct LibraryChoice: Equatable {
    // Names are compared by their bytes, since equal letters may name different directories.
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
