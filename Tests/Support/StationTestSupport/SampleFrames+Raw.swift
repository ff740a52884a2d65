import Media

extension SampleFrames {
  /// The samples of a raw picture.
  public struct Samples: Sendable {
    /// The picture's size.
    public var size: PixelSize
    /// Luma, row by row.
    public var luma: [UInt8]
    /// Chroma for each pair of columns, row by row.
    public var blue: [UInt8]
    /// The other chroma component, like `blue`.
    public var red: [UInt8]

    /// Chroma samples in a row.
    public var chromaWidth: Int { (size.width + 1) / 2 }
  }

  /// Returns smooth samples that differ at every position.
  public static func samples(_ size: PixelSize) -> Samples {
    var made = Samples(size: size, luma: [], blue: [], red: [])
    for y in 0..<size.height {
      for x in 0..<size.width {
        made.luma.append(UInt8(clamping: 30 + x * 120 / size.width + y * 60 / size.height))
      }
      for x in 0..<made.chromaWidth {
        made.blue.append(UInt8(clamping: 60 + x * 120 / made.chromaWidth))
        made.red.append(UInt8(clamping: 200 - y * 120 / size.height))
      }
    }
    return made
  }

  /// A packed 4:2:2 frame: `order` says where the first luma, Cb, the second luma and Cr are.
  public static func packed(
    _ samples: Samples, order: [Int] = [0, 1, 2, 3], padding: Int = 0
  ) -> (bytes: [UInt8], bytesPerLine: Int) {
    let row = samples.chromaWidth * 4 + padding
    var bytes = [UInt8](repeating: 0xEE, count: row * samples.size.height)
    for y in 0..<samples.size.height {
      for pair in 0..<samples.chromaWidth {
        let luma = y * samples.size.width + pair * 2
        let isLast = pair * 2 + 1 >= samples.size.width
        let place = y * row + pair * 4
        bytes[place + order[0]] = samples.luma[luma]
        bytes[place + order[1]] = samples.blue[y * samples.chromaWidth + pair]
        bytes[place + order[2]] = samples.luma[isLast ? luma : luma + 1]
        bytes[place + order[3]] = samples.red[y * samples.chromaWidth + pair]
      }
    }
    return (bytes, row)
  }
}
