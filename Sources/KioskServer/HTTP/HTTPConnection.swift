import Glibc
import Platform

/// One client's connection, and the request that is under way on it; used on the loop only.
final class HTTPConnection {
  let handle: OpaquePointer
  let socket: Int32
  let number: UInt64
  /// When the client is cut off; nil: not while it waits for us.
  var deadline: MonotonicTime?
  /// When it last became idle.
  var idleSince: MonotonicTime
  /// The request line came, and the request is not over.
  var exchange: HTTPExchange?
  var isSuspended = false
  /// It was shut down, and is about to be closed.
  var isCut = false

  init(handle: OpaquePointer, socket: Int32, number: UInt64, now: MonotonicTime) {
    self.handle = handle
    self.socket = socket
    self.number = number
    idleSince = now
  }

  /// Ends it from our side; the server sees that and closes it.
  func cut() {
    isCut = true
    deadline = nil
    shutdown(socket, Int32(SHUT_RDWR))
  }
}

/// One request from its line to the end of its answer; used on the loop only.
final class HTTPExchange {
  enum Phase {
    /// Headers are still to come.
    case line
    /// The body is.
    case body
    /// The answer is being made.
    case working
    /// The answer is being sent.
    case answering
  }

  unowned let connection: HTTPConnection
  let target: String
  var phase = Phase.line
  var request: HTTPRequest
  /// How many bytes of the body came, those that were dropped included.
  var bodyBytes = 0
  /// The answer, once there is one.
  var response: HTTPResponse?
  var stream: (any HTTPStream)?
  /// The writer that sends the answer to the socket itself.
  var user: (any HTTPSocketUser)?
  /// The body that is counted among those in flight.
  var held: HTTPResponse.Body?
  /// What the client still had to take the answer, when it began to wait for us.
  var timeLeft: Duration?

  init(_ connection: HTTPConnection, id: UInt64, target: String) {
    self.connection = connection
    self.target = target
    request = HTTPRequest(id: id)
  }
}
