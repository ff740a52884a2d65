import CLinux
import Glibc
import Platform
import Synchronization

/// Tells whoever asks at the socket that systemd opened that there is no page, so that they need not
/// wait for an answer that never comes.
///
/// Lives on the station's loop; nothing here blocks.
final class PageRefusal: Sendable {
  private static let text = "There is no page here; 'sudo retake doctor' tells why.\n"
  private static let answer = Array(
    ("HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\n"
      + "Content-Length: \(text.utf8.count)\r\nConnection: close\r\n\r\n\(text)").utf8)
  /// More than that are not waited for.
  private static let maxClients = 32

  private let listener: Int32
  private let loop: EventLoop
  private let system: any SystemCalls
  private let watch = Mutex<EventLoop.Token?>(nil)
  private let clients = Atomic<Int>(0)

  /// Makes one for a listening socket, which belongs to it.
  init(_ listener: Int32, loop: EventLoop, system: any SystemCalls) {
    (self.listener, self.loop, self.system) = (listener, loop, system)
    _ = fcntl(listener, F_SETFL, fcntl(listener, F_GETFL) | O_NONBLOCK)
  }

  /// Answers from now on.
  func start() {
    let token = loop.watch(listener) { [weak self] _ in self?.refuse() }
    watch.withLock { $0 = token }
  }

  /// Closes the socket.
  func stop() {
    watch.withLock { $0 }.map(loop.cancel)
    // On the loop: it may be looking at the socket now.
    loop.submit { [listener, system] in _ = system.close(listener) }
  }

  private func refuse() {
    // A few at a time; the loop has more to do.
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
      // Closed before its question has come, the client would hear of a broken connection.
      loop.schedule(at: system.monotonicTime() + .milliseconds(500)) { [self] in
        var rest = [UInt8](repeating: 0, count: 4096)
        _ = read(client, &rest, rest.count)
        _ = system.close(client)
        clients.subtract(1, ordering: .relaxed)
      }
    }
  }
}
