import CMicroHTTPD
import Platform

/// The sending of answers through libmicrohttpd.
extension HTTPServer {
  /// Answers a pending request; a request whose client has left is ignored.
  func answer(_ id: UInt64, _ response: HTTPResponse) {
    guard let exchange = exchanges[id], exchange.phase == .working, exchange.response == nil else {
      return
    }
    exchange.response = response
    resume(exchange.connection)
  }

  /// Returns whether a request still waits for its answer.
  func isWaiting(_ id: UInt64) -> Bool { exchanges[id]?.phase == .working }

  /// Continues a stream that has bytes to send again.
  func wake(_ id: UInt64) {
    guard let exchange = exchanges[id], exchange.phase == .answering else { return }
    // A body with an end has a deadline for the whole of it, which excludes waits for the server.
    exchange.connection.deadline = now + (exchange.timeLeft ?? limits.stallTime)
    exchange.timeLeft = nil
    resume(exchange.connection)
  }

  func send(_ response: HTTPResponse, _ exchange: HTTPExchange) -> Bool {
    let connection = exchange.connection
    exchange.phase = .answering
    exchange.response = nil
    var response = response
    if !bodies.take(response.body) {
      let problem = KioskProblem(
        503, "too many large answers wait for their clients", fix: "try again in a moment")
      response = HTTPResponse(problem).adding("Retry-After", "1")
    } else {
      exchange.held = response.body
    }
    // On HEAD the library would end a chunked stream without its last chunk.
    var body = response.body
    if exchange.request.method == "HEAD", body.count == nil { body = .none }
    if case .socket(let user) = body {
      counts.answers[response.status / 100, default: 0] += 1
      return hand(connection, to: user, response)
    }
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
          guard let reader = file.reader else {
            return files.submit {
              let bytes = read()
              self.perform { _ in then(bytes) }
            }
          }
          reader.worker.submit(reader.patience) { _ in
            read()
          } then: { result in
            // Without an answer of the disk there are no bytes, and the connection ends.
            let bytes = (try? result.get()) ?? []
            self.perform { _ in then(bytes) }
          }
        },
        // A file's stream is used on the loop only.
        wake: { [weak self] in self?.assumeIsolated { $0.wake(id) } })
      return make(stream, size: UInt64(count), exchange)
    case .stream(let stream):
      return make(stream, size: cmhd_size_unknown(), exchange)
    // A socket writer was handled before.
    case .socket: return nil
    }
  }

  /// The number of bytes that the library requests from a stream at once.
  private static let block = 128 << 10

  private func make(
    _ stream: any HTTPStream, size: UInt64, _ exchange: HTTPExchange
  ) -> OpaquePointer? {
    exchange.stream = stream
    let reader = Unmanaged.passRetained(
      StreamReader(server: self, id: exchange.request.id, stream: stream))
    let response = cmhd_streamed(
      size, Self.block,
      { context, _, buffer, count in
        guard let context, let buffer else { return cmhd_end_with_error() }
        let reader = Unmanaged<StreamReader>.fromOpaque(context).takeUnretainedValue()
        let call = HTTPCall(buffer: UnsafeMutableRawBufferPointer(start: buffer, count: count))
        return reader.server.assumeIsolated { $0.read(reader, call.buffer) }
      },
      { context in
        if let context { Unmanaged<StreamReader>.fromOpaque(context).release() }
      }, reader.toOpaque())
    if response == nil { reader.release() }
    return response
  }

  private func read(_ reader: StreamReader, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let exchange = exchanges[reader.id], !isStopping, !exchange.connection.isCut else {
      return cmhd_end_with_error()
    }
    switch reader.stream.write(into: buffer) {
    case .bytes(let count):
      if reader.stream.hasNoEnd { exchange.connection.deadline = now + limits.stallTime }
      return count
    case .nothing:
      let now = now
      if !reader.stream.hasNoEnd {
        exchange.timeLeft = exchange.connection.deadline.map { $0 - now }
      }
      suspend(
        exchange.connection, until: reader.stream.hasNoEnd ? nil : now + limits.workTime)
      return 0
    case .end: return cmhd_end_of_stream()
    case .failure: return cmhd_end_with_error()
    }
  }
}

/// The owner of shared bytes until they are sent.
private final class SharedBox {
  let shared: any KioskBytes
  init(_ shared: any KioskBytes) { self.shared = shared }
}

/// The context of libmicrohttpd's calls for the next part of a stream.
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
