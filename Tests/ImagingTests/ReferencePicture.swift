import CTurboJPEG
import Media

/// RGB pixels with simple ways to turn them, which stills are compared with.
struct ReferencePicture: Equatable {
  var size: PixelSize
  var pixels: [UInt8]

  init(size: PixelSize, pixels: [UInt8]) {
    self.size = size
    self.pixels = pixels
  }

  /// Decodes, with chroma repeated, not smoothed, so that no pixel depends on its neighbours; nil
  /// where the decoder warns.
  init?(decoding jpeg: [UInt8]) {
    guard let handle = tjInitDecompress() else { return nil }
    defer { tjDestroy(handle) }
    var width: Int32 = 0
    var height: Int32 = 0
    var sampling: Int32 = 0
    var space: Int32 = 0
    // An error of this call may be about the sampling only, which decoding to pixels does not need.
    _ = tjDecompressHeader3(handle, jpeg, UInt(jpeg.count), &width, &height, &sampling, &space)
    guard width > 0, height > 0 else { return nil }
    size = PixelSize(width: Int(width), height: Int(height))
    pixels = [UInt8](repeating: 0, count: size.width * size.height * 3)
    guard
      tjDecompress2(
        handle, jpeg, UInt(jpeg.count), &pixels, width, 0, height, Int32(TJPF_RGB.rawValue),
        Int32(TJFLAG_ACCURATEDCT | TJFLAG_FASTUPSAMPLE)) == 0
    else { return nil }
  }

  subscript(x: Int, y: Int) -> SIMD3<Int> {
    let at = (y * size.width + x) * 3
    return SIMD3(Int(pixels[at]), Int(pixels[at + 1]), Int(pixels[at + 2]))
  }

  private func mapped(_ size: PixelSize, _ source: (Int, Int) -> (Int, Int)) -> ReferencePicture {
    let count = size.width * size.height * 3
    let mapped = [UInt8](unsafeUninitializedCapacity: count) { target, used in
      var place = 0
      pixels.withUnsafeBufferPointer { pixels in
        for y in 0..<size.height {
          for x in 0..<size.width {
            let (sourceX, sourceY) = source(x, y)
            let at = (sourceY * self.size.width + sourceX) * 3
            for sample in 0..<3 { target[place + sample] = pixels[at + sample] }
            place += 3
          }
        }
      }
      used = count
    }
    return ReferencePicture(size: size, pixels: mapped)
  }

  var turnedClockwise: ReferencePicture {
    mapped(size.turned) { x, y in (y, size.height - 1 - x) }
  }

  var mirrored: ReferencePicture { mapped(size) { x, y in (size.width - 1 - x, y) } }

  func cropped(_ box: PixelRect) -> ReferencePicture {
    mapped(box.size) { x, y in (box.x + x, box.y + y) }
  }

  /// The largest and the mean difference of a sample; nil for another size.
  func difference(_ other: ReferencePicture) -> (largest: Int, mean: Double)? {
    guard size == other.size else { return nil }
    var largest = 0
    var sum = 0
    pixels.withUnsafeBufferPointer { mine in
      other.pixels.withUnsafeBufferPointer { theirs in
        for index in 0..<mine.count {
          let difference = abs(Int(mine[index]) - Int(theirs[index]))
          largest = max(largest, difference)
          sum += difference
        }
      }
    }
    return (largest, Double(sum) / Double(max(1, pixels.count)))
  }
}
