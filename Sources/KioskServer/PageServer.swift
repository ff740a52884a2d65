import CMicroHTTPD
import ImagePicker
import Platform
import Synchronization

/// The web server of a station: the page for guests, the preview, and an interface for programs.
///
/// The server has four threads: one for the network, one that encodes raw frames as JPEG for
/// viewers, and two for the library, of which one makes thumbnails. The station never waits for
/// them. Safe from any thread.
public final class PageServer: Sendable {
  /// The configuration, with the address at which the server listens.
  public let configuration: KioskConfiguration
  /// The port at which the server listens.
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
  // Created once, so that the capture thread, which releases its copy, never frees the closure.
  let ringBell: @Sendable () -> Void
  private let files: EventLoop
  private let pictures: EventLoop
  private let heartbeat = Mutex<MonotonicTime?>(nil)
  private let isStopped = Mutex(false)
  let log = Log("web")

  /// Opens the address; requests are served after ``start()``.
  ///
  /// `listener` is a listening socket that another program such as systemd opened. The server takes
  /// ownership of it and uses it in place of the configuration's address. Throws if its address
  /// needs a token that the configuration lacks.
  public init(
    _ configuration: KioskConfiguration = KioskConfiguration(), station: any KioskStation,
    state: KioskState = .idle,
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
            "the socket that systemd opened for the page is none of the internet",
            fix: "give retake.socket a ListenStream= with an address and a port")
        }
        configuration.address = address
        try configuration.check("the socket that systemd opened for the page")
      } catch {
        _ = system.close(listener)
        throw error
      }
      socket = listener
    } else {
      try configuration.check("the page's address")
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

  /// Starts to serve.
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

  /// The time to wait for each thread at the end, because a thread may hang in a disk.
  private static let stopPatience = Duration.seconds(1)

  /// Closes all connections and ends the threads, blocking for some seconds at most.
  ///
  /// A thread that hangs is abandoned.
  @available(*, noasync, message: "this call blocks; await the asynchronous one")
  package func stop() {
    let wasStopped = isStopped.withLock { isStopped in
      defer { isStopped = true }
      return isStopped
    }
    guard !wasStopped else { return }
    http.perform { $0.stop() }
    for loop in [viewing, files, pictures, web] { loop.stop(within: Self.stopPatience) }
  }

  /// Closes all connections and ends the threads, without blocking Swift's pool.
  ///
  /// A thread that hangs is abandoned after some seconds.
  public func stop() async { await OffPool.run("web-stop") { self.stop() } }

  // MARK: What the station tells

  /// Publishes a state to all listening pages; never blocks.
  public func publish(_ state: KioskState) {
    http.perform { self.desk.take(state, on: $0) }
  }

  /// Sends a notice to all listening pages; never blocks.
  public func announce(_ notice: KioskNotice) {
    http.perform { self.desk.take(notice, on: $0) }
  }

  /// Calls `answer` on the server's loop when it gets to it, which shows that the loop is alive.
  public func ping(_ answer: @escaping @Sendable () -> Void) { web.submit(answer) }

  /// The server's other threads by name, for a watchdog.
  public var threads: [(name: String, loop: EventLoop)] {
    [("web-view", viewing), ("web-files", files), ("web-pictures", pictures)]
  }

  /// The time of the last heartbeat from a visible page; nil if there was none.
  public var lastHeartbeat: MonotonicTime? { heartbeat.withLock { $0 } }

  func hear() {
    let now = system.monotonicTime()
    heartbeat.withLock { $0 = now }
  }

  // MARK: Work that blocks

  /// Runs blocking work on a thread of its own and sends the answer that `body` returns.
  ///
  /// Slow work (`isSlow`) has a thread of its own, so that it does not delay other work.
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
  /// The address in the form that a URL needs.
  var urlHost: String { contains(":") ? "[\(self)]" : self }
}
