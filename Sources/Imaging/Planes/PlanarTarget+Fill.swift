import CJPEG
import Media

/// The arrangement of a source's bytes, for a pass that reads each byte once.
private enum Arrangement {
  /// Luma and chroma alternate from a start, with flags that tell whether luma and Cb come first.
  case packed(UnsafePointer<UInt8>, stride: Int, lumaFirst: Bool, blueFirst: Bool)
  /// Chroma comes in pairs, with a flag that tells whether Cb comes first.
  case semiPlanar(UnsafePointer<UInt8>, stride: Int, blueFirst: Bool)
  case planar
  case grey

  init(_ source: SamplePlanes) {
    guard let blue = source.blue, let red = source.red else {
      self = .grey
      return
    }
    let blueFirst = blue.start < red.start
    let chroma = blueFirst ? blue.start : red.start
    if source.luma.step == 2 {
      let lumaFirst = source.luma.start < chroma
      self = .packed(
        lumaFirst ? source.luma.start : chroma, stride: source.luma.stride, lumaFirst: lumaFirst,
        blueFirst: blueFirst)
    } else if blue.step == 2 {
      self = .semiPlanar(chroma, stride: blue.stride, blueFirst: blueFirst)
    } else {
      self = .planar
    }
  }
}

/// A part of the frame in cached memory, with separated samples of full range.
private struct Tile {
  /// The number of columns and of rows of luma.
  static let side = 64
  static let bytes = 4 * side * side

  let luma: UnsafeMutablePointer<UInt8>
  let blue: UnsafeMutablePointer<UInt8>
  let red: UnsafeMutablePointer<UInt8>
  /// Room for two rows of chroma that is to be split or averaged.
  let spare: UnsafeMutablePointer<UInt8>

  init(_ memory: UnsafeMutablePointer<UInt8>) {
    luma = memory
    blue = memory + Self.side * Self.side
    red = blue + Self.side * Self.side
    spare = red + Self.side * Self.side
  }
}

extension PlanarTarget {
  /// Fills all planes in one pass over the source, tile by tile.
  ///
  /// Each byte of the source is read once, many at a time, because every read from an uncached
  /// buffer is slow. Samples with other `weights` than JPEG's are converted in the same pass.
  ///
  /// With `strip` the source has only some rows. The geometry's crop then begins in the source's
  /// first row, and only the rows in `strip` of the crop are filled.
  func fill(
    from source: SamplePlanes, unit sourceUnit: PixelSize,
    geometry: StillGeometry, range: SampleRange, weights: ColorEncoding = .bt601,
    strip: Range<Int>? = nil
  ) {
    guard starts.count == planeSizes.count else { return }
    let crop = geometry.crop
    let strip = (strip ?? 0..<crop.size.height).clamped(to: 0..<crop.size.height)
    // The still's chroma unit in the frame's axes.
    let step = geometry.isTurned ? unit.turned : unit
    let chromaSize = PixelSize(
      width: (crop.size.width + step.width - 1) / step.width,
      height: (crop.size.height + step.height - 1) / step.height)
    let pass = Pass(
      source: source, arrangement: Arrangement(source), unit: sourceUnit, step: step,
      isLimited: range == .limited, matrix: ColourMatrix(weights), crop: crop,
      chromaSize: chromaSize,
      lumaWriter: writer(0, crop.size, geometry),
      blueWriter: starts.count > 1 ? writer(1, chromaSize, geometry) : nil,
      redWriter: starts.count > 2 ? writer(2, chromaSize, geometry) : nil)
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Tile.bytes) { memory in
      guard let base = memory.baseAddress else { return }
      let tile = Tile(base)
      // The tiles are in the order of the still's rows, so that neighbouring memory is written
      // together.
      let (across, down) = (0..<crop.size.width, strip)
      let (outside, inside) = geometry.isTurned ? (across, down) : (down, across)
      for outer in stride(from: outside.lowerBound, to: outside.upperBound, by: Tile.side) {
        for inner in stride(from: inside.lowerBound, to: inside.upperBound, by: Tile.side) {
          let (x, y) = geometry.isTurned ? (outer, inner) : (inner, outer)
          pass.run(x, y, tile)
        }
      }
    }
    guard strip.upperBound == crop.size.height else { return }
    let chromaFilled = geometry.isTurned ? chromaSize.turned : chromaSize
    for index in starts.indices { extend(index, index == 0 ? size : chromaFilled) }
  }
}

/// The values that all tiles of a picture share.
private struct Pass {
  let source: SamplePlanes
  let arrangement: Arrangement
  let unit: PixelSize
  let step: PixelSize
  let isLimited: Bool
  /// The matrix from the source's weights to JPEG's; nil if the source has JPEG's weights.
  let matrix: ColourMatrix?
  let crop: PixelRect
  let chromaSize: PixelSize
  let lumaWriter: PlaneWriter
  let blueWriter: PlaneWriter?
  let redWriter: PlaneWriter?

  /// Processes the tile whose first luma pixel is (x, y) of the crop.
  func run(_ x: Int, _ y: Int, _ tile: Tile) {
    let width = min(Tile.side, crop.size.width - x)
    let height = min(Tile.side, crop.size.height - y)
    let columns = (width + step.width - 1) / step.width
    let rows = (height + step.height - 1) / step.height
    expect(x, y)
    if case .packed(let start, let stride, let lumaFirst, let blueFirst) = arrangement {
      split(start + 2 * (crop.x + x), stride, lumaFirst, blueFirst, tile, (width, height), y)
    } else {
      copyLuma(tile, x, y, width, height)
      guard blueWriter != nil else { return place(tile, x, y, (width, height), nil) }
      gatherChroma(tile, x, y, columns, rows)
    }
    if isLimited {
      for row in 0..<height { cjpeg_expand_luma(tile.luma + row * Tile.side, width) }
      for row in 0..<rows {
        cjpeg_expand_chroma(tile.blue + row * Tile.side, columns)
        cjpeg_expand_chroma(tile.red + row * Tile.side, columns)
      }
    }
    matrix?.apply(
      tile.luma, Tile.side, PixelSize(width: width, height: height), tile.blue, tile.red, Tile.side,
      unit: step)
    place(tile, x, y, (width, height), (columns, rows))
  }

  /// Prefetches the next tile and its target memory while this tile is processed.
  private func expect(_ x: Int, _ y: Int) {
    let plane = source.luma
    let (x, y) = lumaWriter.isTurned ? (x, y + Tile.side) : (x + Tile.side, y)
    let luma = (min(Tile.side, crop.size.width - x), min(Tile.side, crop.size.height - y))
    guard luma.0 > 0, luma.1 > 0 else { return }
    cjpeg_expect(
      plane.start + (crop.y + y) * plane.stride + (crop.x + x) * plane.step, luma.1, plane.stride,
      Tile.side * plane.step)
    lumaWriter.expect(luma, to: (x, y))
    let at = (x / step.width, y / step.height)
    let chroma = (luma.0 / step.width, luma.1 / step.height)
    blueWriter?.expect(chroma, to: at)
    redWriter?.expect(chroma, to: at)
  }

  private func place(
    _ tile: Tile, _ x: Int, _ y: Int, _ luma: (Int, Int), _ chroma: (Int, Int)?
  ) {
    if chroma == nil, isLimited {
      for row in 0..<luma.1 { cjpeg_expand_luma(tile.luma + row * Tile.side, luma.0) }
    }
    lumaWriter.place(tile.luma, Tile.side, luma, to: (x, y))
    guard let chroma else { return }
    let at = (x / step.width, y / step.height)
    blueWriter?.place(tile.blue, Tile.side, chroma, to: at)
    redWriter?.place(tile.red, Tile.side, chroma, to: at)
  }

  private func copyLuma(_ tile: Tile, _ x: Int, _ y: Int, _ width: Int, _ height: Int) {
    let plane = source.luma
    let from = plane.start + (crop.y + y) * plane.stride + crop.x + x
    for row in 0..<height {
      (tile.luma + row * Tile.side).update(from: from + row * plane.stride, count: width)
    }
  }

  /// Splits packed 4:2:2 into luma and chroma, row by row.
  private func split(
    _ start: UnsafePointer<UInt8>, _ stride: Int, _ lumaFirst: Bool, _ blueFirst: Bool,
    _ tile: Tile, _ size: (width: Int, height: Int), _ y: Int
  ) {
    let pairs = (size.width + 1) / 2
    let (mixed, first) = (tile.spare, blueFirst ? tile.blue : tile.red)
    let second = blueFirst ? tile.red : tile.blue
    let lastRow = source.luma.size.height - 1
    let isHalved = step.height == 2
    for row in 0..<size.height {
      let from = start + min(crop.y + y + row, lastRow) * stride
      let luma = tile.luma + row * Tile.side
      cjpeg_split(from, 2 * pairs, lumaFirst ? luma : mixed, lumaFirst ? mixed : luma)
      let isSecond = isHalved && row % 2 == 1
      let target = (isHalved ? row / 2 : row) * Tile.side
      guard isSecond else {
        cjpeg_split(mixed, pairs, first + target, second + target)
        continue
      }
      let (other, another) = (mixed + 2 * Tile.side, mixed + 3 * Tile.side)
      cjpeg_split(mixed, pairs, other, another)
      cjpeg_average(first + target, other, pairs)
      cjpeg_average(second + target, another, pairs)
    }
  }

  /// Copies chroma from planes or from pairs, and averages it if the still has fewer samples.
  private func gatherChroma(_ tile: Tile, _ x: Int, _ y: Int, _ columns: Int, _ rows: Int) {
    guard let blue = source.blue, let red = source.red else { return }
    guard step.width == unit.width, step.height == unit.height || step.height == 2 * unit.height
    else {
      gather(blue, x, y, columns, rows, to: tile.blue)
      gather(red, x, y, columns, rows, to: tile.red)
      return
    }
    let parts = step.height / unit.height
    // Units are 1, 2 or 4; a crop may start inside one.
    let column = (crop.x + x) >> unit.width.trailingZeroBitCount
    let firstRow = (crop.y + y) >> unit.height.trailingZeroBitCount
    let lastRow = blue.size.height - 1
    for row in 0..<rows * parts {
      let line = min(firstRow + row, lastRow)
      let target = row / parts * Tile.side
      var (first, second) = (tile.blue + target, tile.red + target)
      if row % parts == 1 {
        (first, second) = (tile.spare + 2 * Tile.side, tile.spare + 3 * Tile.side)
      }
      if case .semiPlanar(let start, let stride, let blueFirst) = arrangement {
        cjpeg_split(
          start + line * stride + 2 * column, columns, blueFirst ? first : second,
          blueFirst ? second : first)
      } else {
        first.update(from: blue.start + line * blue.stride + column, count: columns)
        second.update(from: red.start + line * red.stride + column, count: columns)
      }
      guard row % parts == 1 else { continue }
      cjpeg_average(tile.blue + target, first, columns)
      cjpeg_average(tile.red + target, second, columns)
    }
  }

  /// Copies chroma at the rare ratios, as the mean of two samples on a diagonal.
  private func gather(
    _ plane: SamplePlane, _ x: Int, _ y: Int, _ columns: Int, _ rows: Int,
    to target: UnsafeMutablePointer<UInt8>
  ) {
    let across = max(1, step.width / unit.width) - 1
    let down = max(1, step.height / unit.height) - 1
    let (lastColumn, lastRow) = (plane.size.width - 1, plane.size.height - 1)
    for row in 0..<rows {
      let first = min((crop.y + y + row * step.height) / unit.height, lastRow)
      let top = plane.start + first * plane.stride
      let bottom = plane.start + min(first + down, lastRow) * plane.stride
      for index in 0..<columns {
        let left = min((crop.x + x + index * step.width) / unit.width, lastColumn)
        let right = min(left + across, lastColumn)
        let sum = Int(top[left * plane.step]) + Int(bottom[right * plane.step]) + 1
        target[row * Tile.side + index] = UInt8(truncatingIfNeeded: sum >> 1)
      }
    }
  }
}
