import CJPEG
import Media

/// A part of a JPEG that is decoded strip by strip, so that its memory does not depend on the size
/// of the whole picture.
struct PictureStrips: ~Copyable {
  /// The number of luma rows of a strip, a multiple of all units and of tiles.
  static let rows = 256

  /// The part in the picture's pixels, which begins with whole chroma samples.
  let area: PixelRect
  private let region: OpaquePointer
  private let unit: PixelSize
  private let isGrey: Bool

  private init(_ region: OpaquePointer, _ area: PixelRect, _ unit: PixelSize, isGrey: Bool) {
    self.region = region
    self.area = area
    self.unit = unit
    self.isGrey = isGrey
  }

  /// Begins to decode `part` of a picture, enlarged to whole chroma samples; returns nil for
  /// samplings and colours whose planes are not available.
  ///
  /// The bytes of `picture` must stay valid as long as the object lives. Throws `failed` if the
  /// coefficients need more than `memory` bytes, or if the picture cannot be decoded.
  static func begin(
    _ picture: UnsafeRawBufferPointer, _ header: PictureHeader, _ part: PixelRect, memory: Int
  ) throws(StillError) -> PictureStrips? {
    guard let unit = header.unit else { return nil }
    guard let region = cjpeg_region_new() else {
      throw StillError(
        .failed, "there is not enough memory for a picture",
        fix: "stop other programs")
    }
    let (left, top) = (part.x - part.x % unit.width, part.y - part.y % unit.height)
    let (right, bottom) = (part.x + part.size.width, part.y + part.size.height)
    let area = PixelRect(
      x: left, y: top,
      width: min(header.size.width, (right + unit.width - 1) / unit.width * unit.width) - left,
      height: min(header.size.height, (bottom + unit.height - 1) / unit.height * unit.height) - top)
    let strips = PictureStrips(region, area, unit, isGrey: header.isGrey)
    let wanted = cjpeg_area(
      left: UInt32(left), top: UInt32(top), width: UInt32(area.size.width),
      height: UInt32(area.size.height))
    let result = cjpeg_region_open(
      region, picture.baseAddress?.assumingMemoryBound(to: UInt8.self), picture.count, wanted,
      memory)
    if result > 0 { return nil }
    guard result == 0 else { throw strips.failure }
    return strips
  }

  deinit { cjpeg_region_free(region) }

  private var message: String { String(cString: cjpeg_region_message(region)) }

  private var failure: StillError {
    StillError(
      .failed, "the picture cannot be decoded",
      fix: "choose another one", cause: message)
  }

  /// Decodes the strip whose first row is `top` in the area, and the rows of one more chroma
  /// sample.
  ///
  /// The planes lie in `buffer` until its next use. The result includes the decoder's warning.
  /// Strips must be read in order.
  borrowing func read(
    _ top: Int, into buffer: inout ScratchBuffer
  ) throws(StillError) -> (
    planes: SamplePlanes, warning: String?
  ) {
    let height = min(Self.rows + unit.height, area.size.height - top)
    let luma = PixelSize(width: area.size.width, height: height)
    let chroma = PixelSize(
      width: (luma.width + unit.width - 1) / unit.width,
      height: (height + unit.height - 1) / unit.height)
    let sizes = isGrey ? [luma] : [luma, chroma, chroma]
    let memory = buffer.reserve(sizes.reduce(0) { $0 + $1.width * $1.height })
    guard let base = memory.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      throw StillError(
        .failed, "there is not enough memory for a picture",
        fix: "stop other programs")
    }
    var made: [SamplePlane] = []
    var starts: [UnsafeMutablePointer<UInt8>?] = []
    var offset = 0
    for size in sizes {
      starts.append(base + offset)
      made.append(SamplePlane(start: base + offset, step: 1, stride: size.width, size: size))
      offset += size.width * size.height
    }
    while starts.count < 3 { starts.append(nil) }
    let strides = sizes.map(\.width) + (isGrey ? [0, 0] : [])
    let result = cjpeg_region_read(region, UInt32(top), UInt32(height), starts, strides)
    guard result >= 0 else { throw failure }
    guard let planes = SamplePlanes(made) else { throw failure }
    return (planes, result > 0 ? message : nil)
  }
}
