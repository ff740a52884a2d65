import CTurboJPEG
import Platform

/// The planes of a picture of a few thousand pixels, to be encoded as a thumbnail.
struct SmallPicture {
  /// What the thumbnail may take, so that an EXIF segment holds it with all the rest.
  static let maximumBytes = 48 * 1024

  /// How many times smaller than a still of `size` its thumbnail is.
  static func divisor(_ size: PixelSize) -> Int { max(size.width, size.height) > 2560 ? 16 : 8 }

  /// The size of that thumbnail.
  static func size(_ size: PixelSize) -> PixelSize {
    let divisor = divisor(size)
    return PixelSize(
      width: (size.width + divisor - 1) / divisor, height: (size.height + divisor - 1) / divisor)
  }

  private let size: PixelSize
  private let sampling: TJSAMP
  private var planes: [[UInt8]] = []
  private var rows: [Int32] = []

  init(_ size: PixelSize, sampling: TJSAMP) {
    self.size = size
    self.sampling = sampling
    let number = Int32(sampling.rawValue)
    for component in 0..<Int32(sampling == TJSAMP_GRAY ? 1 : 3) {
      let width = max(1, tjPlaneWidth(component, Int32(size.width), number))
      let height = max(1, tjPlaneHeight(component, Int32(size.height), number))
      planes.append([UInt8](repeating: 128, count: Int(width) * Int(height)))
      rows.append(width)
    }
  }

  /// Sets every sample of a plane.
  mutating func fill(_ component: Int, _ value: (_ x: Int, _ y: Int) -> Int) {
    let row = Int(rows[component])
    planes[component].withUnsafeMutableBufferPointer { plane in
      for y in 0..<plane.count / row {
        for x in 0..<row { plane[y * row + x] = UInt8(clamping: value(x, y)) }
      }
    }
  }

  /// The picture as JPEG, in no more than ``maximumBytes``; nil if that cannot be.
  func encode() -> [UInt8]? {
    for quality in [80, 50, 20] as [Int32] {
      guard let codec = try? Codec(.compress) else { return nil }
      var output = CodecBuffer()
      // One block, so that the pointers of all planes are valid together.
      let joined = planes.flatMap { $0 }
      let result = joined.withUnsafeBufferPointer { joined in
        var offset = 0
        var pointers: [UnsafePointer<UInt8>?] = []
        for plane in planes {
          pointers.append(joined.baseAddress.map { $0 + offset })
          offset += plane.count
        }
        return output.fill { start, count in
          tjCompressFromYUVPlanes(
            codec.handle, &pointers, Int32(size.width), rows, Int32(size.height),
            Int32(sampling.rawValue), start, count, quality, 0)
        }
      }
      guard result == 0 else { return nil }
      if output.count <= UInt(Self.maximumBytes) {
        return Array(UnsafeBufferPointer(start: output.start, count: Int(output.count)))
      }
    }
    return nil
  }
}
