import Glibc
import Platform

/// A picture for viewers that is lent for one call, in the camera's own memory and repaired.
///
/// The loan must not be used after the call.
public struct PreviewLoan {
  /// The number of the frame.
  public let id: FrameID
  /// The time at which the frame was taken.
  public let timestamp: MonotonicTime
  /// The picture's bytes in their order, for `writev(2)`.
  public let parts: UnsafeBufferPointer<iovec>
  private let makeCopy: () -> PreviewFrame?

  init(
    id: FrameID, timestamp: MonotonicTime, parts: UnsafeBufferPointer<iovec>,
    copy: @escaping () -> PreviewFrame?
  ) {
    self.id = id
    self.timestamp = timestamp
    self.parts = parts
    makeCopy = copy
  }

  /// Returns a copy that outlives the call and is shared by all viewers of the frame, or nil if
  /// none can be made.
  public func copy() -> PreviewFrame? { makeCopy() }
}
