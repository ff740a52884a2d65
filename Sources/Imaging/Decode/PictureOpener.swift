import CPNG
import CTurboJPEG
import Media

/// An opener of imported pictures (baseline and progressive JPEG, and PNG), which makes them
/// upright.
///
/// Files are not trusted. The opener computes a picture's cost from its header before it allocates
/// memory, and refuses a picture that is too large with a reason. The result may be smaller than
/// the picture, so it is only for display; ``PictureEditor`` keeps all pixels. Only one thread at a
/// time may use an opener.
public struct PictureOpener: ~Copyable, @unchecked Sendable {
  /// The maximum number of bytes of memory for opening a picture, apart from the file's bytes.
  public var memoryLimit = 64 << 20
  /// The maximum number of pixels to decode, which limits the time; pixels of progressive pictures
  /// count half for every scan.
  public var workLimit = 80_000_000
  private var decoded = ScratchBuffer()
  private var planes = ScratchBuffer()
  private var reduced = ScratchBuffer()

  /// Creates an opener.
  public init() {}

  /// Returns the upright picture as a JPEG that fits into `box`, without enlarging it.
  ///
  /// A JPEG is reduced in eighths, down to an eighth, also to meet the memory limit; a PNG is
  /// divided by whole numbers. The result has no metadata. Throws `unsupported` with the reason for
  /// a picture that cannot be opened or exceeds a limit, and `decoderWarning` for damaged data.
  public mutating func open(
    _ bytes: UnsafeRawBufferPointer, fitting box: PixelSize = PixelSize(width: 4096, height: 4096),
    quality: Int = 90
  ) throws(StillError) -> EncodedPicture {
    let header = try PictureHeader(bytes)
    // If EXIF turns the picture, the box is turned as well.
    let geometry = StillGeometry(header.orientation.orientation, frame: header.size)
    let box = geometry.isTurned ? box.turned : box
    let fitting = try affordable(header, box)

    var source: PlanarPicture
    if header.kind == .png {
      source = try PlanarPicture(png: bytes, header.size, into: &decoded)
      source.shrink(toFit: box, in: &reduced)
    } else {
      source = try header.withPicture(of: bytes) { (picture) throws(StillError) in
        try PlanarPicture(decoding: picture, into: &decoded, fitting: fitting)
      }
    }
    let turned = StillGeometry(header.orientation.orientation, frame: source.size)
    let target = PlanarTarget(
      turned, unit: source.unit, isGrey: source.planes.isGrey, in: &planes)
    target.fill(from: source.planes, unit: source.unit, geometry: turned, range: .full)
    return EncodedPicture(
      try target.encode(quality: max(1, min(100, quality))), size: turned.size)
  }

  /// Returns the largest size within `box` that the limits allow; throws if there is none.
  private func affordable(
    _ header: PictureHeader, _ box: PixelSize
  ) throws(StillError) -> PixelSize {
    let size = header.size
    let tooLarge = StillError(
      .unsupported, "the picture (\(size)) is too large to be opened",
      fix: "make it smaller")
    let pixels = size.width * size.height
    var fixed = 0
    switch header.kind {
    case .baseline:
      guard pixels <= workLimit else { throw tooLarge }
    case .progressive(let scans):
      guard scans <= 500, pixels * scans <= workLimit * 2 else { throw tooLarge }
      fixed = pixels * header.quarterCoefficients / 4
    case .png:
      // A PNG needs RGB, planes and turned planes, because it is decoded as a whole for every box.
      guard pixels * 6 + (1 << 20) <= memoryLimit, pixels <= workLimit else { throw tooLarge }
      return size
    }
    for eighths in (1...8).reversed() {
      let scaled = PixelSize(
        width: (size.width * eighths + 7) / 8, height: (size.height * eighths + 7) / 8)
      guard eighths == 1 || (scaled.width <= box.width && scaled.height <= box.height) else {
        continue
      }
      // The decoded, turned and encoded pictures need about one byte each for every sample.
      let moved = scaled.width * scaled.height * header.quarterSamples / 4 * 3
      if fixed + moved <= memoryLimit { return scaled }
    }
    throw tooLarge
  }
}

extension PlanarPicture {
  /// Divides the picture by the smallest whole number that makes it fit; its planes then lie in
  /// `buffer`.
  fileprivate mutating func shrink(toFit box: PixelSize, in buffer: inout ScratchBuffer) {
    let across = (size.width + box.width - 1) / max(1, box.width)
    let down = (size.height + box.height - 1) / max(1, box.height)
    let divisor = max(across, down)
    guard divisor > 1 else { return }
    let small = PixelSize(
      width: max(1, size.width / divisor), height: max(1, size.height / divisor))
    let target = PlanarTarget(preview: small, isGrey: planes.isGrey, in: &buffer)
    target.fill(from: planes, unit: unit, dividedBy: divisor, range: .full)
    guard let made = SamplePlanes(target.samples) else { return }
    planes = made
    size = small
  }

  /// Decodes a PNG, and keeps `part` of it; transparent parts become white.
  init(
    png bytes: UnsafeRawBufferPointer, _ size: PixelSize, part: PixelRect? = nil,
    into buffer: inout ScratchBuffer
  ) throws(StillError) {
    let part = part ?? PixelRect(x: 0, y: 0, width: size.width, height: size.height)
    var image = png_image()
    image.version = UInt32(PNG_IMAGE_VERSION)
    func failed(_ image: png_image) -> StillError {
      let message = withUnsafeBytes(of: image.message) { text in
        String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
      }
      return StillError(
        .unsupported, "the PNG file is damaged",
        fix: "choose another file", cause: message)
    }
    defer { png_image_free(&image) }
    guard png_image_begin_read_from_memory(&image, bytes.baseAddress, bytes.count) != 0 else {
      throw failed(image)
    }
    guard Int(image.width) == size.width, Int(image.height) == size.height else {
      throw failed(image)
    }
    image.format = UInt32(PNG_FORMAT_FLAG_COLOR)
    let row = size.width * 3
    let pixels = row * size.height
    let number = Int32(TJSAMP_420.rawValue)
    var sizes: [PixelSize] = []
    for component in 0..<Int32(3) {
      sizes.append(
        PixelSize(
          width: Int(tjPlaneWidth(component, Int32(part.size.width), number)),
          height: Int(tjPlaneHeight(component, Int32(part.size.height), number))))
    }
    let memory = buffer.reserve(sizes.reduce(pixels) { $0 + $1.width * $1.height })
    guard let base = memory.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      throw StillError(
        .failed, "there is not enough memory for a picture",
        fix: "stop other programs")
    }
    var background = png_color(red: 255, green: 255, blue: 255)
    guard png_image_finish_read(&image, &background, base, Int32(row), nil) != 0 else {
      throw failed(image)
    }
    var starts: [UnsafeMutablePointer<UInt8>] = []
    var offset = pixels
    for plane in sizes {
      starts.append(base + offset)
      offset += plane.width * plane.height
    }
    let codec = try Codec(.compress)
    var pointers: [UnsafeMutablePointer<UInt8>?] = starts
    try codec.check(
      tjEncodeYUVPlanes(
        codec.handle, base + part.y * row + part.x * 3, Int32(part.size.width), Int32(row),
        Int32(part.size.height), Int32(TJPF_RGB.rawValue), &pointers, nil, number, 0), "converted")
    let made = zip(starts, sizes).map { start, size in
      SamplePlane(start: start, step: 1, stride: size.width, size: size)
    }
    planes = SamplePlanes(made[0], blue: made[1], red: made[2])
    unit = PixelSize(width: 2, height: 2)
    self.size = part.size
  }
}
