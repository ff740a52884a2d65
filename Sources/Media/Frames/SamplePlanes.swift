/// The samples of one colour component in memory.
package struct SamplePlane: @unchecked Sendable {
  /// The first sample.
  package var start: UnsafePointer<UInt8>
  /// The number of bytes from a sample to the next in its row.
  package var step: Int
  /// The number of bytes from a row to the next.
  package var stride: Int
  /// The number of samples in a row and the number of rows.
  package var size: PixelSize

  package init(start: UnsafePointer<UInt8>, step: Int, stride: Int, size: PixelSize) {
    self.start = start
    self.step = step
    self.stride = stride
    self.size = size
  }
}

/// The planes of a picture, with one of luma, and two of chroma unless the picture is grey.
package struct SamplePlanes: Sendable {
  package var luma: SamplePlane
  package var blue: SamplePlane?
  package var red: SamplePlane?

  package init(_ luma: SamplePlane, blue: SamplePlane? = nil, red: SamplePlane? = nil) {
    self.luma = luma
    self.blue = blue
    self.red = red
  }

  /// Creates the planes from luma alone, or from luma, Cb and Cr; returns nil for other numbers of
  /// planes.
  package init?(_ planes: [SamplePlane]) {
    guard planes.count == 1 || planes.count == 3 else { return nil }
    let isGrey = planes.count == 1
    self.init(planes[0], blue: isGrey ? nil : planes[1], red: isGrey ? nil : planes[2])
  }

  package var isGrey: Bool { blue == nil }
}
