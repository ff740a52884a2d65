/// A stream of server-sent events to one page; used on the server's loop only.
///
/// Source: the HTML standard, 9.2.
final class EventStream: HTTPStream, @unchecked Sendable {
  // Unchecked: used on the server's loop only.
  let hasNoEnd = true
  /// Whether the whole state must be sent before further events.
  var hasState = true
  private let makeState: () -> [UInt8]
  private let whenClosed: () -> Void
  private var pending: [UInt8] = []
  private var sent = 0
  /// The maximum of pending bytes; a client that reads nothing loses notices beyond it.
  private static let limit = 64 << 10

  init(state: @escaping () -> [UInt8], closed: @escaping () -> Void) {
    makeState = state
    whenClosed = closed
  }

  func add(_ text: [UInt8]) {
    guard pending.count - sent + text.count <= Self.limit else { return }
    pending += text
  }

  func write(into buffer: UnsafeMutableRawBufferPointer) -> HTTPStreamPart {
    // The state goes between events only, and is always the newest.
    if sent == pending.count || sent == 0 {
      if hasState {
        hasState = false
        pending = makeState() + pending[sent...]
        sent = 0
      }
    }
    let count = min(buffer.count, pending.count - sent)
    guard count > 0 else { return .nothing }
    buffer.copyBytes(from: pending[sent..<sent + count])
    sent += count
    if sent == pending.count {
      pending.removeAll(keepingCapacity: pending.count < 16 << 10)
      sent = 0
    }
    return .bytes(count)
  }

  func close() { whenClosed() }
}
