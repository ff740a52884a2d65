import CMicroHTTPD
import Platform

/// The handling of a request, from its headers to its answer.
extension HTTPServer {
  func request(_ call: HTTPCall) -> Bool {
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
        // The answer waits for the end of the request, so that the connection can be reused. A body
        // that is too long to wait for gets its answer at once, and the connection ends.
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
        exchange.bodyBytes += size.pointee
        guard exchange.bodyBytes <= max(limits.bodyBytes, limits.droppedBytes) else {
          // The answer must wait for the body's end, which may never come.
          counts.cut += 1
          return false
        }
        let rest = limits.bodyBytes - exchange.request.body.count
        if exchange.response != nil {
          // The body of a refused request is dropped.
        } else if let data = call.data, size.pointee <= rest {
          exchange.request.body += UnsafeRawBufferPointer(start: data, count: size.pointee)
        } else {
          // The answer must wait for the body's end; the rest of the body is read and dropped.
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
      suspend(connection, until: now + limits.workTime)
      return true
    case .working:
      if let response = exchange.response { return send(response, exchange) }
      suspend(connection, until: now + limits.workTime)
      return true
    // A further call for a connection with a socket writer means that it is over.
    case .answering: return exchange.user == nil
    }
  }

  private func begin(
    _ exchange: HTTPExchange, _ method: UnsafePointer<CChar>
  ) throws(KioskProblem) {
    counts.requests += 1
    exchange.request.method = String(cString: method)
    guard cmhd_head_bytes(exchange.connection.handle) <= limits.headerBytes else {
      throw KioskProblem(431, "a request's headers have at most \(limits.headerBytes) bytes")
    }
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

  /// Suspends a connection until the server has an answer.
  ///
  /// A nil deadline lets the client wait without a limit.
  func suspend(_ connection: HTTPConnection, until deadline: MonotonicTime?) {
    cmhd_suspend(connection.handle)
    connection.isSuspended = true
    connection.deadline = deadline
  }

  /// Ends a wait that exceeded its deadline, with a 503 answer if none was begun.
  func endWait(of connection: HTTPConnection) {
    if let exchange = connection.exchange, exchange.phase == .working {
      connection.deadline = nil
      answer(
        exchange.request.id,
        HTTPResponse(
          KioskProblem(
            503, "the station does not answer in time", fix: "look whether a disk or stick hangs")))
      return
    }
    connection.cut()
    resume(connection)
  }

  func resume(_ connection: HTTPConnection) {
    guard connection.isSuspended, !isStopping else { return }
    connection.isSuspended = false
    cmhd_resume(connection.handle)
    hasResumed = true
  }
}
