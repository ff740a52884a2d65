import CTurboJPEG
import Media

/// The planes of a picture of a few thousand pixels, 4:2:0 or grey, which is encoded as a
/// thumbnail.
struct SmallPicture {
  /// The maximum number of bytes of a thumbnail, so that it fits into an EXIF segment with the
  /// other entries.
  static let maximumBytes = 48 * 1024
  /// The maximum longer side in pixels, which is common for EXIF thumbnails.
  static let maximumSide = 160

  /// Returns the divisor from a still of `size` to its thumbnail, a multiple of 8.
  static func divisor(_ size: PixelSize) -> Int {
    let longer = max(size.width, size.height)
    return max(1, (longer + 8 * maximumSide - 1) / (8 * maximumSide)) * 8
  }

  /// Returns the size of the thumbnail of a still of `size`.
  static func size(_ size: PixelSize) -> PixelSize { self.size(size, divisor: divisor(size)) }

  /// Returns the size of a picture that is `divisor` times smaller.
  static func size(_ size: PixelSize, divisor: Int) -> PixelSize {
    PixelSize(
      width: (size.width + divisor - 1) / divisor, height: (size.height + divisor - 1) / divisor)
  }

  /// The starts of the planes.
  let starts: [UnsafeMutablePointer<UInt8>]
  /// The sizes of the planes, whose rows follow each other without a gap.
  let sizes: [PixelSize]
  private let size: PixelSize
  private let isGrey: Bool

  /// Lays out the planes in `buffer`; returns nil if there is no memory.
  init?(_ size: PixelSize, isGrey: Bool, in buffer: inout ScratchBuffer) {
    self.size = size
    self.isGrey = isGrey
    let half = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    // The encoder needs pairs of luma rows and columns.
    let whole = isGrey ? size : PixelSize(width: half.width * 2, height: half.height * 2)
    sizes = isGrey ? [whole] : [whole, half, half]
    let bytes = buffer.reserve(sizes.reduce(0) { $0 + $1.width * $1.height })
    guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
    var offset = 0
    var starts: [UnsafeMutablePointer<UInt8>] = []
    for size in sizes {
      starts.append(base + offset)
      offset += size.width * size.height
    }
    self.starts = starts
  }

  /// Returns the picture as JPEG in at most ``maximumBytes``, or nil if that is impossible.
  func encode() -> [UInt8]? {
    let sampling = Int32((isGrey ? TJSAMP_GRAY : TJSAMP_420).rawValue)
    let rows = sizes.map { Int32($0.width) }
    for quality in [75, 40, 10] as [Int32] {
      guard let codec = try? Codec(.compress) else { return nil }
      var output = CodecBuffer()
      var pointers = starts.map { Optional(UnsafePointer($0)) }
      let result = output.fill { start, count in
        tjCompressFromYUVPlanes(
          codec.handle, &pointers, Int32(size.width), rows, Int32(size.height), sampling, start,
          count, quality, 0)
      }
      guard result == 0 else { return nil }
      if output.count <= UInt(Self.maximumBytes) {
        return Array(UnsafeBufferPointer(start: output.start, count: Int(output.count)))
      }
    }
    return nil
  }
}
