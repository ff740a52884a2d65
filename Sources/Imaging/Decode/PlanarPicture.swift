import CTurboJPEG
import Media

/// A JPEG decoded to its planes, without colour conversion.
struct PlanarPicture {
  var planes: SamplePlanes
  /// The width and height in luma pixels of the area that shares a chroma sample.
  var unit: PixelSize
  /// The size in luma pixels.
  var size: PixelSize
  /// The decoder's warning, if there was one.
  var warning: String?

  /// Decodes a picture, whose planes lie in `buffer` until its next use.
  ///
  /// With a `box` the picture is decoded in the largest size that fits inside, in eighths of its
  /// own size.
  init(
    decoding picture: UnsafeRawBufferPointer, into buffer: inout ScratchBuffer,
    fitting box: PixelSize? = nil, acceptsWarnings: Bool = false
  ) throws(StillError) {
    let codec = try Codec(.decompress)
    let source = picture.baseAddress?.assumingMemoryBound(to: UInt8.self)
    var width: Int32 = 0
    var height: Int32 = 0
    var sampling: Int32 = -1
    var space: Int32 = -1
    let result = tjDecompressHeader3(
      codec.handle, source, UInt(picture.count), &width, &height, &sampling, &space)
    // The call reports an error for a sampling without a name, although it has read the header.
    let isKnown = Self.units[sampling] != nil && space != Int32(TJCS_RGB.rawValue)
    if !isKnown, width > 0, height > 0,
      [TJCS_RGB, TJCS_YCbCr].contains(where: { Int32($0.rawValue) == space })
    {
      let whole = PixelSize(width: Int(width), height: Int(height))
      size = box.map { Self.size(whole, fitting: $0) } ?? whole
      unit = PixelSize(width: 1, height: 1)
      (planes, warning) = try Self.planes(
        byPixelsOf: picture, size, into: &buffer, acceptsWarnings: acceptsWarnings)
      return
    }
    try codec.check(result, "read")
    guard let unit = Self.units[sampling] else {
      throw StillError(.unsupported, "the picture's colours are stored in a way that is not known")
    }
    size = PixelSize(width: Int(width), height: Int(height))
    if let box { size = Self.size(size, fitting: box) }
    (width, height) = (Int32(size.width), Int32(size.height))
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
    warning = try codec.check(
      tjDecompressToYUVPlanes(
        codec.handle, source, UInt(picture.count), &pointers, width, nil, height,
        Int32(TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS)), "decoded",
      acceptsWarnings: acceptsWarnings)

    let made = zip(pointers, sizes).compactMap { pointer, size in
      pointer.map {
        SamplePlane(start: UnsafePointer($0), step: 1, stride: size.width, size: size)
      }
    }
    guard made.count == count, let planes = SamplePlanes(made) else {
      throw StillError(
        .failed, "there is not enough memory for a picture",
        fix: "stop other programs")
    }
    self.planes = planes
    self.unit = unit
  }

  /// Returns the largest size, in eighths of `size`, that fits into `box`, but at least an eighth.
  static func size(_ size: PixelSize, fitting box: PixelSize) -> PixelSize {
    var scaled = size
    for eighths in (1...8).reversed() {
      scaled = Self.size(size, eighths: eighths)
      if scaled.width <= box.width, scaled.height <= box.height { break }
    }
    return scaled
  }

  /// Returns the size of a picture that is decoded to that many eighths.
  static func size(_ size: PixelSize, eighths: Int) -> PixelSize {
    PixelSize(width: (size.width * eighths + 7) / 8, height: (size.height * eighths + 7) / 8)
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
