import CLinux
import Platform

/// Writes an answer without an end to the socket itself; used on the server's loop only.
///
/// libmicrohttpd has parsed the request and closes the connection, and does nothing between those.
protocol HTTPSocketUser: AnyObject, Sendable {
  /// Begins with the answer's line and headers; false where the connection is over.
  func begin(_ socket: Int32, head: [UInt8], at now: MonotonicTime) -> Bool
  /// Hears of the socket; false where the connection is over.
  func hear(_ event: clinux_socket_event, at now: MonotonicTime) -> Bool
  /// Whether the client has taken nothing for too long.
  func isStalled(at now: MonotonicTime) -> Bool
  /// The client has gone, or was cut off.
  func close()
}

/// Connections that are written to past the library.
extension HTTPServer {
  /// Has `user` write the answer; false where the connection is over.
  func hand(_ connection: HTTPConnection, to user: any HTTPSocketUser, _ response: HTTPResponse)
    -> Bool
  {
    guard let exchange = connection.exchange, let sockets else { return false }
    exchange.user = user
    // Before the library lets the socket go, so that a failure can still be told to it.
    guard sockets.add(connection.socket, as: exchange.request.id),
      user.begin(connection.socket, head: head(of: response), at: now), !connection.isCut
    else { return false }
    // The library reads nothing more of it: what a viewer sends stays in the kernel.
    suspend(connection, until: nil)
    return true
  }

  func heardSockets() {
    for event in sockets?.events() ?? [] {
      guard let user = exchanges[event.id]?.user else { continue }
      if !user.hear(event, at: now) { end(event.id) }
    }
    flush()
  }

  /// Ends a connection that is written to past the library.
  func end(_ id: UInt64) {
    guard let connection = exchanges[id]?.connection, !connection.isCut else { return }
    connection.cut()
    resume(connection)
  }

  private func head(of response: HTTPResponse) -> [UInt8] {
    // Of HTTP/1.0, whose bodies end with the connection: for viewers that know no chunks.
    var text = "HTTP/1.0 \(response.status) OK\r\nDate: \(httpDate())\r\nConnection: close\r\n"
    for (name, value) in HTTPResponse.everywhere + response.headers {
      text += "\(name): \(value)\r\n"
    }
    return Array((text + "\r\n").utf8)
  }
}
