import Imaging
import Media
import Platform

/// The description of one frame in a ``MoviePool``, which holds the bytes.
public struct PooledFrame: Sendable {
  /// The driver's number of the frame.
  public internal(set) var sequence: UInt32 = 0
  /// The time at which the frame was taken.
  public internal(set) var timestamp = MonotonicTime(nanoseconds: 0)
  /// The number of bytes.
  public internal(set) var count = 0
  /// The result of the frame's inspection, adapted to the bytes in the pool: repaired, without
  /// padding.
  public internal(set) var inspection = FrameInspection(
    verdict: .damaged(.empty), picture: 0..<0, size: PixelSize(width: 0, height: 0))
  var offset = 0
  private var format = PixelFormat(rawValue: 0)
  private var size = PixelSize(width: 0, height: 0)
  private var bytesPerLine = 0
  private var range = SampleRange.limited
  private var encoding = ColorEncoding.bt601
  /// The bytes of the first plane, and of further ones with their bytes per line.
  private var first = 0
  private var second: (count: Int, bytesPerLine: Int)?
  private var third: (count: Int, bytesPerLine: Int)?

  init() {}

  /// Returns the number of bytes that a frame takes in the pool.
  static func bytes(_ image: FrameImage, _ inspection: FrameInspection) -> Int {
    if image.format.isJPEG { return inspection.repairedCount }
    return image.byteCount
  }

  /// Copies a frame into `room`; returns false if it does not fit.
  mutating func take(
    _ image: FrameImage, _ inspection: FrameInspection,
    into room: UnsafeMutableRawBufferPointer
  ) -> Bool {
    (format, size, bytesPerLine) = (image.format, image.size, image.bytesPerLine)
    (range, encoding) = (image.range, image.encoding)
    count = room.count
    self.inspection = inspection
    if image.format.isJPEG {
      first = room.count
      self.inspection.picture = 0..<room.count
      self.inspection.tablesOffset = nil
      self.inspection.lacksEnd = false
      self.inspection.verdict = .clean
      return room.count > 0 && inspection.copyRepaired(image.bytes, into: room) == room.count
    }
    first = image.bytes.count
    second = image.second.map { ($0.bytes.count, $0.bytesPerLine) }
    third = image.third.map { ($0.bytes.count, $0.bytesPerLine) }
    return image.copied(into: room).byteCount == image.byteCount
  }

  /// Returns the bytes as a picture.
  func image(_ bytes: UnsafeRawBufferPointer) -> FrameImage {
    var image = FrameImage(
      bytes: UnsafeRawBufferPointer(rebasing: bytes[..<first]), format: format, size: size,
      bytesPerLine: bytesPerLine)
    image.range = range
    image.encoding = encoding
    var used = first
    if let second {
      image.second = Plane(
        bytes.part(used..<used + second.count), bytesPerLine: second.bytesPerLine)
      used += second.count
    }
    if let third {
      image.third = Plane(bytes.part(used..<used + third.count), bytesPerLine: third.bytesPerLine)
    }
    return image
  }
}
