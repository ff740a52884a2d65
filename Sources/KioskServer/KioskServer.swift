import CMicroHTTPD
import ImagePicker
import Platform
import Synchronization

/// The web server of a station: the page for guests, the preview, and an interface for programs.
///
/// It has four threads: one for the network, one that makes pictures of frames that are none, and
/// two for the library, of which one makes small pictures. The station waits for none of them. Safe
/// from any thread.
public final class KioskServer: Sendable {
  /// What it was made with; its address is the one where it listens.
  public let configuration: KioskConfiguration
  /// The port that it listens on.
  public let port: Int
  let station: any KioskStation
  let system: any SystemCalls
  let access: AccessRules
  let http: HTTPServer
  let desk: KioskDesk
  let folder: PageFolder?
  private let listener: Int32
  private let web: EventLoop
  let viewing: EventLoop
  let bell: Bell
  // Made once: the capture thread lets it go and must not be the one that frees it.
  let ringBell: @Sendable () -> Void
  private let files: EventLoop
  private let pictures: EventLoop
  private let heartbeat = Mutex<MonotonicTime?>(nil)
  private let isStopped = Mutex(false)
  let log = Log("web")

  /// Opens the address; nothing is served before ``start()``.
  ///
  /// `listener` is a listening socket that somebody else opened, such as systemd; it is used in
  /// place of the configuration's address, which it must be safe for, and belongs to the server.
  public init(
    _ configuration: KioskConfiguration, station: any KioskStation, state: KioskState,
    listener: Int32? = nil, media: DiskWorkers = DiskWorkers(),
    system: any SystemCalls = LinuxSystemCalls()
  ) throws(KioskError) {
    var configuration = configuration
    let socket: Int32
    if let listener {
      do throws(KioskError) {
        guard let address = KioskAddress(listener: listener) else {
          throw KioskError(
            .configuration,
            "the socket that systemd opened for the page is none of the internet; give "
              + "retake.socket a ListenStream= with an address and a port")
        }
        configuration.address = address
        try configuration.check("the socket that systemd opened for the page")
      } catch {
        _ = system.close(listener)
        throw error
      }
      socket = listener
    } else {
      try configuration.check("'web.listen'")
      socket = try Self.listen(configuration.address)
    }
    self.configuration = configuration
    self.station = station
    self.system = system
    self.listener = socket
    port = Int(cmhd_port(socket))
    access = AccessRules(configuration, port: port)
    folder = configuration.directory.map { PageFolder($0, media: media, system: system) }
    desk = KioskDesk(state)
    do throws(SystemError) {
      web = try EventLoop("web", system: system)
      viewing = try EventLoop("web-view", system: system)
      files = try EventLoop("web-files", system: system)
      pictures = try EventLoop("web-pictures", system: system)
      bell = try Bell(system: system)
    } catch {
      _ = system.close(socket)
      throw KioskError(.system, "a thread cannot be started: \(error)", cause: error)
    }
    ringBell = { [bell] in bell.ring() }
    http = HTTPServer(
      loop: web, files: files, limits: configuration.limits, system: system)
  }

  /// Begins to serve.
  public func start() async throws(KioskError) {
    guard await http.start(listener: listener, router: self) else {
      throw KioskError(.system, "the web server cannot be started; free some memory")
    }
    web.watch(bell.number) { [weak self] _ in
      guard let self else { return }
      http.assumeIsolated { self.heardBell(on: $0) }
    }
    log.debug("the page is at http://\(configuration.address.host.urlHost):\(port)/")
  }

  /// How long a thread is waited for at the end: what it reads may be on a disk that hangs.
  private static let stopPatience = Duration.seconds(1)

  /// Closes all connections and ends the threads; it blocks for some seconds at most.
  ///
  /// A thread that hangs is left to itself.
  public func stop() {
    let wasStopped = isStopped.withLock { isStopped in
      defer { isStopped = true }
      return isStopped
    }
    guard !wasStopped else { return }
    http.perform { $0.stop() }
    for loop in [viewing, files, pictures, web] { loop.stop(within: Self.stopPatience) }
  }

  // MARK: What the station tells

  /// Everybody who looks sees this from now on.
  public func publish(_ state: KioskState) {
    http.perform { self.desk.take(state, on: $0) }
  }

  /// Everybody who looks is told this.
  public func announce(_ notice: KioskNotice) {
    http.perform { self.desk.take(notice, on: $0) }
  }

  /// Calls `answer` once the server's loop gets to it: a sign that it lives.
  public func ping(_ answer: @escaping @Sendable () -> Void) { web.submit(answer) }

  /// The server's other threads, by name, for whoever watches that they live.
  public var threads: [(name: String, loop: EventLoop)] {
    [("web-view", viewing), ("web-files", files), ("web-pictures", pictures)]
  }

  /// When a visible page last said that it is alive; nil: never.
  public var lastHeartbeat: MonotonicTime? { heartbeat.withLock { $0 } }

  func hear() {
    let now = system.monotonicTime()
    heartbeat.withLock { $0 = now }
  }

  // MARK: Work that blocks

  /// Asks the library, or something else that blocks, and answers with what `body` gives.
  ///
  /// What may take long (`isSlow`) does not hold up the rest.
  func work(
    _ request: HTTPRequest, isSlow: Bool = false,
    _ body: @escaping @Sendable () throws(KioskProblem) -> HTTPResponse
  ) {
    (isSlow ? pictures : files).submit { [http] in
      let response: HTTPResponse
      do throws(KioskProblem) {
        response = try body()
      } catch {
        response = HTTPResponse(error)
      }
      http.perform { $0.answer(request.id, response) }
    }
  }

  private static func listen(_ address: KioskAddress) throws(KioskError) -> Int32 {
    let socket = cmhd_listen(address.host, address.port, 128)
    guard socket < 0 else { return socket }
    throw KioskError(address, SystemError(errno: 0 - socket, call: "bind"))
  }
}

extension String {
  /// An address as it stands in a URL.
  var urlHost: String { contains(":") ? "[\(self)]" : self }
}
