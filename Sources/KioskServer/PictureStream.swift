import Platform

/// A stream of pictures to one viewer, each the newest when the one before was sent.
///
/// Source: RFC 2046, 5.1, as cameras do it (`multipart/x-mixed-replace`).
final class PictureStream: HTTPStream, @unchecked Sendable {
  // Unchecked: used on the server's loop only.
  let isPlain = true
  let hasNoEnd = true
  static let boundary = "retake-frame"
  static let type = "multipart/x-mixed-replace; boundary=\(boundary)"
  /// It has sent all it has, and wants the next one.
  private(set) var isWaiting = true
  private let bodies: BodiesInFlight
  private var frame: (any KioskFrame)?
  private var last: UInt64?
  private var head: [UInt8] = []
  // The next part's line comes at once: a browser shows a picture when that is there.
  private let tail = Array("\r\n--\(boundary)\r\n".utf8)
  private var sent = 0
  private let whenWaiting: (UInt64?) -> Void
  private let whenClosed: () -> Void

  init(
    bodies: BodiesInFlight, waiting: @escaping (UInt64?) -> Void, closed: @escaping () -> Void
  ) {
    self.bodies = bodies
    whenWaiting = waiting
    whenClosed = closed
  }

  /// Takes a picture to be sent; false where it waits for none, or there is no memory for it.
  @discardableResult
  func offer(_ frame: any KioskFrame, at now: MonotonicTime) -> Bool {
    guard isWaiting, frame.number != last, bodies.take(frame) else { return false }
    let age = max(0, (now - frame.timestamp).nanoseconds / 1_000_000)
    let first = last == nil ? "--\(Self.boundary)\r\n" : ""
    head = Array(
      ("\(first)Content-Type: image/jpeg\r\nContent-Length: \(frame.bytes.count)\r\n"
        + "X-Retake-Frame: \(frame.number)\r\nX-Retake-Age-Ms: \(age)\r\n\r\n").utf8)
    self.frame = frame
    last = frame.number
    isWaiting = false
    return true
  }

  func write(into buffer: UnsafeMutableRawBufferPointer) -> HTTPStreamPart {
    if frame == nil { whenWaiting(last) }
    guard let frame else { return .nothing }
    var written = 0
    var start = 0
    func put(_ part: UnsafeRawBufferPointer) {
      let offset = sent + written - start
      if offset >= 0, offset < part.count, written < buffer.count {
        let count = min(buffer.count - written, part.count - offset)
        UnsafeMutableRawBufferPointer(rebasing: buffer[written...]).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: part[offset..<offset + count]))
        written += count
      }
      start += part.count
    }
    head.withUnsafeBytes(put)
    put(frame.bytes)
    tail.withUnsafeBytes(put)
    sent += written
    if sent == start {
      letGo()
      isWaiting = true
      sent = 0
    }
    return .bytes(written)
  }

  func close() {
    letGo()
    whenClosed()
  }

  private func letGo() {
    if let frame { bodies.release(frame) }
    frame = nil
  }
}
