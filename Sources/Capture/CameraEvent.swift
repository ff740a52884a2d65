import Platform

/// An event that a camera reports to its observer, on the capture thread.
public enum CameraEvent: Sendable {
  /// The camera's state changed.
  case state(CameraState)
  /// The camera granted a mode.
  case mode(CameraMode)
  /// A usable frame is in the ring: its number and timestamp.
  case frame(FrameID, MonotonicTime)
}

/// A closure that receives a camera's events on the capture thread; the closure must not block, and
/// must not allocate for frames.
public typealias CameraObserver = @Sendable (CameraEvent) -> Void

/// A closure that receives each usable frame once, in order, on the capture thread, to keep copies
/// of them.
///
/// The frame's bytes are valid during the call. The closure must not block or allocate.
public typealias FrameTap = @Sendable (Frame) -> Void
