import CJPEG
import Platform

/// Where a plane's samples go: an affine map from the source's columns and rows.
struct PlaneWriter {
  var start: UnsafeMutablePointer<UInt8>
  var perX: Int
  var perY: Int

  /// Puts a tile's samples to their places; `to` is where in the source's axes it starts.
  func place(
    _ tile: UnsafePointer<UInt8>, _ row: Int, _ count: (x: Int, y: Int), to: (x: Int, y: Int)
  ) {
    cjpeg_place(tile, row, count.x, count.y, start + to.x * perX + to.y * perY, perX, perY)
  }
}
