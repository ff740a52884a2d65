import Platform

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
      var y = 0
      if perY == 1 || perY == -1 {
        // The frame's columns are the still's rows: eight samples become one store.
        while y + 8 <= count.y {
          copyEight(plane, from: (from.x, from.y + y), to: (to.x, to.y + y), count.x, entries)
          y += 8
        }
      }
      while y < count.y {
        var read = plane.start + (from.y + y) * plane.stride + from.x * plane.step
        var write = start + to.x * perX + (to.y + y) * perY
        for _ in 0..<count.x {
          write.pointee = entries[Int(read.pointee)]
          read += plane.step
          write += perX
        }
        y += 1
      }
    }
  }

  /// Copies eight rows to eight columns.
  @inline(__always)
  private func copyEight(
    _ plane: SamplePlane, from: (x: Int, y: Int), to: (x: Int, y: Int), _ count: Int,
    _ entries: UnsafeBufferPointer<UInt8>
  ) {
    // Where columns run backwards, the last row comes first.
    let down = perY > 0 ? plane.stride : -plane.stride
    let firstRow = perY > 0 ? from.y : from.y + 7
    var read = plane.start + firstRow * plane.stride + from.x * plane.step
    var write = start + to.x * perX + (perY > 0 ? to.y : to.y + 7) * perY
    for _ in 0..<count {
      var word = UInt64(entries[Int(read[0])]) | UInt64(entries[Int(read[down])]) << 8
      word |= UInt64(entries[Int(read[2 * down])]) << 16
      word |= UInt64(entries[Int(read[3 * down])]) << 24
      word |= UInt64(entries[Int(read[4 * down])]) << 32
      word |= UInt64(entries[Int(read[5 * down])]) << 40
      word |= UInt64(entries[Int(read[6 * down])]) << 48
      word |= UInt64(entries[Int(read[7 * down])]) << 56
      UnsafeMutableRawPointer(write).storeBytes(of: word.littleEndian, as: UInt64.self)
      read += plane.step
      write += perX
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
    let across = max(1, step.width / unit.width) - 1
    let down = max(1, step.height / unit.height) - 1
    // Units are 1, 2 or 4; a division for every sample would cost more than all the rest.
    let (columnShift, rowShift) = (
      unit.width.trailingZeroBitCount, unit.height.trailingZeroBitCount
    )
    let (lastColumn, lastRow) = (plane.size.width - 1, plane.size.height - 1)
    table.withEntries { entries in
      for y in 0..<count.y {
        let first = min((luma.y + y * step.height) >> rowShift, lastRow)
        let top = plane.start + first * plane.stride
        let bottom = plane.start + min(first + down, lastRow) * plane.stride
        var write = start + to.x * perX + (to.y + y) * perY
        var column = luma.x
        for _ in 0..<count.x {
          let left = min(column >> columnShift, lastColumn)
          let right = min(left + across, lastColumn)
          // The mean along a diagonal; of a single sample, the sample.
          let sum = Int(top[left * plane.step]) + Int(bottom[right * plane.step]) + 1
          write.pointee = entries[sum >> 1]
          column += step.width
          write += perX
        }
      }
    }
  }
}
