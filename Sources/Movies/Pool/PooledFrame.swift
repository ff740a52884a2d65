import Imaging
import Media
import Platform

/// What a ``MoviePool`` knows of one frame; its bytes are in the pool.
public struct PooledFrame: Sendable {
  /// The driver's number of it.
  public internal(set) var sequence: UInt32 = 0
  /// When it was taken.
  public internal(set) var timestamp = MonotonicTime(nanoseconds: 0)
  /// How many bytes it has.
  public internal(set) var count = 0
  /// What the gate saw of it, for the bytes as they are here: repaired, without padding.
  public internal(set) var inspection = FrameInspection(
    verdict: .damaged(.empty), picture: 0..<0, size: PixelSize(width: 0, height: 0))
  var offset = 0
  private var format = PixelFormat(rawValue: 0)
  private var size = PixelSize(width: 0, height: 0)
  private var bytesPerLine = 0
  private var range = SampleRange.limited
  private var encoding = ColorEncoding.bt601
  /// Bytes of the first plane, and of further ones with their bytes per line.
  private var first = 0
  private var second = (count: 0, bytesPerLine: 0)
  private var third = (count: 0, bytesPerLine: 0)

  init() {}

  /// How many bytes a frame takes here.
  static func bytes(_ image: FrameImage, _ inspection: FrameInspection) -> Int {
    if image.format.isJPEG { return inspection.repairedCount }
    return image.bytes.count + (image.planes.map { $0.0.count + $0.2.count } ?? 0)
  }

  /// Copies it; false if it does not fit.
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
    room.copyMemory(from: image.bytes)
    guard let planes = image.planes else { return true }
    second = (planes.0.count, planes.1)
    third = (planes.2.count, planes.3)
    UnsafeMutableRawBufferPointer(rebasing: room[first...]).copyMemory(from: planes.0)
    UnsafeMutableRawBufferPointer(rebasing: room[(first + second.count)...])
      .copyMemory(from: planes.2)
    return true
  }

  /// Its bytes as the picture that they are.
  func image(_ bytes: UnsafeRawBufferPointer) -> FrameImage {
    var image = FrameImage(
      bytes: UnsafeRawBufferPointer(rebasing: bytes[..<first]), format: format, size: size,
      bytesPerLine: bytesPerLine)
    image.range = range
    image.encoding = encoding
    if second.count > 0 {
      image.planes = (
        UnsafeRawBufferPointer(rebasing: bytes[first..<first + second.count]),
        second.bytesPerLine, UnsafeRawBufferPointer(rebasing: bytes[(first + second.count)...]),
        third.bytesPerLine
      )
    }
    return image
  }
}
