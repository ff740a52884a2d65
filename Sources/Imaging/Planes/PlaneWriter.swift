import CJPEG
import Platform

/// An affine map from the source's columns and rows to a plane's memory.
struct PlaneWriter {
  var start: UnsafeMutablePointer<UInt8>
  var perX: Int
  var perY: Int

  /// Whether the source's columns are the target's rows.
  var isTurned: Bool { perY == 1 || perY == -1 }

  /// Writes a tile's samples to the plane; `to` is the tile's start in the source's axes.
  func place(
    _ tile: UnsafePointer<UInt8>, _ row: Int, _ count: (x: Int, y: Int), to: (x: Int, y: Int)
  ) {
    cjpeg_place(tile, row, count.x, count.y, start + to.x * perX + to.y * perY, perX, perY)
  }

  /// Prefetches the memory that a tile will be written to.
  func expect(_ count: (x: Int, y: Int), to: (x: Int, y: Int)) {
    // If columns run backwards, a tile starts with its last byte.
    let first = start + to.x * perX + to.y * perY
    cjpeg_expect_writing(first, isTurned ? count.x : count.y, isTurned ? perX : perY)
  }
}
