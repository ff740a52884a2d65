import Media

/// The header of an imported picture, which is read before any decoder runs or memory is allocated.
struct PictureHeader: Equatable {
  /// The kinds that can be opened.
  enum Kind: Equatable {
    /// A JPEG with one scan, which decoders read row by row.
    case baseline
    /// A progressive JPEG or one with several scans, for which decoders hold all coefficients.
    case progressive(scans: Int)
    case png
  }

  var kind: Kind
  /// The size of the stored picture.
  var size: PixelSize
  /// The number of samples of all components for one pixel, times four.
  var quarterSamples: Int
  /// The width and height of the area that shares a chroma sample of a JPEG; nil for other
  /// samplings.
  var unit: PixelSize?
  /// Whether the picture is grey.
  var isGrey: Bool
  var orientation: ExifOrientation
  /// The range of the picture in the bytes and its repair, by the gate's rules.
  var repair: FrameInspection

  /// The size of the picture as it is shown, turned as EXIF says.
  ///
  /// The boxes of edits are in these pixels.
  var uprightSize: PixelSize {
    StillGeometry(orientation.orientation, frame: size).isTurned ? size.turned : size
  }

  /// The number of bytes that a decoder needs for the coefficients of one pixel, times four.
  var quarterCoefficients: Int { quarterSamples * 2 }
}

extension PictureHeader {
  /// Calls `body` with the complete picture, without bytes that follow it and with a missing end
  /// added.
  ///
  /// The bytes are copied only if the end is missing.
  func withPicture<Result>(
    of bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(StillError) -> Result
  ) throws(StillError) -> Result {
    guard repair.lacksEnd else { return try body(bytes.part(repair.picture)) }
    var whole = [UInt8](repeating: 0, count: repair.repairedCount)
    let count = whole.withUnsafeMutableBytes { repair.copyRepaired(bytes, into: $0) }
    whole.removeLast(whole.count - count)
    return try whole.withBytes(body)
  }
}

extension PictureHeader {
  /// Reads the header of a JPEG or PNG, whose kind is recognised by the bytes.
  init(_ bytes: UnsafeRawBufferPointer) throws(StillError) {
    if bytes.starts(with: Self.pngSignature) {
      self = try Self.png(bytes)
    } else if bytes.count > 3, bytes[0] == 0xFF, bytes[1] == 0xD8, bytes[2] == 0xFF {
      self = try Self.jpeg(bytes)
    } else {
      throw StillError(
        .unsupported, "this is not a JPEG or PNG picture",
        fix: "choose another file")
    }
    guard size.width > 0, size.height > 0 else {
      throw StillError(
        .unsupported, "the picture has no pixels",
        fix: "choose another file")
    }
    // The limit is the largest side of a JPEG; a PNG can state larger sides.
    guard size.width <= Self.longestSide, size.height <= Self.longestSide else {
      throw StillError(
        .unsupported,
        "the picture (\(size)) has a side of more than \(Self.longestSide) pixels",
        fix: "choose a smaller one")
    }
  }

  private static let longestSide = 65500
  private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private static func broken(_ kind: String) -> StillError {
    StillError(
      .unsupported, "the \(kind) file is damaged or cut short",
      fix: "choose another file")
  }

  private static func jpeg(_ bytes: UnsafeRawBufferPointer) throws(StillError) -> PictureHeader {
    var markers = JPEGMarkers(bytes, at: 2)
    var frame: (code: UInt8, size: PixelSize, components: UnsafeRawBufferPointer)?
    var orientation: ExifOrientation?
    var scans = 0
    var end: Int?
    walk: while true {
      guard case .marker(let marker) = markers.next() else {
        if scans > 0 { break }
        throw broken("JPEG")
      }
      switch marker.code {
      case 0xC0, 0xC1, 0xC2:
        let body = bytes.part(marker.body)
        guard frame == nil, body.count >= 6, let size = markers.size(of: marker) else {
          throw broken("JPEG")
        }
        guard body[0] == 8, body[5] == 1 || body[5] == 3, body.count == 6 + 3 * Int(body[5]) else {
          throw StillError(
            .unsupported, "this kind of JPEG (12 bits or CMYK) cannot be shown",
            fix: "save it as sRGB")
        }
        frame = (marker.code, size, body)
      case 0xC3, 0xC5...0xC7, 0xC9...0xCF:
        throw StillError(
          .unsupported, "this kind of JPEG (lossless or arithmetic) cannot be shown",
          fix: "save it again")
      case 0xE1:
        if orientation == nil, let tiff = markers.exif(marker) {
          orientation = TIFFReader(tiff)?.orientation ?? .upright
        }
      case 0xDA:
        guard frame != nil else { throw broken("JPEG") }
        scans += 1
        guard markers.passScan() else { break walk }
      case 0xD9:
        end = markers.position
        break walk
      default:
        // Every other marker has a segment.
        if JPEGMarkers.hasLength(marker.code) { continue }
        if scans > 0 { break walk }
        throw broken("JPEG")
      }
    }
    guard let frame, scans > 0 else { throw broken("JPEG") }
    let isWhole = frame.code != 0xC2 && scans == 1
    guard let repair = repair(bytes, end, frame.size, isCounted: isWhole) else {
      throw broken("JPEG")
    }
    return PictureHeader(
      kind: isWhole ? .baseline : .progressive(scans: scans), size: frame.size,
      quarterSamples: try quarterSamples(frame.components), unit: unit(frame.components),
      isGrey: frame.components[5] == 1, orientation: orientation ?? .upright, repair: repair)
  }

  /// Returns the picture's range and repair, or nil if the picture is cut.
  ///
  /// The gate can prove that a picture with one scan lacks only its end. For other pictures only
  /// the decoder can tell, so padding after their data is dropped and they must decode without a
  /// warning.
  private static func repair(
    _ bytes: UnsafeRawBufferPointer, _ end: Int?, _ size: PixelSize, isCounted: Bool
  ) -> FrameInspection? {
    if let end { return FrameInspection(verdict: .clean, picture: 0..<end, size: size) }
    if isCounted {
      let inspection = JPEGGate.inspect(bytes, countsPlainEnds: true)
      let isIt = inspection.picture.lowerBound == 0 && inspection.size == size
      return isIt && inspection.isUsable ? inspection : nil
    }
    var last = bytes.count
    while last > 0, bytes[last - 1] == 0 { last -= 1 }
    if last > 0, bytes[last - 1] == 0xFF { last -= 1 }
    return FrameInspection(verdict: .repairable, picture: 0..<last, lacksEnd: true, size: size)
  }

  private static func quarterSamples(_ body: UnsafeRawBufferPointer) throws(StillError) -> Int {
    var most = (1, 1)
    var sum = 0
    for index in 0..<Int(body[5]) {
      let across = Int(body[7 + 3 * index] >> 4)
      let down = Int(body[7 + 3 * index] & 15)
      guard (1...4).contains(across), (1...4).contains(down) else { throw broken("JPEG") }
      most = (max(most.0, across), max(most.1, down))
      sum += across * down
    }
    return body[5] == 1 ? 4 : (4 * sum + most.0 * most.1 - 1) / (most.0 * most.1)
  }

  private static func unit(_ body: UnsafeRawBufferPointer) -> PixelSize? {
    guard body[5] == 3 else { return PixelSize(width: 1, height: 1) }
    let (luma, blue, red) = (body[7], body[10], body[13])
    guard blue == red, blue >> 4 > 0, blue & 15 > 0, luma >> 4 % (blue >> 4) == 0,
      (luma & 15) % (blue & 15) == 0
    else { return nil }
    let unit = PixelSize(
      width: Int((luma >> 4) / (blue >> 4)), height: Int((luma & 15) / (blue & 15)))
    return unit.width == 3 || unit.height == 3 ? nil : unit
  }

  private static func png(_ bytes: UnsafeRawBufferPointer) throws(StillError) -> PictureHeader {
    func long(_ at: Int) -> Int? {
      guard let high = bytes.bigEndian16(at: at), let low = bytes.bigEndian16(at: at + 2) else {
        return nil
      }
      return high << 16 | low
    }
    guard long(8) == 13, long(12) == 0x4948_4452, let width = long(16), let height = long(20) else {
      throw broken("PNG")
    }
    var orientation = ExifOrientation.upright
    var position = 8
    // Only malicious files have more chunks than this.
    for _ in 0..<100_000 {
      guard let length = long(position), let kind = long(position + 4),
        position + 12 + length <= bytes.count
      else { throw broken("PNG") }
      if kind == 0x6558_4966 {
        let tiff = bytes.part(position + 8..<position + 8 + length)
        orientation = TIFFReader(tiff)?.orientation ?? .upright
      }
      if kind == 0x4945_4E44 {
        return PictureHeader(
          kind: .png, size: PixelSize(width: width, height: height), quarterSamples: 12,
          unit: nil, isGrey: false, orientation: orientation,
          repair: FrameInspection(
            verdict: .clean, picture: 0..<bytes.count,
            size: PixelSize(width: width, height: height)))
      }
      position += 12 + length
    }
    throw broken("PNG")
  }
}
