import CTurboJPEG
import Platform

/// A JPEG decoded to its planes, without colour conversion.
struct PlanarPicture {
  var planes: (SamplePlane, SamplePlane?, SamplePlane?)
  /// Luma pixels that share a chroma sample.
  var unit: PixelSize

  /// Decodes; the planes lie in `buffer`, until it is used again.
  init(
    decoding picture: UnsafeRawBufferPointer, into buffer: inout ScratchBuffer
  ) throws(StillError) {
    let codec = try Codec(.decompress)
    let source = picture.baseAddress?.assumingMemoryBound(to: UInt8.self)
    var width: Int32 = 0
    var height: Int32 = 0
    var sampling: Int32 = 0
    var space: Int32 = 0
    try codec.check(
      tjDecompressHeader3(
        codec.handle, source, UInt(picture.count), &width, &height, &sampling, &space), "read")
    guard let unit = Self.units[sampling] else {
      throw StillError(.unsupported, "The picture's colours are stored in a way that is not known.")
    }
    let count = sampling == Int32(TJSAMP_GRAY.rawValue) ? 1 : 3
    var sizes: [PixelSize] = []
    var total = 0
    for component in 0..<Int32(count) {
      let size = PixelSize(
        width: Int(tjPlaneWidth(component, width, sampling)),
        height: Int(tjPlaneHeight(component, height, sampling)))
      sizes.append(size)
      total += size.width * size.height
    }
    let memory = buffer.reserve(total)
    var pointers: [UnsafeMutablePointer<UInt8>?] = []
    var offset = 0
    for size in sizes {
      pointers.append(
        memory.baseAddress.map { ($0 + offset).assumingMemoryBound(to: UInt8.self) })
      offset += size.width * size.height
    }
    try codec.check(
      tjDecompressToYUVPlanes(
        codec.handle, source, UInt(picture.count), &pointers, width, nil, height,
        Int32(TJFLAG_ACCURATEDCT)), "decoded")

    let made = zip(pointers, sizes).compactMap { pointer, size in
      pointer.map {
        SamplePlane(start: UnsafePointer($0), step: 1, stride: size.width, size: size)
      }
    }
    guard made.count == count else {
      throw StillError(.failed, "There is not enough memory for a picture; stop other programs.")
    }
    planes = count == 1 ? (made[0], nil, nil) : (made[0], made[1], made[2])
    self.unit = unit
  }

  private static let units: [Int32: PixelSize] = [
    Int32(TJSAMP_444.rawValue): PixelSize(width: 1, height: 1),
    Int32(TJSAMP_422.rawValue): PixelSize(width: 2, height: 1),
    Int32(TJSAMP_420.rawValue): PixelSize(width: 2, height: 2),
    Int32(TJSAMP_GRAY.rawValue): PixelSize(width: 1, height: 1),
    Int32(TJSAMP_440.rawValue): PixelSize(width: 1, height: 2),
    Int32(TJSAMP_411.rawValue): PixelSize(width: 4, height: 1),
  ]
}
