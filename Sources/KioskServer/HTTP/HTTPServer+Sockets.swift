import CLinux
import Platform

/// A writer of an endless answer that bypasses libmicrohttpd; used on the server's loop only.
///
/// libmicrohttpd parses the request before and closes the connection after, and does nothing
/// between.
protocol HTTPSocketUser: AnyObject, Sendable {
  /// Sends the answer's status line and headers; returns false if the connection is over.
  func begin(_ socket: Int32, head: [UInt8], at now: MonotonicTime) -> Bool
  /// Handles an event of the socket; returns false if the connection is over.
  func hear(_ event: clinux_socket_event, at now: MonotonicTime) -> Bool
  /// Returns whether the client has taken nothing for too long.
  func isStalled(at now: MonotonicTime) -> Bool
  /// Ends the answer, after the client left or was disconnected.
  func close()
}

/// Connections with a writer that bypasses the library.
extension HTTPServer {
  /// Hands the connection to `user`; returns false if the connection is over.
  func hand(_ connection: HTTPConnection, to user: any HTTPSocketUser, _ response: HTTPResponse)
    -> Bool
  {
    guard let exchange = connection.exchange, let sockets else { return false }
    exchange.user = user
    // The library still has the socket, so that it can handle a failure.
    guard sockets.add(connection.socket, as: exchange.request.id),
      user.begin(connection.socket, head: head(of: response), at: now), !connection.isCut
    else { return false }
    // The library reads no more from the socket, and the viewer's further bytes stay in the kernel.
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

  /// Disconnects a client whose answer bypasses the library.
  func end(_ id: UInt64) {
    guard let connection = exchanges[id]?.connection, !connection.isCut else { return }
    connection.cut()
    resume(connection)
  }

  private func head(of response: HTTPResponse) -> [UInt8] {
    // HTTP/1.0, where the body ends with the connection, for viewers that do not support chunks.
    var text = "HTTP/1.0 \(response.status) OK\r\nDate: \(httpDate())\r\nConnection: close\r\n"
    for (name, value) in HTTPResponse.everywhere + response.headers {
      text += "\(name): \(value)\r\n"
    }
    return Array((text + "\r\n").utf8)
  }
}
