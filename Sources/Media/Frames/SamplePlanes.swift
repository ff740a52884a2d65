/// The samples of one colour component, wherever they lie.
package struct SamplePlane: @unchecked Sendable {
  /// The first sample.
  package var start: UnsafePointer<UInt8>
  /// Bytes from a sample to the next in its row.
  package var step: Int
  /// Bytes from a row to the next.
  package var stride: Int
  /// Samples in a row, and rows.
  package var size: PixelSize

  package init(start: UnsafePointer<UInt8>, step: Int, stride: Int, size: PixelSize) {
    self.start = start
    self.step = step
    self.stride = stride
    self.size = size
  }
}

/// The planes of a picture: luma, and the two of chroma unless it is grey.
package struct SamplePlanes: Sendable {
  package var luma: SamplePlane
  package var blue: SamplePlane?
  package var red: SamplePlane?

  package init(_ luma: SamplePlane, blue: SamplePlane? = nil, red: SamplePlane? = nil) {
    self.luma = luma
    self.blue = blue
    self.red = red
  }

  /// Takes a plane of luma, or luma, Cb and Cr; nil for other numbers of planes.
  package init?(_ planes: [SamplePlane]) {
    guard planes.count == 1 || planes.count == 3 else { return nil }
    let isGrey = planes.count == 1
    self.init(planes[0], blue: isGrey ? nil : planes[1], red: isGrey ? nil : planes[2])
  }

  package var isGrey: Bool { blue == nil }
}
