import CVideo4Linux
import Media
import Platform

/// Brings frames of formats that only libv4lconvert knows to planar 4:2:0.
///
/// It is for stills and previews, on the thread that makes them; the capture thread never calls
/// it. One at a time. It keeps its memory for the next frame.
public final class FrameConverter: @unchecked Sendable {
  // Unchecked: one at a time is the caller's part.
  private let converter: OpaquePointer
  private var packed = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// Makes a converter; nil when there is no memory for it.
  public init?() {
    guard let made = cv4l2_converter() else { return nil }
    converter = made
  }

  deinit {
    v4lconvert_destroy(converter)
    packed.deallocate()
    memory.deallocate()
  }

  /// The frame as YU12, its size rounded down to even numbers.
  ///
  /// Its bytes are the converter's own, until the next call. Throws ``CaptureError/Code/noFrame``
  /// for a frame that is too short or damaged: another one may do.
  public func convert(_ image: FrameImage) throws(CaptureError) -> FrameImage {
    // Four pixels share five bytes where samples of ten bits are packed.
    let mask = ConvertibleFormats.isPackedTen(image.format) ? 3 : 1
    let size = PixelSize(width: image.size.width & ~mask, height: image.size.height & ~1)
    guard (8...16384).contains(size.width), (8...16384).contains(size.height),
      ConvertibleFormats.contains(image.format)
    else {
      throw CaptureError(
        .noMode,
        "no picture can be made of \(image.size) \(image.format); choose another camera format")
    }
    guard image.bytes.count <= Int32.max, image.bytesPerLine <= 1 << 20,
      let source = rows(of: image, size), let start = source.baseAddress
    else { throw FrameConverter.damaged }
    let count = size.width * size.height * 3 / 2
    FrameConverter.grow(&memory, to: count)
    let line = ConvertibleFormats.rowBytes(image.format, size.width) ?? image.bytesPerLine
    let result = cv4l2_convert(
      converter, image.format.rawValue, UInt32(size.width), UInt32(size.height), UInt32(line),
      start, source.count, memory.baseAddress, memory.count)
    guard result >= count else {
      if result == -Errno.brokenPipe || result >= 0 { throw FrameConverter.damaged }
      throw CaptureError(
        .noMode,
        "no picture can be made of \(image.size) \(image.format); choose another camera format",
        cause: SystemError(errno: 0 - result, call: "v4lconvert_convert"))
    }
    // What the library makes of red, green and blue has BT.601's weights and limited range.
    return FrameImage(
      bytes: UnsafeRawBufferPointer(rebasing: memory[..<count]), format: .yuv420, size: size,
      bytesPerLine: size.width)
  }

  private static var damaged: CaptureError {
    CaptureError(.noFrame, "the frame is too short or damaged; another frame is needed")
  }

  /// The frame's rows one after the other; nil when some are missing.
  ///
  /// The library takes no notice of padding in some formats, and asks for the last row's, which
  /// some drivers leave out, in others.
  private func rows(of image: FrameImage, _ size: PixelSize) -> UnsafeRawBufferPointer? {
    guard let row = ConvertibleFormats.rowBytes(image.format, size.width) else {
      // The library complains of short frames, and reads on.
      let needed = ConvertibleFormats.bytes(image.format, image.size) ?? 1
      return image.bytes.count >= needed ? image.bytes : nil
    }
    let line = max(
      image.bytesPerLine, ConvertibleFormats.rowBytes(image.format, image.size.width) ?? row)
    guard image.bytes.count >= line * (size.height - 1) + row else { return nil }
    if line == row { return image.bytes }
    FrameConverter.grow(&packed, to: row * size.height)
    for y in 0..<size.height {
      let source = UnsafeRawBufferPointer(rebasing: image.bytes[(y * line)..<(y * line + row)])
      UnsafeMutableRawBufferPointer(rebasing: packed[(y * row)..<(y * row + row)])
        .copyMemory(from: source)
    }
    return UnsafeRawBufferPointer(rebasing: packed[..<(row * size.height)])
  }

  private static func grow(_ memory: inout UnsafeMutableRawBufferPointer, to count: Int) {
    guard memory.count < count else { return }
    memory.deallocate()
    memory = .allocate(byteCount: count, alignment: 64)
  }
}
