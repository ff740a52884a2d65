import CJPEG
import Platform

/// Where a plane's samples go: an affine map from the source's columns and rows.
struct PlaneWriter {
  var start: UnsafeMutablePointer<UInt8>
  var perX: Int
  var perY: Int

  /// Whether the source's columns are the target's rows.
  var isTurned: Bool { perY == 1 || perY == -1 }

  /// Puts a tile's samples to their places; `to` is where in the source's axes it starts.
  func place(
    _ tile: UnsafePointer<UInt8>, _ row: Int, _ count: (x: Int, y: Int), to: (x: Int, y: Int)
  ) {
    cjpeg_place(tile, row, count.x, count.y, start + to.x * perX + to.y * perY, perX, perY)
  }

  /// Says where a tile will go, so that the memory is near by then.
  func expect(_ count: (x: Int, y: Int), to: (x: Int, y: Int)) {
    // Where columns run backwards, a tile starts with its last byte.
    let first = start + to.x * perX + to.y * perY
    cjpeg_expect_writing(first, isTurned ? count.x : count.y, isTurned ? perX : perY)
  }
}
