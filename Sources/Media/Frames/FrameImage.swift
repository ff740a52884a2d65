/// A view of one frame's bytes and their format.
///
/// The view does not own the bytes; the code that creates it must keep them valid while it is used.
///
/// Planes follow each other in one block, as single-planar V4L2 has them, unless there is a
/// ``second`` plane (`V4L2_PIX_FMT_NV12M` and its kin).
public struct FrameImage: @unchecked Sendable {
  /// The bytes in use (`bytesused`), of the first plane for multi-planar formats.
  public var bytes: UnsafeRawBufferPointer
  /// The pixel format of the bytes.
  public var format: PixelFormat
  /// The size in pixels; for JPEG the negotiated size.
  public var size: PixelSize
  /// The number of bytes from a row of the first plane to the next; 0 for JPEG.
  public var bytesPerLine: Int
  /// The second plane of multi-planar formats.
  public var second: Plane?
  /// The third plane of multi-planar formats that have three.
  public var third: Plane?
  /// The range that the samples of a raw picture use; ignored for JPEG.
  public var range = SampleRange.limited
  /// The weights that converted red, green and blue to luma and chroma; ignored for JPEG.
  public var encoding = ColorEncoding.bt601

  /// Creates a view.
  public init(
    bytes: UnsafeRawBufferPointer, format: PixelFormat, size: PixelSize, bytesPerLine: Int
  ) {
    self.bytes = bytes
    self.format = format
    self.size = size
    self.bytesPerLine = bytesPerLine
  }
}

extension FrameImage {
  /// The number of bytes in all planes.
  public var byteCount: Int {
    bytes.count + (second?.bytes.count ?? 0) + (third?.bytes.count ?? 0)
  }

  /// Copies all planes into `room`, one after the other and cut where it is full, and returns a
  /// view of the copy.
  @discardableResult
  public func copied(into room: UnsafeMutableRawBufferPointer) -> FrameImage {
    var copy = self
    var used = 0
    copy.bytes = Self.place(bytes, in: room, &used)
    if let second { copy.second?.bytes = Self.place(second.bytes, in: room, &used) }
    if let third { copy.third?.bytes = Self.place(third.bytes, in: room, &used) }
    return copy
  }

  private static func place(
    _ source: UnsafeRawBufferPointer, in room: UnsafeMutableRawBufferPointer, _ used: inout Int
  ) -> UnsafeRawBufferPointer {
    let rest = UnsafeMutableRawBufferPointer(rebasing: room[used...])
    let part = UnsafeRawBufferPointer(rebasing: source.prefix(rest.count))
    rest.copyMemory(from: part)
    used += part.count
    return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(rest)[..<part.count])
  }
}

/// A further plane of a raw picture, in memory of its own.
public struct Plane: @unchecked Sendable {
  /// The bytes in use.
  public var bytes: UnsafeRawBufferPointer
  /// The number of bytes from a row to the next.
  public var bytesPerLine: Int

  /// Creates a view; the caller keeps the bytes valid.
  public init(_ bytes: UnsafeRawBufferPointer, bytesPerLine: Int) {
    self.bytes = bytes
    self.bytesPerLine = bytesPerLine
  }
}

/// The range that luma and chroma samples use (`enum v4l2_quantization`).
public enum SampleRange: Sendable {
  /// 16...235 for luma and 16...240 for chroma, V4L2's default for YUV.
  case limited
  /// 0...255, as in JPEG.
  case full
}

/// The weights that convert red, green and blue to luma and chroma (`enum v4l2_ycbcr_encoding`).
public enum ColorEncoding: Sendable {
  /// ITU-R BT.601, as in JPEG and in most webcams.
  case bt601
  /// ITU-R BT.709, as in most HDMI sources.
  case bt709
  /// ITU-R BT.2020.
  case bt2020
}
