import CLinux
import Glibc

/// Tells which sockets can be written to again, and which were left; used on the server's loop only.
///
/// Each change is told once. Bytes that a client sends are no change, so that a client that sends
/// wakes nobody.
final class SocketWatch {
  /// Readable when there is something to tell.
  let number: Int32

  /// Makes one without sockets; nil where the system has no room for it.
  init?() {
    number = clinux_socket_watch()
    guard number >= 0 else { return nil }
  }

  deinit { close(number) }

  /// Watches a socket until it is closed or removed; false where that cannot be.
  func add(_ socket: Int32, as id: UInt64) -> Bool {
    clinux_socket_watch_add(number, socket, id) == 0
  }

  func remove(_ socket: Int32) { _ = clinux_socket_watch_remove(number, socket) }

  /// The events so far; further ones make ``number`` readable again.
  func events() -> [clinux_socket_event] {
    [clinux_socket_event](unsafeUninitializedCapacity: 64) { buffer, count in
      count = Int(clinux_socket_watch_take(number, buffer.baseAddress, Int32(buffer.count)))
    }
  }
}
