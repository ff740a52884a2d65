import CMicroHTTPD
import Glibc
import Platform

/// The router of the server's requests; called on the loop.
protocol HTTPRouter: AnyObject, Sendable {
  /// Throws if a request's headers are not acceptable; otherwise the body is read.
  func check(_ request: HTTPRequest, on server: isolated HTTPServer) throws(KioskProblem)
  /// Returns the answer, or nil to answer later with ``HTTPServer/answer(_:_:)``.
  func route(_ request: HTTPRequest, on server: isolated HTTPServer) throws(KioskProblem)
    -> HTTPResponse?
}

/// HTTP on one listening socket: connections, limits and answers.
///
/// libmicrohttpd parses and sends. One loop drives it and runs all code of this actor. Blocking
/// work runs on other threads while its connection is suspended. The library disconnects silent
/// clients, and this actor disconnects slow ones, by a deadline for each part of a request.
actor HTTPServer {
  nonisolated let loop: EventLoop
  /// The thread that reads files.
  nonisolated let files: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  nonisolated let system: any SystemCalls
  let limits: HTTPLimits
  let log = Log("web")

  private var server: OpaquePointer?
  private var watch: EventLoop.Token?
  private var watchdog: EventLoop.Token?
  /// The sockets whose answers bypass the library.
  let sockets = SocketWatch()
  private var socketsWatch: EventLoop.Token?
  weak var router: (any HTTPRouter)?
  private var connections: [UInt64: HTTPConnection] = [:]
  var exchanges: [UInt64: HTTPExchange] = [:]
  private var lastNumber: UInt64 = 0
  private var isRunning = false
  var isStopping = false
  var hasResumed = false
  var counts = HTTPCounts()
  nonisolated let bodies: BodiesInFlight
  nonisolated let kept: KeptPictures

  init(
    loop: EventLoop, files: EventLoop, limits: HTTPLimits, system: any SystemCalls
  ) {
    self.loop = loop
    self.files = files
    self.limits = limits
    bodies = BodiesInFlight(limit: limits.bytesInFlight)
    kept = KeptPictures(bodies: bodies)
    self.system = system
  }

  /// Runs `body` on the loop; callable from any thread.
  nonisolated func perform(_ body: @escaping @Sendable (isolated HTTPServer) -> Void) {
    loop.submit {
      self.assumeIsolated { server in
        body(server)
        server.flush()
      }
    }
  }

  /// Runs `body` on the loop after a delay.
  func schedule(
    after delay: Duration, _ body: @escaping @Sendable (isolated HTTPServer) -> Void
  ) {
    loop.schedule(at: now + delay) { [weak self] in
      self?.assumeIsolated { server in
        guard !server.isStopping else { return }
        body(server)
        server.flush()
      }
    }
  }

  var now: MonotonicTime { system.monotonicTime() }
  var connectionCount: Int { connections.count }

  // MARK: Life

  /// Serves `listener` and takes ownership of it; returns false if that fails.
  func start(listener: Int32, router: any HTTPRouter) -> Bool {
    guard let sockets else {
      _ = system.close(listener)
      return false
    }
    self.router = router
    var callbacks = cmhd_callbacks()
    callbacks.context = Unmanaged.passUnretained(self).toOpaque()
    callbacks.accept = { HTTPServer.on($0, else: false) { $0.mayAccept() } }
    callbacks.opened = { context, handle, socket in
      let call = HTTPCall(handle: handle)
      let bits = HTTPServer.on(context, else: UInt(0)) { server in
        call.handle.map { server.opened($0, socket) } ?? 0
      }
      return UnsafeMutableRawPointer(bitPattern: bits)
    }
    callbacks.closed = { context, connection in
      let call = HTTPCall(connection: connection)
      HTTPServer.on(context, else: ()) { $0.closed(call.connection) }
    }
    callbacks.line = { context, connection, target in
      let call = HTTPCall(connection: connection)
      let target = target.map { String(cString: $0) } ?? ""
      HTTPServer.on(context, else: ()) { $0.line(call.connection, target) }
    }
    callbacks.request = { context, connection, method, data, size in
      let call = HTTPCall(connection: connection, method: method, data: data, size: size)
      return HTTPServer.on(context, else: false) { $0.request(call) }
    }
    callbacks.completed = { context, connection in
      let call = HTTPCall(connection: connection)
      HTTPServer.on(context, else: ()) { $0.completed(call.connection) }
    }
    // The library's limit is higher, so that this actor chooses the connections to close before the
    // library stops accepting.
    server = cmhd_start(
      listener, UInt32(clamping: limits.connections + spare + 16), limits.connectionBytes,
      &callbacks)
    guard let server else { return false }
    watch = loop.watch(cmhd_epoll(server)) { [weak self] _ in
      self?.assumeIsolated { $0.run() }
    }
    socketsWatch = loop.watch(sockets.number) { [weak self] _ in
      self?.assumeIsolated { $0.heardSockets() }
    }
    return true
  }

  /// Closes every connection and the listener.
  func stop() {
    guard let server, !isStopping else { return }
    isStopping = true
    for token in [watch, socketsWatch] { if let token { loop.cancel(token) } }
    if let watchdog { loop.cancel(watchdog) }
    for connection in connections.values where connection.isSuspended {
      connection.isSuspended = false
      cmhd_resume(connection.handle)
    }
    cmhd_stop(server)
    self.server = nil
    exchanges = [:]
    connections = [:]
  }

  private static func on<Value: Sendable>(
    _ context: UnsafeMutableRawPointer?, else missing: Value,
    _ body: (isolated HTTPServer) -> Value
  ) -> Value {
    guard let context else { return missing }
    return Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue().assumeIsolated(body)
  }

  // MARK: Running

  /// Runs the library for a limited number of rounds, so that timers and jobs get their turn.
  func run() {
    guard let server, !isStopping, !isRunning else { return }
    isRunning = true
    hasResumed = false
    var rounds = 0
    var hasMore = true
    while hasMore, rounds < 16 {
      hasMore = cmhd_run(server)
      rounds += 1
    }
    isRunning = false
    if hasMore { perform { $0.run() } }
  }

  /// Runs the library once for all connections that were resumed in this turn of the loop.
  func flush() {
    guard hasResumed else { return }
    run()
  }

  private var spare: Int { max(64, limits.connections) }

  private func mayAccept() -> Bool {
    guard !isStopping else { return false }
    guard connections.count >= limits.connections else { return true }
    // An idle connection makes room for a new one.
    let idle = connections.values.filter { $0.exchange == nil && !$0.isCut }
    if let oldest = idle.min(by: { $0.idleSince < $1.idleSince }) {
      oldest.cut()
      counts.evicted += 1
      // A connection that was shut down is closed a little later.
      if connections.count < limits.connections + spare { return true }
    }
    counts.refused += 1
    return false
  }

  private func opened(_ handle: OpaquePointer, _ socket: Int32) -> UInt {
    lastNumber += 1
    let connection = HTTPConnection(
      handle: handle, socket: socket, number: lastNumber, now: now)
    connection.deadline = now + limits.headerTime
    connections[connection.number] = connection
    counts.connections += 1
    if watchdog == nil { startWatchdog() }
    return UInt(bitPattern: Unmanaged.passUnretained(connection).toOpaque())
  }

  private func closed(_ context: UnsafeMutableRawPointer?) {
    guard let connection = connection(context) else { return }
    finish(connection)
    connections[connection.number] = nil
  }

  func connection(_ context: UnsafeMutableRawPointer?) -> HTTPConnection? {
    context.map { Unmanaged<HTTPConnection>.fromOpaque($0).takeUnretainedValue() }
  }

  private func line(_ context: UnsafeMutableRawPointer?, _ target: String) {
    guard let connection = connection(context) else { return }
    finish(connection)
    lastNumber += 1
    let exchange = HTTPExchange(connection, id: lastNumber, target: target)
    connection.exchange = exchange
    exchanges[exchange.request.id] = exchange
    // The remaining headers may take at most as long as those of a new connection.
    let limit = now + limits.headerTime
    connection.deadline = min(connection.deadline ?? limit, limit)
  }

  private func completed(_ context: UnsafeMutableRawPointer?) {
    guard let connection = connection(context) else { return }
    finish(connection)
    connection.idleSince = now
    if !connection.isCut { connection.deadline = now + limits.idleTime }
  }

  private func finish(_ connection: HTTPConnection) {
    guard let exchange = connection.exchange else { return }
    exchange.stream?.close()
    if let user = exchange.user {
      sockets?.remove(connection.socket)
      user.close()
    }
    if let held = exchange.held { bodies.release(held) }
    exchanges[exchange.request.id] = nil
    connection.exchange = nil
  }

  // MARK: Deadlines

  private func startWatchdog() {
    watchdog = loop.schedule(at: now + limits.watch) { [weak self] in
      self?.assumeIsolated { $0.lookAtDeadlines() }
    }
  }

  private func lookAtDeadlines() {
    watchdog = nil
    guard !isStopping else { return }
    let now = now
    for connection in connections.values {
      if let exchange = connection.exchange, let user = exchange.user {
        guard !connection.isCut, user.isStalled(at: now) else { continue }
        counts.cut += 1
        end(exchange.request.id)
        continue
      }
      guard let deadline = connection.deadline, deadline <= now else { continue }
      guard !connection.isSuspended else {
        endWait(of: connection)
        continue
      }
      connection.cut()
      counts.cut += 1
    }
    if !connections.isEmpty { startWatchdog() }
    run()
  }
}

/// The arguments of one call from the library, valid during the call and on the loop's thread.
struct HTTPCall: @unchecked Sendable {
  // Unchecked: the call comes from the loop's thread, and its receiver is isolated to the loop.
  var connection: UnsafeMutableRawPointer?
  var handle: OpaquePointer?
  var method: UnsafePointer<CChar>?
  var data: UnsafePointer<CChar>?
  var size: UnsafeMutablePointer<Int>?
  var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
}
