import Glibc
import Platform

/// A picture for viewers, lent for the length of one call: the camera's own bytes, repaired.
///
/// Nothing of it may be used after the call.
public struct PreviewLoan {
  /// The number of the frame.
  public let id: FrameID
  /// When the frame was taken.
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

  /// Returns a copy that stays, which all who ask for one share; nil where none can be made.
  public func copy() -> PreviewFrame? { makeCopy() }
}
