import CTurboJPEG
import Media

extension PlanarPicture {
  /// Decodes a frame that passed the gate.
  ///
  /// A frame that the decoder refuses counts as damaged, so that the caller tries another frame.
  init(
    frame picture: UnsafeRawBufferPointer, into buffer: inout ScratchBuffer,
    fitting box: PixelSize? = nil, acceptsWarnings: Bool
  ) throws(StillError) {
    do throws(StillError) {
      self = try PlanarPicture(
        decoding: picture, into: &buffer, fitting: box, acceptsWarnings: acceptsWarnings)
    } catch {
      guard error.code == .failed else { throw error }
      throw StillError(
        .damaged(.brokenHeader), "the frame cannot be decoded",
        fix: "another frame is needed",
        cause: error.cause)
    }
  }

  /// Decodes a picture by way of red, green and blue, for samplings whose planes are not supported:
  /// 4:1:0, 4:4:1, mixed sampling, and red, green and blue themselves.
  ///
  /// `size` must be a size that TurboJPEG can scale the picture to. The planes are 4:4:4.
  static func planes(
    byPixelsOf picture: UnsafeRawBufferPointer, _ size: PixelSize, into buffer: inout ScratchBuffer,
    acceptsWarnings: Bool
  ) throws(StillError) -> (SamplePlanes, warning: String?) {
    let samples = size.width * size.height
    let memory = buffer.reserve(6 * samples)
    guard let base = memory.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      throw StillError(
        .failed, "there is not enough memory for a picture",
        fix: "stop other programs")
    }
    let (width, height) = (Int32(size.width), Int32(size.height))
    let pixels = base + 3 * samples
    let source = picture.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let decoder = try Codec(.decompress)
    let warning = try decoder.check(
      tjDecompress2(
        decoder.handle, source, UInt(picture.count), pixels, width, 0, height,
        Int32(TJPF_RGB.rawValue), Int32(TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS)), "decoded",
      acceptsWarnings: acceptsWarnings)
    let encoder = try Codec(.compress)
    var starts = [0, 1, 2].map { Optional(base + $0 * samples) }
    try encoder.check(
      tjEncodeYUVPlanes(
        encoder.handle, pixels, width, 0, height, Int32(TJPF_RGB.rawValue), &starts, nil,
        Int32(TJSAMP_444.rawValue), 0), "decoded")
    func plane(_ index: Int) -> SamplePlane {
      SamplePlane(
        start: UnsafePointer(base + index * samples), step: 1, stride: size.width, size: size)
    }
    return (SamplePlanes(plane(0), blue: plane(1), red: plane(2)), warning)
  }
}
