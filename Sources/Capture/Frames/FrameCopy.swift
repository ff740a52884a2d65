import Media
import Platform

/// A copy of a frame's picture in its own memory, which holds no buffer of the camera.
///
/// A copy never changes and may be used from any thread.
public final class FrameCopy: @unchecked Sendable {
  // Unchecked because the properties are written only in `init`.

  /// The number of the frame.
  public let id: FrameID
  /// The driver's sequence number.
  public let sequence: UInt32
  /// The time at which the frame was taken.
  public let timestamp: MonotonicTime
  /// The source of ``timestamp``.
  public let timestampSource: TimestampSource
  /// The frame gate's findings about ``image``.
  public let inspection: FrameInspection
  /// The bytes and format, valid as long as the object lives.
  ///
  /// For a JPEG frame, the bytes are the picture alone, without padding and with its EOI.
  public let image: FrameImage
  private let memory: FrameMemory

  /// Creates a copy of a frame of which the caller holds a use.
  ///
  /// The initializer allocates and copies, so the capture thread must not call it.
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

  /// Returns the number of bytes of a copy of `frame`; the caller holds a use of the frame.
  public static func byteCount(of frame: Frame) -> Int {
    let others = frame.image.byteCount - frame.image.bytes.count
    return picture(of: frame).count + others + (lacksEnd(frame) ? 2 : 0)
  }

  /// The number of bytes of the copy.
  public var byteCount: Int { memory.bytes.count }

  private static func lacksEnd(_ frame: Frame) -> Bool {
    frame.image.format.isJPEG && frame.inspection.lacksEnd
  }

  // The gate's range lies inside the frame's bytes; it is clamped as a precaution.
  private static func picture(of frame: Frame) -> Range<Int> {
    let all = 0..<frame.image.bytes.count
    return frame.image.format.isJPEG ? frame.inspection.picture.clamped(to: all) : all
  }
}
