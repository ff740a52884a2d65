import CLinux
import Glibc
import Platform
import Synchronization

/// Answers clients of the socket that systemd opened with the message that there is no page.
///
/// Without the answer, the clients would wait for a server that never accepts.
///
/// The refusal lives on the station's loop, and its calls do not block.
final class PageRefusal: Sendable {
  private static let text = "There is no page here; 'sudo retake doctor' tells why.\n"
  private static let answer = Array(
    ("HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\n"
      + "Content-Length: \(text.utf8.count)\r\nConnection: close\r\n\r\n\(text)").utf8)
  /// The maximum number of clients whose requests are awaited before their sockets are closed.
  private static let maxClients = 32

  private let listener: Int32
  private let loop: EventLoop
  private let system: any SystemCalls
  private let watch = Mutex<EventLoop.Token?>(nil)
  private let clients = Atomic<Int>(0)

  /// Creates a refusal that owns a listening socket.
  init(_ listener: Int32, loop: EventLoop, system: any SystemCalls) {
    (self.listener, self.loop, self.system) = (listener, loop, system)
    _ = fcntl(listener, F_SETFL, fcntl(listener, F_GETFL) | O_NONBLOCK)
  }

  /// Answers clients from now on.
  func start() {
    let token = loop.watch(listener) { [weak self] _ in self?.refuse() }
    watch.withLock { $0 = token }
  }

  /// Closes the socket.
  func stop() {
    watch.withLock { $0 }.map(loop.cancel)
    // The loop closes the socket, since it may be handling an event of the socket now.
    loop.submit { [listener, system] in _ = system.close(listener) }
  }

  private func refuse() {
    // Each event accepts few clients, so that the loop's other work is not delayed.
    for _ in 0..<8 {
      let client = clinux_accept(listener)
      guard client >= 0 else { return }
      _ = PageRefusal.answer.withUnsafeBytes {
        send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      _ = shutdown(client, Int32(SHUT_WR))
      guard clients.load(ordering: .relaxed) < PageRefusal.maxClients else {
        _ = system.close(client)
        continue
      }
      clients.add(1, ordering: .relaxed)
      // A close before the request has arrived would reset the client's connection.
      loop.schedule(at: system.monotonicTime() + .milliseconds(500)) { [self] in
        var rest = [UInt8](repeating: 0, count: 4096)
        _ = read(client, &rest, rest.count)
        _ = system.close(client)
        clients.subtract(1, ordering: .relaxed)
      }
    }
  }
}
