import CLinux
import Glibc

/// Reports sockets that became writable or were closed by the client; used on the server's loop
/// only.
///
/// Each change is reported once. Bytes from a client are no change, so that a client cannot wake
/// the server by sending.
final class SocketWatch {
  /// The descriptor that is readable when there are events.
  let number: Int32

  /// Creates a watch without sockets; returns nil if the system refuses it.
  init?() {
    number = clinux_socket_watch()
    guard number >= 0 else { return nil }
  }

  deinit { close(number) }

  /// Watches a socket until it is closed or removed; returns false if that fails.
  func add(_ socket: Int32, as id: UInt64) -> Bool {
    clinux_socket_watch_add(number, socket, id) == 0
  }

  func remove(_ socket: Int32) { _ = clinux_socket_watch_remove(number, socket) }

  /// Returns up to 64 events; further ones make ``number`` readable again.
  func events() -> [clinux_socket_event] {
    [clinux_socket_event](unsafeUninitializedCapacity: 64) { buffer, count in
      count = Int(clinux_socket_watch_take(number, buffer.baseAddress, Int32(buffer.count)))
    }
  }
}
