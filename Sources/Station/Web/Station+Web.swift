import Glibc
import ImagePicker
import KioskServer
import Platform
import StationConfiguration

extension Station {
  /// Opens the page in place of one that is open.
  func openWeb() async throws(StationError) {
    await closeWeb()
    let web = configuration.web
    guard options.usesWeb else { return }
    let page = PageReport(
      web, isConfigured: configuration.origins["web.listen"] != nil,
      listener: options.webListener.flatMap { KioskAddress(listener: $0) })
    parts.withLock { $0.pageReport = page }
    if let words = page.words, let fix = page.fix { log.warning("\(words); \(fix)") }
    guard let choice = web.server else { return refusePage() }
    let station = WebStation(self)
    // The server closes what it listens on; a reload opens another one on the same socket.
    let listener = options.webListener.map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
    let server: KioskServer
    do throws(KioskError) {
      server = try KioskServer(
        choice, station: station, state: await core.page(self), listener: listener, media: media,
        system: system)
      try await server.start()
    } catch {
      refusePage()
      throw StationError(error)
    }
    parts.withLock { $0.web = server }
    core.perform { [weak self] in self?.showOnPage($0) }
  }

  /// Answers at the socket unit's socket in place of a page.
  private func refusePage() {
    guard let listener = options.webListener.map({ fcntl($0, F_DUPFD_CLOEXEC, 3) }), listener >= 0
    else { return }
    let refusal = PageRefusal(listener, loop: loop, system: system)
    parts.withLock { $0.pageRefusal = refusal }
    refusal.start()
  }

  func closeWeb() async {
    let (server, refusal) = parts.withLock { parts in
      defer { (parts.web, parts.pageRefusal) = (nil, nil) }
      return (parts.web, parts.pageRefusal)
    }
    refusal?.stop()
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

  /// Where the page is; nil: there is none.
  public var webAddress: String? {
    guard let web = parts.withLock({ $0.web }) else { return nil }
    let host = web.configuration.address.host
    return "http://\(host.contains(":") ? "[\(host)]" : host):\(web.port)/"
  }

  /// When a visible page last said that it is alive; nil: never, or there is none.
  public var lastPageHeartbeat: MonotonicTime? { parts.withLock { $0.web }?.lastHeartbeat }

  /// Brings the page up to the present state; on the loop.
  func showOnPage(_ core: isolated StationCore) {
    guard let web = parts.withLock({ $0.web }) else { return }
    web.publish(pageState(core))
  }

  /// Tells whoever looks at the page; on the loop.
  func report(_ notice: GuestNotice) {
    parts.withLock { $0.web }?.announce(KioskNotice(notice))
  }
}

extension StationCore {
  fileprivate func page(_ station: Station) -> KioskState { station.pageState(self) }
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
