import CLinux
import Platform

/// A stream of pictures to one viewer, each the newest one when the viewer has taken the one
/// before.
///
/// A picture goes to the socket directly from the camera's buffer. While a viewer has not taken a
/// picture, it gets no other. If the socket takes a part of a picture, the rest is kept in a copy
/// that all such viewers share. Source: RFC 2046, 5.1, as cameras do it
/// (`multipart/x-mixed-replace`).
final class PictureStream: HTTPSocketUser, @unchecked Sendable {
  // Unchecked: used on the server's loop only.
  static let boundary = "retake-frame"
  static let type = "multipart/x-mixed-replace; boundary=\(boundary)"
  // The next part's boundary is sent at once, because a browser shows a picture only after it.
  private static let tail = Array("\r\n--\(boundary)\r\n".utf8)

  /// The outcome of an offer of a picture.
  enum Offer {
    /// The picture was handed to the socket.
    case sent
    /// The viewer has not taken the picture before.
    case dropped
    /// The viewer has the picture already, or still takes one.
    case known
    /// The connection is over.
    case failed
  }

  private let kept: KeptPictures
  private let stallTime: Duration
  private let whenReady: (UInt64?) -> Void
  private let whenClosed: () -> Void
  private var writer: SocketWriter?
  private var last: UInt64?
  /// The number of bytes in the last picture.
  private var lastCount = 0
  /// The time until which the viewer must have taken the last picture.
  private var deadline: MonotonicTime?
  /// The picture of which the socket took a part.
  private var held: (any KioskFrame)?
  /// Whether the last write was short.
  private var isSlow = false
  /// Whether the viewer closed its sending side, so that it may have left.
  private var isSilent = false

  /// Creates a stream that has not begun.
  ///
  /// `ready` is called with the number of the last picture whenever another one is wanted.
  init(
    kept: KeptPictures, stallTime: Duration, ready: @escaping (UInt64?) -> Void,
    closed: @escaping () -> Void
  ) {
    self.kept = kept
    self.stallTime = stallTime
    whenReady = ready
    whenClosed = closed
  }

  /// Whether a picture may be offered.
  var isReady: Bool { writer.map { !$0.hasRest } ?? false }

  /// Returns the lines before a picture, which all viewers share.
  static func head(of picture: KioskPicture, at now: MonotonicTime) -> [UInt8] {
    let age = max(0, (now - picture.timestamp).nanoseconds / 1_000_000)
    return Array(
      ("Content-Type: image/jpeg\r\nContent-Length: \(picture.count)\r\n"
        + "X-Retake-Frame: \(picture.number)\r\nX-Retake-Age-Ms: \(age)\r\n\r\n").utf8)
  }

  /// Sends a picture if the viewer has taken the one before.
  func offer(_ picture: KioskPicture, head: [UInt8], at now: MonotonicTime) -> Offer {
    guard isReady, picture.number != last else { return .known }
    // At most half of the last picture may still be in the kernel, so that pictures do not come
    // late.
    guard let unsent = writer?.unsent, unsent <= lastCount / 2,
      !isSlow || kept.hasRoom(for: picture.number)
    else { return .dropped }
    let outcome = writer?.write(head, picture.parts, Self.tail) {
      guard let frame = picture.keep(), kept.take(frame) else { return nil }
      held = frame
      return frame
    }
    switch outcome {
    case .whole: isSlow = false
    case .short: isSlow = true
    case .full: return .dropped
    case .broken, nil: return .failed
    }
    last = picture.number
    lastCount = picture.count
    deadline = now + stallTime
    return .sent
  }

  // MARK: HTTPSocketUser

  func begin(_ socket: Int32, head: [UInt8], at now: MonotonicTime) -> Bool {
    deadline = now + stallTime
    writer = SocketWriter(socket: socket)
    let outcome = writer?.write(head + Array("--\(Self.boundary)\r\n".utf8))
    if outcome == .whole { whenReady(nil) }
    return outcome != .broken
  }

  func hear(_ event: clinux_socket_event, at now: MonotonicTime) -> Bool {
    if event.is_gone { return false }
    if event.was_left, !isSilent {
      isSilent = true
      deadline = deadline ?? now + stallTime
    }
    guard event.can_write, writer?.hasRest == true else { return true }
    switch writer?.flush() {
    case .whole:
      letGo()
      whenReady(last)
      return true
    case .short, .full: return true
    case .broken, nil: return false
    }
  }

  func isStalled(at now: MonotonicTime) -> Bool {
    guard let deadline, deadline <= now else { return false }
    if let writer, writer.hasRest || writer.unsent > 0 { return true }
    // There is nothing to take, because the camera sends nothing. Only a viewer that may have left
    // is disconnected.
    self.deadline = nil
    return isSilent
  }

  func close() {
    letGo()
    writer = nil
    whenClosed()
  }

  private func letGo() {
    if let held { kept.release(held) }
    held = nil
  }
}

/// The copies of pictures that viewers have taken in part; used on the server's loop only.
final class KeptPictures: @unchecked Sendable {
  // Unchecked: used on the server's loop only.
  /// The maximum number of pictures that are kept for slow viewers, each of which can hold one.
  static let limit = 8
  private let bodies: BodiesInFlight
  private var uses: [UInt64: Int] = [:]

  init(bodies: BodiesInFlight) { self.bodies = bodies }

  /// The number of different pictures that are kept.
  var count: Int { uses.count }

  /// Returns whether a slow viewer may begin with that picture.
  func hasRoom(for number: UInt64) -> Bool { uses.count < Self.limit || uses[number] != nil }

  /// Counts a use of a picture; returns false if there is no memory for it.
  func take(_ frame: any KioskFrame) -> Bool {
    guard bodies.take(frame) else { return false }
    uses[frame.number, default: 0] += 1
    return true
  }

  /// Ends a use of a picture, after the viewer has taken the rest or left.
  func release(_ frame: any KioskFrame) {
    bodies.release(frame)
    guard let count = uses[frame.number] else { return }
    uses[frame.number] = count > 1 ? count - 1 : nil
  }
}
