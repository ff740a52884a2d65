import CVideo4Linux
import Media
import Platform

/// A converter of frames in formats that only libv4lconvert can decode, to planar 4:2:0.
///
/// The converter is for stills and previews, on the thread that makes them; the capture thread
/// never calls it. Only one thread at a time may use a converter. The converter keeps its memory
/// for the next frame.
package final class FrameConverter: @unchecked Sendable {
  // Unchecked because the caller ensures that only one thread at a time uses the converter.
  private let converter: OpaquePointer
  private var packed = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// Creates a converter, or returns nil if there is no memory for it.
  package init?() {
    guard let made = cv4l2_converter() else { return nil }
    converter = made
  }

  deinit {
    v4lconvert_destroy(converter)
    packed.deallocate()
    memory.deallocate()
  }

  /// Returns the frame as YU12, with its size rounded down to even numbers.
  ///
  /// The result's bytes belong to the converter and are valid until the next call. Throws
  /// ``CaptureError/Code/noFrame`` for a frame that is too short or damaged; the caller may try
  /// another frame.
  package func convert(_ image: FrameImage) throws(CaptureError) -> FrameImage {
    // Packed samples of ten bits share five bytes among four pixels, so the width is a multiple of
    // four.
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
    // The library converts red, green and blue with BT.601's weights and limited range.
    return FrameImage(
      bytes: UnsafeRawBufferPointer(rebasing: memory[..<count]), format: .yuv420, size: size,
      bytesPerLine: size.width)
  }

  private static var damaged: CaptureError {
    CaptureError(.noFrame, "the frame is too short or damaged; another frame is needed")
  }

  /// Returns the frame's rows without padding, or nil if some are missing.
  ///
  /// For some formats the library ignores padding. For others it expects padding after the last row
  /// as well, which some drivers omit.
  private func rows(of image: FrameImage, _ size: PixelSize) -> UnsafeRawBufferPointer? {
    guard let row = ConvertibleFormats.rowBytes(image.format, size.width) else {
      // The library reports short frames but reads beyond their end.
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
