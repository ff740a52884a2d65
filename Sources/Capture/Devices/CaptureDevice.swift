import Media
import Platform

/// A source of frames as the capture loop drives it, on one thread.
///
/// A device owns its `Frame`s from `open()` to `close()`; those still in use then live on with
/// whoever holds them.
protocol CaptureDevice: AnyObject {
  /// Which camera it is, once it was opened.
  var identity: CameraIdentity { get }
  /// What to poll; nil for a source that has only a clock.
  var descriptor: Int32? { get }
  /// Its buffers while it is open.
  var frames: [Frame] { get }
  /// Whether its first frames may be old or black.
  var warmsUp: Bool { get }
  /// Whether it is a device node, which may appear and change while it is waited for.
  var isNode: Bool { get }
  /// The last part of the name by which the node was asked for, which may be that of a link.
  var nodeName: String? { get }
  /// Whether buffers must go back in the order in which they came, so that none may be kept.
  var isStrict: Bool { get }
  /// Finds it, negotiates and starts it with all buffers queued.
  func open() throws(CaptureError) -> CameraMode
  /// Stops and forgets it; never fails.
  func close()
  /// Stops and starts the stream without negotiation.
  func restart() throws(SystemError)
  /// Stops, negotiates again and starts, with new buffers.
  func renegotiate() throws(CaptureError) -> CameraMode
  /// When a source with a clock has its next frame.
  func due() -> MonotonicTime?
  /// Takes one filled buffer and fills in its frame, but for the number, use and inspection.
  func dequeue() -> Dequeued
  /// Gives a buffer back.
  func requeue(_ frame: Frame) throws(SystemError)
  /// Takes what `poll` reported as urgent; true if the source has changed.
  func takeEvents() -> Bool
  /// Whether its input says that nothing is connected.
  func lacksSignal() -> Bool
}

/// What a look for a filled buffer gave.
enum Dequeued {
  /// A frame, to be inspected.
  case frame(Frame)
  /// A buffer that the driver itself calls bad.
  case damaged(Frame, FrameDamage)
  /// None is ready.
  case nothing
  /// Something that is no buffer of ours.
  case invalid
  /// The call failed.
  case failed(SystemError)
}

extension CaptureDevice {
  var descriptor: Int32? { nil }
  var warmsUp: Bool { false }
  var isStrict: Bool { false }
  var isNode: Bool { false }
  var nodeName: String? { nil }
  func restart() throws(SystemError) {}
  func renegotiate() throws(CaptureError) -> CameraMode {
    close()
    return try open()
  }
  func due() -> MonotonicTime? { nil }
  func takeEvents() -> Bool { false }
  func lacksSignal() -> Bool { false }
}
