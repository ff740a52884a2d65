/// A view of one frame's bytes and what they mean.
///
/// It owns nothing: whoever hands it out says how long the bytes stay.
///
/// Planes follow each other in one block, as single-planar V4L2 has them, unless there is a
/// ``second`` plane (`V4L2_PIX_FMT_NV12M` and its kin).
public struct FrameImage: @unchecked Sendable {
  /// The bytes in use (`bytesused`), of the first plane for multi-planar formats.
  public var bytes: UnsafeRawBufferPointer
  /// What the bytes are.
  public var format: PixelFormat
  /// Size in pixels; for JPEG the negotiated one.
  public var size: PixelSize
  /// Bytes from a row of the first plane to the next; 0 for JPEG.
  public var bytesPerLine: Int
  /// The second plane of multi-planar formats.
  public var second: Plane?
  /// The third plane of multi-planar formats that have three.
  public var third: Plane?
  /// What range the samples of a raw picture use; of no meaning for JPEG.
  public var range = SampleRange.limited
  /// Which weights made luma and chroma of red, green and blue; of no meaning for JPEG.
  public var encoding = ColorEncoding.bt601

  /// Makes a view.
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
  /// Bytes of all planes.
  public var byteCount: Int {
    bytes.count + (second?.bytes.count ?? 0) + (third?.bytes.count ?? 0)
  }

  /// Copies all planes into `room`, one after the other and as far as there is room, and returns the
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
  /// Bytes from a row to the next.
  public var bytesPerLine: Int

  /// Makes a view; the caller keeps the bytes.
  public init(_ bytes: UnsafeRawBufferPointer, bytesPerLine: Int) {
    self.bytes = bytes
    self.bytesPerLine = bytesPerLine
  }
}

/// What range luma and chroma samples use (`enum v4l2_quantization`).
public enum SampleRange: Sendable {
  /// 16...235 and 16...240, what V4L2 means by default for YUV.
  case limited
  /// 0...255, as in JPEG.
  case full
}

/// Which weights made luma and chroma of red, green and blue (`enum v4l2_ycbcr_encoding`).
public enum ColorEncoding: Sendable {
  /// ITU-R BT.601, as in JPEG; what webcams mean.
  case bt601
  /// ITU-R BT.709: most HDMI sources.
  case bt709
  /// ITU-R BT.2020.
  case bt2020
}
