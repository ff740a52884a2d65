import CTurboJPEG
import Media

/// A meter of a frame's overall brightness, to detect that a lamp goes on.
///
/// Only one thread at a time may use a meter.
package struct FrameBrightness: ~Copyable {
  private var encoder = PreviewEncoder(maximumWidth: 160, quality: 90)

  /// Creates a meter.
  package init() {}

  /// Returns the mean of the luma, from 0 to 255.
  package mutating func mean(of image: FrameImage) throws(StillError) -> Double {
    if image.format.isJPEG { return try mean(ofJPEG: image.bytes) }
    let encoded = try encoder.encode(image)
    return try encoded.withBytes { bytes throws(StillError) in try mean(ofJPEG: bytes) }
  }

  private func mean(ofJPEG bytes: UnsafeRawBufferPointer) throws(StillError) -> Double {
    let codec = try Codec(.decompress)
    let start = bytes.bindMemory(to: UInt8.self).baseAddress
    var (width, height, sampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
    try codec.check(
      tjDecompressHeader3(
        codec.handle, start, UInt(bytes.count), &width, &height, &sampling, &space), "read")
    guard (1...16384).contains(width), (1...16384).contains(height) else {
      throw StillError(.failed, "the frame has no size that a camera would send")
    }
    // At an eighth of its size the picture has one value per block, which is enough for a mean.
    let (columns, rows) = ((width + 7) / 8, (height + 7) / 8)
    var luma = [UInt8](repeating: 0, count: Int(columns) * Int(rows))
    try codec.check(
      tjDecompress2(
        codec.handle, start, UInt(bytes.count), &luma, columns, columns, rows,
        Int32(TJPF_GRAY.rawValue), 0), "decoded", acceptsWarnings: true)
    return Double(luma.reduce(0) { $0 + Int($1) }) / Double(luma.count)
  }
}
