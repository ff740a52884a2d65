import CTurboJPEG
import Media

/// The planes of a still, which are filled with a frame's samples, turned, mirrored and cropped.
struct PlanarTarget {
  let size: PixelSize
  private let sampling: TJSAMP
  /// The width and height in luma pixels of the area of the still that shares a chroma sample.
  let unit: PixelSize
  private let strides: [Int32]
  let starts: [UnsafeMutablePointer<UInt8>]
  let planeSizes: [PixelSize]

  /// Lays out planes for the still of `geometry` in `buffer`, from a source whose chroma samples
  /// cover `unit` each.
  ///
  /// 4:2:2 becomes 4:2:0 when it is turned by a quarter, because some viewers do not support 4:4:0.
  init(
    _ geometry: StillGeometry, unit: PixelSize, isGrey: Bool, in buffer: inout ScratchBuffer
  ) {
    size = geometry.size
    if isGrey {
      (sampling, self.unit) = (TJSAMP_GRAY, PixelSize(width: 1, height: 1))
    } else if unit.width == 1, unit.height == 1 {
      (sampling, self.unit) = (TJSAMP_444, unit)
    } else if unit.height == 1, !geometry.isTurned {
      (sampling, self.unit) = (TJSAMP_422, PixelSize(width: 2, height: 1))
    } else if unit.width == 1, geometry.isTurned {
      (sampling, self.unit) = (TJSAMP_422, PixelSize(width: 2, height: 1))
    } else {
      (sampling, self.unit) = (TJSAMP_420, PixelSize(width: 2, height: 2))
    }
    (planeSizes, strides, starts) = Self.layOut(geometry.size, sampling, in: &buffer)
  }

  /// Lays out 4:2:0 planes for a preview, or one plane for a grey one.
  init(preview size: PixelSize, isGrey: Bool, in buffer: inout ScratchBuffer) {
    self.size = size
    sampling = isGrey ? TJSAMP_GRAY : TJSAMP_420
    unit = isGrey ? PixelSize(width: 1, height: 1) : PixelSize(width: 2, height: 2)
    (planeSizes, strides, starts) = Self.layOut(size, sampling, in: &buffer)
  }

  /// Uses 4:2:0 planes of an even size that the caller owns, or only the first of them for a grey
  /// picture.
  init(movie size: PixelSize, isGrey: Bool, planes: MoviePlanes) {
    self.size = size
    sampling = isGrey ? TJSAMP_GRAY : TJSAMP_420
    unit = isGrey ? PixelSize(width: 1, height: 1) : PixelSize(width: 2, height: 2)
    let half = PixelSize(width: size.width / 2, height: size.height / 2)
    planeSizes = isGrey ? [size] : [size, half, half]
    strides = Array(
      [planes.strides.0, planes.strides.1, planes.strides.2].prefix(planeSizes.count)
    )
    .map(Int32.init)
    starts = Array([planes.luma, planes.blue, planes.red].prefix(planeSizes.count))
  }

  private static func layOut(
    _ size: PixelSize, _ sampling: TJSAMP, in buffer: inout ScratchBuffer
  ) -> ([PixelSize], [Int32], [UnsafeMutablePointer<UInt8>]) {
    let count = sampling == TJSAMP_GRAY ? 1 : 3
    let number = Int32(sampling.rawValue)
    let planeSizes = (0..<Int32(count)).map { component in
      PixelSize(
        width: Int(tjPlaneWidth(component, Int32(size.width), number)),
        height: Int(tjPlaneHeight(component, Int32(size.height), number)))
    }
    let rows = planeSizes.map { ($0.width + 63) / 64 * 64 }
    let memory = buffer.reserve(
      zip(rows, planeSizes).reduce(64) { $0 + $1.0 * $1.1.height })
    var offset = 0
    var starts: [UnsafeMutablePointer<UInt8>] = []
    if let base = memory.baseAddress {
      for (row, plane) in zip(rows, planeSizes) {
        starts.append((base + offset).assumingMemoryBound(to: UInt8.self))
        offset += row * plane.height
      }
    }
    return (planeSizes, rows.map(Int32.init), starts)
  }

  /// Repeats the last column and row to fill whole chroma units, which the encoder reads.
  func extend(_ index: Int, _ filled: PixelSize) {
    let plane = planeSizes[index]
    let start = starts[index]
    let row = Int(strides[index])
    if plane.width > filled.width {
      for y in 0..<filled.height {
        let last = start[y * row + filled.width - 1]
        for x in filled.width..<plane.width { start[y * row + x] = last }
      }
    }
    if plane.height > filled.height {
      for y in filled.height..<plane.height {
        (start + y * row).update(from: start + (filled.height - 1) * row, count: plane.width)
      }
    }
  }

  func writer(
    _ index: Int, _ source: PixelSize, _ geometry: StillGeometry
  ) -> PlaneWriter {
    let (reversesX, reversesY) = StillGeometry.reversals(geometry.turns, geometry.isMirrored)
    let row = Int(strides[index])
    let (perX, perY) = geometry.isTurned ? (row, 1) : (1, row)
    return PlaneWriter(
      start: starts[index] + (reversesX ? (source.width - 1) * perX : 0)
        + (reversesY ? (source.height - 1) * perY : 0),
      perX: reversesX ? -perX : perX, perY: reversesY ? -perY : perY)
  }

  /// The planes as a source of samples, valid as long as the buffer.
  var samples: [SamplePlane] {
    starts.indices.map { index in
      SamplePlane(
        start: UnsafePointer(starts[index]), step: 1, stride: Int(strides[index]),
        size: planeSizes[index])
    }
  }

  /// Encodes the planes.
  func encode(quality: Int) throws(StillError) -> CodecBuffer {
    try encode(quality: quality, rows: 0..<size.height)
  }

  /// Encodes some rows of luma and their chroma, which must start at a whole row of units.
  func encode(quality: Int, rows: Range<Int>) throws(StillError) -> CodecBuffer {
    let codec = try Codec(.compress)
    var output = CodecBuffer(room: size.width * rows.count / 2 + (64 << 10))
    var pointers: [UnsafePointer<UInt8>?] = starts.indices.map { index in
      let row = index == 0 ? rows.lowerBound : rows.lowerBound / unit.height
      return UnsafePointer(starts[index] + row * Int(strides[index]))
    }
    let result = output.fill { start, count in
      tjCompressFromYUVPlanes(
        codec.handle, &pointers, Int32(size.width), strides, Int32(rows.count),
        Int32(sampling.rawValue), start, count, Int32(quality), 0)
    }
    try codec.check(result, "encoded")
    return output
  }
}

extension PlanarTarget {
  /// Fills all planes with the whole frame, `divisor` times smaller, with the mean of two samples
  /// on a diagonal.
  func fill(
    from source: SamplePlanes, unit sourceUnit: PixelSize,
    dividedBy divisor: Int, range: SampleRange, weights: ColorEncoding = .bt601
  ) {
    let sources = [source.luma, source.blue, source.red].compactMap { $0 }
    guard starts.count == planeSizes.count, starts.count == sources.count else { return }
    let apart = divisor / 2
    for index in starts.indices {
      let (from, isLuma) = (sources[index], index == 0)
      let across = isLuma ? divisor : divisor * unit.width
      let down = isLuma ? divisor : divisor * unit.height
      // Units are 1, 2 or 4.
      let columnShift = isLuma ? 0 : sourceUnit.width.trailingZeroBitCount
      let rowShift = isLuma ? 0 : sourceUnit.height.trailingZeroBitCount
      let (lastColumn, lastRow) = (from.size.width - 1, from.size.height - 1)
      let plane = planeSizes[index]
      let (step, row) = (from.step, Int(strides[index]))
      (isLuma ? RangeTable.luma(range) : RangeTable.chroma(range)).withEntries { entries in
        for y in 0..<plane.height {
          let top = from.start + min(y * down >> rowShift, lastRow) * from.stride
          let bottom = from.start + min((y * down + apart) >> rowShift, lastRow) * from.stride
          let write = starts[index] + y * row
          var column = 0
          for x in 0..<plane.width {
            let left = min(column >> columnShift, lastColumn)
            let right = min((column + apart) >> columnShift, lastColumn)
            write[x] = entries[(Int(top[left * step]) + Int(bottom[right * step]) + 1) >> 1]
            column += across
          }
        }
      }
    }
    if let matrix = ColourMatrix(weights), starts.count == 3 {
      matrix.apply(
        starts[0], Int(strides[0]), planeSizes[0], starts[1], starts[2], Int(strides[1]),
        unit: unit)
    }
  }

  /// Returns a small JPEG of the still for an EXIF thumbnail, or with a longer side of at most
  /// `side`; each pixel is the mean of a few of the still's pixels.
  ///
  /// `weights` are the weights of the planes' samples.
  func thumbnail(
    side: Int? = nil, weights: ColorEncoding = .bt601, in buffer: inout ScratchBuffer
  ) -> [UInt8]? {
    guard starts.count == planeSizes.count else { return nil }
    let longer = max(size.width, size.height)
    let divisor = side.map { max(1, (longer + $0 - 1) / $0) } ?? SmallPicture.divisor(size)
    let isGrey = starts.count == 1
    let small = SmallPicture.size(size, divisor: divisor)
    guard let picture = SmallPicture(small, isGrey: isGrey, in: &buffer) else { return nil }
    for index in starts.indices {
      let (from, row) = (starts[index], Int(strides[index]))
      let plane = planeSizes[index]
      // The number of samples of this plane for one of the thumbnail's, which is 4:2:0.
      let across = index == 0 ? divisor : 2 * divisor / unit.width
      let down = index == 0 ? divisor : 2 * divisor / unit.height
      let target = picture.sizes[index]
      for y in 0..<target.height {
        let top = from + min(y * down + 1, plane.height - 1) * row
        let bottom = from + min(y * down + down / 2 + 1, plane.height - 1) * row
        let write = picture.starts[index] + y * target.width
        for x in 0..<target.width {
          let left = min(x * across + 1, plane.width - 1)
          let right = min(left + across / 2, plane.width - 1)
          var sum = Int(top[left]) + Int(top[right])
          sum += Int(bottom[left]) + Int(bottom[right])
          write[x] = UInt8(truncatingIfNeeded: (sum + 2) / 4)
        }
      }
    }
    if let matrix = ColourMatrix(weights), !isGrey {
      matrix.apply(
        picture.starts[0], picture.sizes[0].width, picture.sizes[0], picture.starts[1],
        picture.starts[2], picture.sizes[1].width, unit: PixelSize(width: 2, height: 2))
    }
    return picture.encode()
  }
}
