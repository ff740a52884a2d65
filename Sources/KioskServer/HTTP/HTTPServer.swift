import CMicroHTTPD
import Glibc
import Platform

/// What requests are for, as the server's HTTP part sees it; called on the loop.
protocol HTTPRouter: AnyObject, Sendable {
  /// Refuses a request by its headers alone, or lets its body come.
  func check(_ request: HTTPRequest, on server: isolated HTTPServer) throws(KioskProblem)
  /// Answers, now or later by ``HTTPServer/answer(_:_:)``.
  func route(_ request: HTTPRequest, on server: isolated HTTPServer) throws(KioskProblem)
    -> HTTPResponse?
}

/// HTTP on one listening socket: connections, limits, answers.
///
/// libmicrohttpd parses and sends; it is driven by one loop, and everything here runs on that. What
/// blocks is done elsewhere, while the connection is suspended. The library cuts clients that are
/// silent; those that are merely slow are cut here, by a deadline for each part of a request.
actor HTTPServer {
  nonisolated let loop: EventLoop
  /// The thread that reads files.
  private nonisolated let files: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  nonisolated let system: any SystemCalls
  let limits: HTTPLimits
  let log = Log("web")

  private var server: OpaquePointer?
  private var watch: EventLoop.Token?
  private var watchdog: EventLoop.Token?
  private weak var router: (any HTTPRouter)?
  private var connections: [UInt64: HTTPConnection] = [:]
  private var exchanges: [UInt64: HTTPExchange] = [:]
  private var lastNumber: UInt64 = 0
  private var isRunning = false
  private var isStopping = false
  private var hasResumed = false
  private(set) var counts = HTTPCounts()

  init(
    loop: EventLoop, files: EventLoop, limits: HTTPLimits, system: any SystemCalls
  ) {
    self.loop = loop
    self.files = files
    self.limits = limits
    self.system = system
  }

  /// Runs `body` on the loop, from any thread.
  nonisolated func perform(_ body: @escaping @Sendable (isolated HTTPServer) -> Void) {
    loop.submit {
      self.assumeIsolated { server in
        body(server)
        server.flush()
      }
    }
  }

  /// Runs `body` on the loop after a while.
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

  /// Serves `listener`, which belongs to the server from now on; false where that cannot be.
  func start(listener: Int32, router: any HTTPRouter) -> Bool {
    self.router = router
    var callbacks = cmhd_callbacks()
    callbacks.context = Unmanaged.passUnretained(self).toOpaque()
    callbacks.accept = { HTTPServer.on($0, else: false) { $0.mayAccept() } }
    callbacks.opened = { context, handle, socket in
      let call = Call(handle: handle)
      let bits = HTTPServer.on(context, else: UInt(0)) { server in
        call.handle.map { server.opened($0, socket) } ?? 0
      }
      return UnsafeMutableRawPointer(bitPattern: bits)
    }
    callbacks.closed = { context, connection in
      let call = Call(connection: connection)
      HTTPServer.on(context, else: ()) { $0.closed(call.connection) }
    }
    callbacks.line = { context, connection, target in
      let call = Call(connection: connection)
      let target = target.map { String(cString: $0) } ?? ""
      HTTPServer.on(context, else: ()) { $0.line(call.connection, target) }
    }
    callbacks.request = { context, connection, method, data, size in
      let call = Call(connection: connection, method: method, data: data, size: size)
      return HTTPServer.on(context, else: false) { $0.request(call) }
    }
    callbacks.completed = { context, connection in
      let call = Call(connection: connection)
      HTTPServer.on(context, else: ()) { $0.completed(call.connection) }
    }
    // More than are wanted: we decide who goes, before the library stops to accept.
    server = cmhd_start(
      listener, UInt32(clamping: limits.connections + spare + 16), limits.headerBytes * 2,
      &callbacks)
    guard let server else { return false }
    watch = loop.watch(cmhd_epoll(server)) { [weak self] _ in
      self?.assumeIsolated { $0.run() }
    }
    return true
  }

  /// Closes every connection and the listener.
  func stop() {
    guard let server, !isStopping else { return }
    isStopping = true
    if let watch { loop.cancel(watch) }
    if let watchdog { loop.cancel(watchdog) }
    for connection in connections.values where connection.isSuspended {
      connection.isSuspended = false
      MHD_resume_connection(connection.handle)
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

  /// Does what there is to do, a share at a time, so that timers and jobs get their turn.
  private func run() {
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

  private var spare: Int { max(64, limits.connections) }

  private func mayAccept() -> Bool {
    guard !isStopping else { return false }
    guard connections.count >= limits.connections else { return true }
    // Whoever waits for nothing makes room for one who may.
    let idle = connections.values.filter { $0.exchange == nil && !$0.isCut }
    if let oldest = idle.min(by: { $0.idleSince < $1.idleSince }) {
      oldest.cut()
      counts.evicted += 1
      // Those that were cut are closed a little later.
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

  private func connection(_ context: UnsafeMutableRawPointer?) -> HTTPConnection? {
    context.map { Unmanaged<HTTPConnection>.fromOpaque($0).takeUnretainedValue() }
  }

  private func line(_ context: UnsafeMutableRawPointer?, _ target: String) {
    guard let connection = connection(context) else { return }
    finish(connection)
    lastNumber += 1
    let exchange = HTTPExchange(connection, id: lastNumber, target: target)
    connection.exchange = exchange
    exchanges[exchange.request.id] = exchange
    // The rest of the headers may not take longer than a new connection's.
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
    exchanges[exchange.request.id] = nil
    connection.exchange = nil
  }

  // MARK: A request

  private func request(_ call: Call) -> Bool {
    guard let connection = connection(call.connection), let exchange = connection.exchange,
      let method = call.method, let size = call.size, !isStopping
    else { return false }
    switch exchange.phase {
    case .line:
      exchange.phase = .body
      connection.deadline = now + limits.bodyTime
      do throws(KioskProblem) {
        try begin(exchange, method)
      } catch {
        // Answered when the request is over, so that the connection can be used again; only a body
        // that is too long to wait for is not.
        exchange.response = HTTPResponse(error)
      }
      var length: Int64 = 0
      if cmhd_body_length(connection.handle, &length), length > limits.bodyBytes {
        exchange.phase = .working
        let problem = KioskProblem(413, "a body has at most \(limits.bodyBytes) bytes")
        return send(exchange.response ?? HTTPResponse(problem), exchange)
      }
      return true
    case .body:
      if size.pointee > 0 {
        let rest = limits.bodyBytes - exchange.request.body.count
        if exchange.response != nil {
          // It is dropped.
        } else if let data = call.data, size.pointee <= rest {
          exchange.request.body += UnsafeRawBufferPointer(start: data, count: size.pointee)
        } else {
          // No answer can be given while a body comes; it is read to its end and dropped.
          exchange.response = HTTPResponse(
            KioskProblem(413, "a body has at most \(limits.bodyBytes) bytes"))
        }
        size.pointee = 0
        return true
      }
      connection.deadline = nil
      exchange.phase = .working
      if let response = exchange.response { return send(response, exchange) }
      let answer: HTTPResponse?
      do throws(KioskProblem) {
        answer = try router?.route(exchange.request, on: self)
      } catch {
        answer = HTTPResponse(error)
      }
      if let answer { return send(answer, exchange) }
      suspend(connection)
      return true
    case .working:
      if let response = exchange.response { return send(response, exchange) }
      suspend(connection)
      return true
    case .answering: return true
    }
  }

  private func begin(
    _ exchange: HTTPExchange, _ method: UnsafePointer<CChar>
  ) throws(KioskProblem) {
    counts.requests += 1
    exchange.request.method = String(cString: method)
    guard let target = HTTPTarget(exchange.target) else {
      throw KioskProblem(400, "the address is none that this server could have given")
    }
    exchange.request.path = target.path
    exchange.request.query = target.query.map { ($0.name, $0.value) }
    exchange.request.headers = try HTTPRequest.Headers(exchange.connection.handle)
    try router?.check(exchange.request, on: self)
    var length: Int64 = 0
    guard cmhd_body_length(exchange.connection.handle, &length) else { return }
    guard exchange.request.method == "POST" else {
      throw KioskProblem(400, "no body belongs to a \(exchange.request.method.prefix(20)) request")
    }
  }

  private func suspend(_ connection: HTTPConnection) {
    MHD_suspend_connection(connection.handle)
    connection.isSuspended = true
    connection.deadline = nil
  }

  private func resume(_ connection: HTTPConnection) {
    guard connection.isSuspended, !isStopping else { return }
    connection.isSuspended = false
    MHD_resume_connection(connection.handle)
    hasResumed = true
  }

  /// Serves those who were resumed in this turn of the loop, all at once.
  private func flush() {
    guard hasResumed else { return }
    run()
  }

  // MARK: Answers

  /// Answers a request that was left open; one whose client has gone is no error.
  func answer(_ id: UInt64, _ response: HTTPResponse) {
    guard let exchange = exchanges[id], exchange.phase == .working, exchange.response == nil else {
      return
    }
    exchange.response = response
    resume(exchange.connection)
  }

  /// Whether somebody still waits for that answer.
  func isWaiting(_ id: UInt64) -> Bool { exchanges[id]?.phase == .working }

  /// A stream has something to send.
  func wake(_ id: UInt64) {
    guard let exchange = exchanges[id], exchange.phase == .answering else { return }
    // What has an end has its time for the whole of it, but for ours.
    exchange.connection.deadline = now + (exchange.timeLeft ?? limits.stallTime)
    exchange.timeLeft = nil
    resume(exchange.connection)
  }

  private func send(_ response: HTTPResponse, _ exchange: HTTPExchange) -> Bool {
    let connection = exchange.connection
    exchange.phase = .answering
    exchange.response = nil
    // The library would end a stream that is not sent by its last chunk.
    var body = response.body
    if exchange.request.method == "HEAD", body.count == nil { body = .none }
    guard let answer = make(body, exchange) else { return false }
    for (name, value) in HTTPResponse.everywhere + response.headers {
      cmhd_add_header(answer, name, value)
    }
    if case .stream = response.body {
      connection.deadline = now + limits.stallTime
    } else {
      let count = response.body.count ?? 0
      connection.deadline =
        now + limits.answerTime + .seconds(count / max(1, limits.slowestRate))
    }
    counts.answers[response.status / 100, default: 0] += 1
    return cmhd_send(connection.handle, UInt32(clamping: response.status), answer)
  }

  private func make(_ body: HTTPResponse.Body, _ exchange: HTTPExchange) -> OpaquePointer? {
    switch body {
    case .none: return cmhd_static(nil, 0)
    case .bytes(let bytes):
      return bytes.withUnsafeBytes { cmhd_copied($0.baseAddress, $0.count) }
    case .literal(let text): return cmhd_static(text.utf8Start, text.utf8CodeUnitCount)
    case .shared(let shared):
      let bytes = shared.bytes
      let box = Unmanaged.passRetained(SharedBox(shared))
      let response = cmhd_shared(
        bytes.baseAddress, bytes.count,
        { context in
          if let context { Unmanaged<SharedBox>.fromOpaque(context).release() }
        }, box.toOpaque())
      if response == nil { box.release() }
      return response
    case .file(let file, let offset, let count):
      let id = exchange.request.id
      let stream = FileStream(
        file, offset: offset, count: count,
        reader: { [self, files] read, then in
          files.submit {
            let bytes = read()
            self.perform { _ in then(bytes) }
          }
        },
        // A file's stream is asked and woken on the loop only.
        wake: { [weak self] in self?.assumeIsolated { $0.wake(id) } })
      return make(stream, size: UInt64(count), exchange)
    case .stream(let stream):
      return make(stream, size: cmhd_size_unknown(), exchange)
    }
  }

  private func make(
    _ stream: any HTTPStream, size: UInt64, _ exchange: HTTPExchange
  ) -> OpaquePointer? {
    exchange.stream = stream
    let reader = Unmanaged.passRetained(
      StreamReader(server: self, id: exchange.request.id, stream: stream))
    let response = cmhd_streamed(
      size, 64 << 10, stream.isPlain,
      { context, _, buffer, count in
        guard let context, let buffer else { return cmhd_end_with_error() }
        let reader = Unmanaged<StreamReader>.fromOpaque(context).takeUnretainedValue()
        let call = Call(buffer: UnsafeMutableRawBufferPointer(start: buffer, count: count))
        return reader.server.assumeIsolated { $0.read(reader, call.buffer) }
      },
      { context in
        if let context { Unmanaged<StreamReader>.fromOpaque(context).release() }
      }, reader.toOpaque())
    if response == nil { reader.release() }
    return response
  }

  private func read(_ reader: StreamReader, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let exchange = exchanges[reader.id], !isStopping else { return cmhd_end_with_error() }
    switch reader.stream.write(into: buffer) {
    case .bytes(let count):
      if reader.stream.hasNoEnd { exchange.connection.deadline = now + limits.stallTime }
      return count
    case .nothing:
      let now = now
      if !reader.stream.hasNoEnd {
        exchange.timeLeft = exchange.connection.deadline.map { $0 - now }
      }
      suspend(exchange.connection)
      return 0
    case .end: return cmhd_end_of_stream()
    case .failure: return cmhd_end_with_error()
    }
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
      guard let deadline = connection.deadline, deadline <= now else { continue }
      connection.cut()
      counts.cut += 1
    }
    if !connections.isEmpty { startWatchdog() }
    run()
  }
}

/// What the library hands over for the length of one call, on the loop's own thread.
private struct Call: @unchecked Sendable {
  // Unchecked: the call comes from the loop, and goes to what is isolated to it.
  var connection: UnsafeMutableRawPointer?
  var handle: OpaquePointer?
  var method: UnsafePointer<CChar>?
  var data: UnsafePointer<CChar>?
  var size: UnsafeMutablePointer<Int>?
  var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
}

/// Keeps shared bytes until they are sent.
private final class SharedBox {
  let shared: any KioskBytes
  init(_ shared: any KioskBytes) { self.shared = shared }
}

/// What libmicrohttpd asks for the next part of a stream.
private final class StreamReader: Sendable {
  let server: HTTPServer
  let id: UInt64
  let stream: any HTTPStream

  init(server: HTTPServer, id: UInt64, stream: any HTTPStream) {
    self.server = server
    self.id = id
    self.stream = stream
  }
}

/// What a server has done.
struct HTTPCounts: Sendable {
  var connections = 0
  var requests = 0
  /// Answers by their hundreds: 2 for those from 200 to 299.
  var answers: [Int: Int] = [:]
  /// Connections that were not taken.
  var refused = 0
  /// Idle connections that made room.
  var evicted = 0
  /// Clients that were too slow.
  var cut = 0
}
