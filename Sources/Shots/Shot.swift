import Capture
import Imaging
import Platform

/// A still with the facts about the frame that it was made of.
public struct Shot: Sendable {
  /// The upright JPEG with its metadata.
  public let still: Still
  /// The number of the frame.
  public let frame: FrameID
  /// The time at which the frame was taken.
  public let time: MonotonicTime
  /// The time from the wanted moment to the frame; negative if the frame is earlier.
  public let offset: Duration
  /// The faults of the nearer frames that were damaged, in the order in which they were tried.
  public let rejected: [StillError]
  /// The mode that the camera granted.
  public let mode: CameraMode
  /// The metadata that the still holds as EXIF.
  public let metadata: StillMetadata
}
