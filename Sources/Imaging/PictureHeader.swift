import Media

/// What a picture from outside says of itself, read before any decoder or allocation.
struct PictureHeader: Equatable {
  /// The kinds that can be opened.
  enum Kind: Equatable {
    /// A JPEG of one scan, which decoders read row by row.
    case baseline
    /// A progressive JPEG, or one of several scans: decoders hold all coefficients.
    case progressive(scans: Int)
    case png
  }

  var kind: Kind
  /// Its size as it is stored.
  var size: PixelSize
  /// Samples of all components for one pixel, times four.
  var quarterSamples: Int
  /// Pixels that share a chroma sample of a JPEG; nil where it is no number of them.
  var unit: PixelSize?
  /// Whether it has no colours.
  var isGrey: Bool
  var orientation: ExifOrientation
  /// Where the picture lies in the bytes, and how it is repaired: by the gate's rules and its
  /// means.
  var repair: FrameInspection

  /// Its size as it is shown: turned as EXIF says.
  ///
  /// Boxes of edits are in these pixels.
  var uprightSize: PixelSize {
    StillGeometry(orientation.orientation, frame: size).isTurned ? size.turned : size
  }

  /// Bytes that a decoder takes for the coefficients of one pixel, times four.
  var quarterCoefficients: Int { quarterSamples * 2 }
}

extension PictureHeader {
  /// Lends the picture alone, whole: without what follows it, and with the end that it lacks.
  ///
  /// Nothing is copied where nothing is missing.
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
  /// Reads the header of a JPEG or PNG, by what the bytes are, not by any name.
  init(_ bytes: UnsafeRawBufferPointer) throws(StillError) {
    if bytes.starts(with: Self.pngSignature) {
      self = try Self.png(bytes)
    } else if bytes.count > 3, bytes[0] == 0xFF, bytes[1] == 0xD8, bytes[2] == 0xFF {
      self = try Self.jpeg(bytes)
    } else {
      throw StillError(.unsupported, "this is not a JPEG or PNG picture; choose another file")
    }
    guard size.width > 0, size.height > 0 else {
      throw StillError(.unsupported, "the picture has no pixels; choose another file")
    }
    // The most that JPEG holds. Numbers of PNG go further.
    guard size.width <= Self.longestSide, size.height <= Self.longestSide else {
      throw StillError(
        .unsupported,
        "the picture (\(size)) has a side of more than \(Self.longestSide) pixels; choose a "
          + "smaller one")
    }
  }

  private static let longestSide = 65500
  private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private static func broken(_ kind: String) -> StillError {
    StillError(.unsupported, "the \(kind) file is damaged or cut short; choose another file")
  }

  private static func jpeg(_ bytes: UnsafeRawBufferPointer) throws(StillError) -> PictureHeader {
    var position = 2
    var frame: (code: UInt8, size: PixelSize, components: UnsafeRawBufferPointer)?
    var orientation: ExifOrientation?
    var scans = 0
    var end: Int?
    walk: while true {
      guard position + 1 < bytes.count, bytes[position] == 0xFF else {
        if scans > 0 { break }
        throw broken("JPEG")
      }
      let code = bytes[position + 1]
      if code == 0xFF {
        position += 1
        continue
      }
      if code == 0xD9 {
        end = position + 2
        break
      }
      guard code >= 0xC0, !(0xD0...0xD8).contains(code),
        let length = bytes.bigEndian16(at: position + 2), length >= 2,
        position + 2 + length <= bytes.count
      else {
        if scans > 0 { break }
        throw broken("JPEG")
      }
      let body = bytes.part(position + 4..<position + 2 + length)
      switch code {
      case 0xC0, 0xC1, 0xC2:
        guard frame == nil, body.count >= 6 else { throw broken("JPEG") }
        guard body[0] == 8, body[5] == 1 || body[5] == 3, body.count == 6 + 3 * Int(body[5]) else {
          throw StillError(
            .unsupported, "this kind of JPEG (12 bits or CMYK) cannot be shown; save it as sRGB")
        }
        frame = (
          code,
          PixelSize(
            width: body.bigEndian16(at: 3) ?? 0, height: body.bigEndian16(at: 1) ?? 0),
          body
        )
      case 0xC3, 0xC5...0xC7, 0xC9...0xCF:
        throw StillError(
          .unsupported, "this kind of JPEG (lossless or arithmetic) cannot be shown; save it again")
      case 0xE1:
        if orientation == nil, body.starts(with: Array("Exif\0\0".utf8)) {
          orientation = ExifOrientation(tiff: body.part(6..<body.count))
        }
      case 0xDA:
        guard frame != nil else { throw broken("JPEG") }
        scans += 1
        guard let next = endOfScan(bytes, from: position + 2 + length) else { break walk }
        position = next
        continue
      default:
        break
      }
      position += 2 + length
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

  /// Where the picture ends; nil where it is cut.
  ///
  /// The gate proves that a picture of one scan lacks nothing but its end. Of others only the
  /// decoder can tell, so that these lose what follows their data and must decode without warning.
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

  /// Where the next marker is that is no restart.
  private static func endOfScan(_ bytes: UnsafeRawBufferPointer, from: Int) -> Int? {
    var index = from
    while let found = bytes.nextMarker(from: index) {
      guard found + 1 < bytes.count else { return nil }
      let code = bytes[found + 1]
      if code != 0xFF, !(0xD0...0xD7).contains(code) { return found }
      index = found + (code == 0xFF ? 1 : 2)
    }
    return nil
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
    // Chunks are many only in files that are meant to be a nuisance.
    for _ in 0..<100_000 {
      guard let length = long(position), let kind = long(position + 4),
        position + 12 + length <= bytes.count
      else { throw broken("PNG") }
      if kind == 0x6558_4966 {
        orientation = ExifOrientation(tiff: bytes.part(position + 8..<position + 8 + length))
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
