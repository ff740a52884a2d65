import CLinux
import Glibc

/// Writes to one client's socket without blocking; used on the server's loop only.
///
/// A write is one system call for all its parts. If the socket takes less than all of it, the
/// writer keeps the rest, which must be sent before any other write.
struct SocketWriter {
  /// The outcome of a write.
  enum Outcome: Equatable {
    /// The socket took all of it.
    case whole
    /// The socket took the beginning; the rest is kept.
    case short
    /// The socket took nothing, and nothing is kept.
    case full
    /// The connection is over, or the rest could not be kept.
    case broken
  }

  private struct Rest {
    var head: [UInt8]
    var bytes: (any KioskBytes)?
    var tail: [UInt8]
    var sent: Int
  }

  let socket: Int32
  private var rest: Rest?

  init(socket: Int32) {
    self.socket = socket
    clinux_send_at_once(socket)
  }

  /// Whether a short write has an unsent rest.
  var hasRest: Bool { rest != nil }

  /// The number of bytes in the socket's send buffer that the client's kernel has not taken.
  var unsent: Int { Int(clinux_unsent(socket)) }

  /// Writes `head`, `parts` and `tail`; an earlier write must have no rest.
  ///
  /// After a short write, `keep` must return an object that keeps the bytes of `parts` until they
  /// are sent. If it returns nil, the outcome is `broken`.
  mutating func write(
    _ head: [UInt8], _ parts: UnsafeBufferPointer<iovec>, _ tail: [UInt8],
    keep: () -> (any KioskBytes)?
  ) -> Outcome {
    let total = head.count + tail.count + parts.reduce(0) { $0 + $1.iov_len }
    let sent = head.withUnsafeBytes { head in
      tail.withUnsafeBytes { tail in
        withUnsafeTemporaryAllocation(of: iovec.self, capacity: parts.count + 2) { all in
          all.initializeElement(at: 0, to: iovec(head))
          for index in parts.indices { all.initializeElement(at: index + 1, to: parts[index]) }
          all.initializeElement(at: parts.count + 1, to: iovec(tail))
          return clinux_send_parts(socket, all.baseAddress, Int32(all.count))
        }
      }
    }
    guard sent >= 0 else { return SocketWriter.outcome(of: errno) }
    guard sent < total else { return .whole }
    guard let bytes = keep() else { return .broken }
    rest = Rest(head: head, bytes: bytes, tail: tail, sent: sent)
    return .short
  }

  /// Writes bytes of which all must be sent, and keeps their rest.
  mutating func write(_ head: [UInt8]) -> Outcome {
    rest = Rest(head: head, bytes: nil, tail: [], sent: 0)
    return flush()
  }

  /// Sends the kept rest; returns `whole` if there is none.
  mutating func flush() -> Outcome {
    guard var rest else { return .whole }
    let bytes = rest.bytes?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
    let total = rest.head.count + bytes.count + rest.tail.count
    let sent = rest.head.withUnsafeBytes { head in
      rest.tail.withUnsafeBytes { tail in
        withUnsafeTemporaryAllocation(of: iovec.self, capacity: 3) { all in
          var skipped = rest.sent
          var count = 0
          for part in [head, bytes, tail] {
            let start = min(skipped, part.count)
            skipped -= start
            guard start < part.count else { continue }
            all.initializeElement(
              at: count, to: iovec(UnsafeRawBufferPointer(rebasing: part[start...])))
            count += 1
          }
          return clinux_send_parts(socket, all.baseAddress, Int32(count))
        }
      }
    }
    guard sent >= 0 else {
      let outcome = SocketWriter.outcome(of: errno)
      return outcome == .full ? .short : outcome
    }
    rest.sent += sent
    self.rest = rest.sent < total ? rest : nil
    return rest.sent < total ? .short : .whole
  }

  private static func outcome(of error: Int32) -> Outcome {
    [EAGAIN, EWOULDBLOCK, EINTR, ENOBUFS, ENOMEM].contains(error) ? .full : .broken
  }
}

extension iovec {
  fileprivate init(_ bytes: UnsafeRawBufferPointer) {
    self.init(
      iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
  }
}
