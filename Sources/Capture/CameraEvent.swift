import Platform

/// What a camera tells its observer, on the capture thread.
public enum CameraEvent: Sendable {
  /// It does something else now.
  case state(CameraState)
  /// It granted a mode.
  case mode(CameraMode)
  /// A usable frame is in the ring: its number and timestamp.
  case frame(FrameID, MonotonicTime)
}

/// Receives a camera's events, on the capture thread: it must not block, and for frames must not
/// allocate.
public typealias CameraObserver = @Sendable (CameraEvent) -> Void

/// Sees each usable frame once, in order, on the capture thread, for whoever keeps copies of them.
///
/// The frame's bytes are there during the call. It must not block or allocate.
public typealias FrameTap = @Sendable (Frame) -> Void
