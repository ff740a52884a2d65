import Glibc
import Platform

/// One client's connection and its current request; used on the loop only.
final class HTTPConnection {
  let handle: OpaquePointer
  let socket: Int32
  let number: UInt64
  /// The time at which a slow client is disconnected; nil while the client waits for the server.
  var deadline: MonotonicTime?
  /// The time at which the connection last became idle.
  var idleSince: MonotonicTime
  /// The current request, from its request line to its end.
  var exchange: HTTPExchange?
  var isSuspended = false
  /// Whether the socket was shut down and is about to be closed.
  var isCut = false

  init(handle: OpaquePointer, socket: Int32, number: UInt64, now: MonotonicTime) {
    self.handle = handle
    self.socket = socket
    self.number = number
    idleSince = now
  }

  /// Shuts the socket down; the library notices that and closes the connection.
  func cut() {
    isCut = true
    deadline = nil
    shutdown(socket, Int32(SHUT_RDWR))
  }
}

/// One request from its request line to the end of its answer; used on the loop only.
final class HTTPExchange {
  enum Phase {
    /// The headers are incomplete.
    case line
    /// The body is incomplete.
    case body
    /// The router is making the answer.
    case working
    /// The answer is being sent.
    case answering
  }

  unowned let connection: HTTPConnection
  let target: String
  var phase = Phase.line
  var request: HTTPRequest
  /// The number of body bytes that came, including dropped ones.
  var bodyBytes = 0
  /// The answer, until it is sent.
  var response: HTTPResponse?
  var stream: (any HTTPStream)?
  /// The writer that sends the answer directly to the socket.
  var user: (any HTTPSocketUser)?
  /// The body that counts as in flight.
  var held: HTTPResponse.Body?
  /// The time that the client still had for the answer when it began to wait for the server.
  var timeLeft: Duration?

  init(_ connection: HTTPConnection, id: UInt64, target: String) {
    self.connection = connection
    self.target = target
    request = HTTPRequest(id: id)
  }
}
