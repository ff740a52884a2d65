import Media
import Platform

/// A frame's picture in memory of its own, so that nothing of the camera is held for it.
///
/// It never changes, and is safe from any thread.
public final class FrameCopy: @unchecked Sendable {
  // Unchecked: written in `init` only.

  /// The number of the frame.
  public let id: FrameID
  /// The driver's count.
  public let sequence: UInt32
  /// When the frame was taken.
  public let timestamp: MonotonicTime
  /// Which clock dated it.
  public let timestampSource: TimestampSource
  /// The frame gate's findings about ``image``.
  public let inspection: FrameInspection
  /// The bytes, for as long as the object lives.
  ///
  /// Of a JPEG frame they are the picture, without what the driver had around it, and with its end.
  public let image: FrameImage
  private let memory: FrameMemory

  /// Copies a frame of which the caller holds a use.
  ///
  /// It allocates and copies, so that it is not for the capture thread.
  public init(_ frame: Frame) {
    id = frame.id
    sequence = frame.sequence
    timestamp = frame.timestamp
    timestampSource = frame.timestampSource
    let memory = FrameMemory(heap: FrameCopy.byteCount(of: frame))
    let room = memory.bytes
    var inspection = frame.inspection
    let picture = FrameCopy.picture(of: frame)
    var source = frame.image
    source.bytes = UnsafeRawBufferPointer(rebasing: frame.image.bytes[picture])
    var image = source.copied(into: room)
    if FrameCopy.lacksEnd(frame) {
      let used = image.bytes.count
      (room[used], room[used + 1]) = (0xFF, 0xD9)
      image.bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<(used + 2)])
      inspection.lacksEnd = false
    }
    if frame.image.format.isJPEG {
      inspection.picture = 0..<image.bytes.count
      inspection.tablesOffset = frame.inspection.tablesOffset.map { $0 - picture.lowerBound }
    }
    self.image = image
    self.inspection = inspection
    self.memory = memory
  }

  /// Bytes that a copy of `frame` takes; the caller holds a use of it.
  public static func byteCount(of frame: Frame) -> Int {
    let others = frame.image.byteCount - frame.image.bytes.count
    return picture(of: frame).count + others + (lacksEnd(frame) ? 2 : 0)
  }

  /// Bytes that the copy takes.
  public var byteCount: Int { memory.bytes.count }

  private static func lacksEnd(_ frame: Frame) -> Bool {
    frame.image.format.isJPEG && frame.inspection.lacksEnd
  }

  // What the gate said of a frame lies inside of it; it is held to that all the same.
  private static func picture(of frame: Frame) -> Range<Int> {
    let all = 0..<frame.image.bytes.count
    return frame.image.format.isJPEG ? frame.inspection.picture.clamped(to: all) : all
  }
}
