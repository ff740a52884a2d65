import Media
import Platform

/// A source of frames, which the capture loop drives on one thread.
///
/// A device owns its `Frame`s from `open()` to `close()`. Frames that are still in use after that
/// live as long as their holders keep them.
protocol CaptureDevice: AnyObject {
  /// The identity of the camera, which is known once it was opened.
  var identity: CameraIdentity { get }
  /// The descriptor to poll; nil for a source that has only a clock.
  var descriptor: Int32? { get }
  /// The buffers of the open device.
  var frames: [Frame] { get }
  /// Whether the first frames after a start may be old or black.
  var warmsUp: Bool { get }
  /// Whether the device is a node, which may appear or change while the loop waits for it.
  var isNode: Bool { get }
  /// The last component of the requested path, which may be the name of a link.
  var nodeName: String? { get }
  /// Whether buffers must be requeued in the order in which they arrived, so that none may be held.
  var isStrict: Bool { get }
  /// Finds the device, negotiates a mode and starts the stream with all buffers queued.
  func open() throws(CaptureError) -> CameraMode
  /// Stops the stream and closes the device; never fails.
  func close()
  /// Restarts the stream without negotiation.
  func restart() throws(SystemError)
  /// Stops the stream, negotiates again and starts it with new buffers.
  func renegotiate() throws(CaptureError) -> CameraMode
  /// Returns the time of the next frame of a source with a clock; nil for a device.
  func due() -> MonotonicTime?
  /// Dequeues one filled buffer and fills in its frame, except the number, the use and the
  /// inspection.
  func dequeue() -> Dequeued
  /// Gives a buffer back to the driver.
  func requeue(_ frame: Frame) throws(SystemError)
  /// Dequeues the events that `poll` reported as urgent; returns true if the source has changed.
  func takeEvents() -> Bool
  /// Returns whether the input reports that it has no signal.
  func lacksSignal() -> Bool
}

/// The result of an attempt to dequeue a buffer.
enum Dequeued {
  /// A frame that is to be inspected.
  case frame(Frame)
  /// A buffer that the driver itself reports as damaged.
  case damaged(Frame, FrameDamage)
  /// No buffer is ready.
  case nothing
  /// The driver returned an invalid buffer.
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
