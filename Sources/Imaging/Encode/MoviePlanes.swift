import Media

/// The 4:2:0 planes of one picture of a movie, in memory that an encoder lends.
package struct MoviePlanes: @unchecked Sendable {
  /// The luma plane.
  package var luma: UnsafeMutablePointer<UInt8>
  /// The Cb plane.
  package var blue: UnsafeMutablePointer<UInt8>
  /// The Cr plane.
  package var red: UnsafeMutablePointer<UInt8>
  /// The number of bytes from a row to the next, of each plane.
  package var strides: (Int, Int, Int)

  /// Calls `body` with planes for a picture of `size`, rounded up to even numbers.
  ///
  /// The memory is valid during the call.
  package static func withPlanes<Result>(
    _ size: PixelSize, _ body: (MoviePlanes) -> Result?
  ) -> Result? {
    let half = PixelSize(width: (max(size.width, 1) + 1) / 2, height: (max(size.height, 1) + 1) / 2)
    let chroma = half.width * half.height
    return withUnsafeTemporaryAllocation(byteCount: 6 * chroma, alignment: 64) { memory in
      guard let luma = memory.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
      let blue = luma + 4 * chroma
      return body(
        MoviePlanes(
          luma: luma, blue: blue, red: blue + chroma,
          strides: (2 * half.width, half.width, half.width)))
    }
  }

  /// Creates a description of planes that the caller owns.
  package init(
    luma: UnsafeMutablePointer<UInt8>, blue: UnsafeMutablePointer<UInt8>,
    red: UnsafeMutablePointer<UInt8>, strides: (Int, Int, Int)
  ) {
    self.luma = luma
    self.blue = blue
    self.red = red
    self.strides = strides
  }
}
