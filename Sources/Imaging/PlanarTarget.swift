import CTurboJPEG
import Platform

/// The planes of a still, filled from a frame's samples already turned, mirrored and cropped.
struct PlanarTarget {
  private let size: PixelSize
  private let sampling: TJSAMP
  /// Luma pixels of the still that share a chroma sample.
  private let unit: PixelSize
  private let strides: [Int32]
  private let starts: [UnsafeMutablePointer<UInt8>]
  private let planeSizes: [PixelSize]

  /// Lays out planes for the still of `geometry` in `buffer`, from a source whose chroma samples
  /// cover `unit` each.
  ///
  /// 4:2:2 turned on its side would be 4:4:0, which some viewers do not know: it becomes 4:2:0.
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

  /// Lays out 4:2:0 planes for a preview, or one for grey.
  init(preview size: PixelSize, isGrey: Bool, in buffer: inout ScratchBuffer) {
    self.size = size
    sampling = isGrey ? TJSAMP_GRAY : TJSAMP_420
    unit = isGrey ? PixelSize(width: 1, height: 1) : PixelSize(width: 2, height: 2)
    (planeSizes, strides, starts) = Self.layOut(size, sampling, in: &buffer)
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

  /// Fills all planes in one pass over the source, tile by tile, so that what lies together is read
  /// together and once.
  func fill(
    from source: (SamplePlane, SamplePlane?, SamplePlane?), unit sourceUnit: PixelSize,
    geometry: StillGeometry, range: SampleRange
  ) {
    guard starts.count == planeSizes.count else { return }
    let crop = geometry.crop
    let luma = RangeTable.luma(range)
    let chroma = RangeTable.chroma(range)
    // The still's chroma unit in the frame's axes.
    let step = geometry.isTurned ? unit.turned : unit
    let lumaWriter = writer(0, crop.size, geometry)
    let chromaSize = PixelSize(
      width: (crop.size.width + step.width - 1) / step.width,
      height: (crop.size.height + step.height - 1) / step.height)
    let columns = 64
    let rows = 32
    for y in stride(from: 0, to: crop.size.height, by: rows) {
      let height = min(rows, crop.size.height - y)
      for x in stride(from: 0, to: crop.size.width, by: columns) {
        let width = min(columns, crop.size.width - x)
        lumaWriter.copy(
          source.0, from: (crop.x + x, crop.y + y), to: (x, y), count: (width, height),
          through: luma)
        guard let blue = source.1, let red = source.2 else { continue }
        let at = (x / step.width, y / step.height)
        let count = (
          (width + step.width - 1) / step.width, (height + step.height - 1) / step.height
        )
        for (index, plane) in [(1, blue), (2, red)] {
          writer(index, chromaSize, geometry).average(
            plane, unit: sourceUnit, step: step, luma: (crop.x + x, crop.y + y), to: at,
            count: count, through: chroma)
        }
      }
    }
    let chromaFilled = geometry.isTurned ? chromaSize.turned : chromaSize
    for index in starts.indices { extend(index, index == 0 ? size : chromaFilled) }
  }

  /// The encoder reads whole chroma units: the last column and row are repeated to fill them.
  private func extend(_ index: Int, _ filled: PixelSize) {
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

  private func writer(
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

  /// Encodes the planes.
  func encode(quality: Int) throws(StillError) -> CodecBuffer {
    let codec = try Codec(.compress)
    var output = CodecBuffer()
    var pointers: [UnsafePointer<UInt8>?] = starts.map { UnsafePointer($0) }
    let result = tjCompressFromYUVPlanes(
      codec.handle, &pointers, Int32(size.width), strides, Int32(size.height),
      Int32(sampling.rawValue), &output.start, &output.count, Int32(quality), 0)
    try codec.check(result, "encoded")
    return output
  }
}

extension PlanarTarget {
  /// Fills all planes with the whole frame, `divisor` times smaller: the mean of two luma samples
  /// on a diagonal, the nearest chroma sample.
  func fill(
    from source: (SamplePlane, SamplePlane?, SamplePlane?), unit sourceUnit: PixelSize,
    dividedBy divisor: Int, range: SampleRange
  ) {
    let sources = [source.0, source.1, source.2].compactMap { $0 }
    guard starts.count == planeSizes.count, starts.count == sources.count else { return }
    let apart = divisor / 2
    for index in starts.indices {
      let (from, write) = (sources[index], starts[index])
      let isLuma = index == 0
      let across = isLuma ? divisor : divisor * unit.width
      let down = isLuma ? divisor : divisor * unit.height
      let part = isLuma ? PixelSize(width: 1, height: 1) : sourceUnit
      let last = PixelSize(width: from.size.width - 1, height: from.size.height - 1)
      (isLuma ? RangeTable.luma(range) : RangeTable.chroma(range)).withEntries { entries in
        for y in 0..<planeSizes[index].height {
          let top = min(y * down / part.height, last.height) * from.stride
          let bottom = min((y * down + apart) / part.height, last.height) * from.stride
          for x in 0..<planeSizes[index].width {
            let left = min(x * across / part.width, last.width) * from.step
            let right = min((x * across + apart) / part.width, last.width) * from.step
            let sum = Int(from.start[top + left]) + Int(from.start[bottom + right])
            write[y * Int(strides[index]) + x] = entries[(sum + 1) / 2]
          }
        }
      }
    }
  }

  /// An eighth of the still, of means of a few pixels each, as a small JPEG for its EXIF.
  func thumbnail() -> [UInt8]? {
    guard starts.count == planeSizes.count else { return nil }
    let small = PixelSize(width: (size.width + 7) / 8, height: (size.height + 7) / 8)
    var picture = SmallPicture(small, sampling: sampling)
    for index in starts.indices {
      let (from, row) = (starts[index], Int(strides[index]))
      let most = PixelSize(
        width: planeSizes[index].width - 1, height: planeSizes[index].height - 1)
      picture.fill(index) { x, y in
        let left = min(x * 8 + 1, most.width)
        let right = min(x * 8 + 5, most.width)
        let top = min(y * 8 + 1, most.height) * row
        let bottom = min(y * 8 + 5, most.height) * row
        return
          (Int(from[top + left]) + Int(from[top + right]) + Int(from[bottom + left])
          + Int(from[bottom + right]) + 2) / 4
      }
    }
    return picture.encode()
  }
}

/// Where a plane's samples go: an affine map from the source's columns and rows.
struct PlaneWriter {
  var start: UnsafeMutablePointer<UInt8>
  var perX: Int
  var perY: Int

  /// Copies a tile.
  @inline(__always)
  func copy(
    _ plane: SamplePlane, from: (x: Int, y: Int), to: (x: Int, y: Int), count: (x: Int, y: Int),
    through table: RangeTable
  ) {
    table.withEntries { entries in
      for y in 0..<count.y {
        var read = plane.start + (from.y + y) * plane.stride + from.x * plane.step
        var write = start + to.x * perX + (to.y + y) * perY
        for _ in 0..<count.x {
          write.pointee = entries[Int(read.pointee)]
          read += plane.step
          write += perX
        }
      }
    }
  }

  /// Copies a tile of chroma; where the still has fewer samples than the frame, their mean.
  ///
  /// `unit` is what a sample covers in the frame, `step` what one covers in the still (in the
  /// frame's axes), `luma` the tile's first luma pixel in the frame.
  @inline(__always)
  func average(
    _ plane: SamplePlane, unit: PixelSize, step: PixelSize, luma: (x: Int, y: Int),
    to: (x: Int, y: Int), count: (x: Int, y: Int), through table: RangeTable
  ) {
    let across = max(1, step.width / unit.width)
    let down = max(1, step.height / unit.height)
    table.withEntries { entries in
      for y in 0..<count.y {
        let firstRow = min((luma.y + y * step.height) / unit.height, plane.size.height - 1)
        let lastRow = min(firstRow + down - 1, plane.size.height - 1)
        var write = start + to.x * perX + (to.y + y) * perY
        for x in 0..<count.x {
          let first = min((luma.x + x * step.width) / unit.width, plane.size.width - 1)
          let last = min(first + across - 1, plane.size.width - 1)
          var sum = Int(plane.start[firstRow * plane.stride + first * plane.step])
          if lastRow != firstRow || last != first {
            // At most two by two: more is not in any format.
            sum += Int(plane.start[lastRow * plane.stride + last * plane.step]) + 1
            sum /= 2
          }
          write.pointee = entries[sum]
          write += perX
        }
      }
    }
  }
}

/// What samples become: 256 entries.
struct RangeTable: Sendable {
  private let entries: [UInt8]

  func withEntries(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    entries.withUnsafeBufferPointer(body)
  }

  private init(_ value: (Int) -> Int) {
    entries = (0..<256).map { UInt8(max(0, min(255, value($0)))) }
  }

  private static let same = RangeTable { $0 }
  // ITU-R BT.601: luma has 219 steps from 16, chroma 224 around 128; JFIF has 255 of both.
  private static let lumaFromLimited = RangeTable { (($0 - 16) * 255 * 2 + 219) / (219 * 2) }
  private static let chromaFromLimited = RangeTable { value in
    let scaled = Double(value - 128) * 255 / 224
    return 128 + Int(scaled.rounded())
  }

  static func luma(_ range: SampleRange) -> RangeTable { range == .full ? same : lumaFromLimited }
  static func chroma(_ range: SampleRange) -> RangeTable {
    range == .full ? same : chromaFromLimited
  }
}
