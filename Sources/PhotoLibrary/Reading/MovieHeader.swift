import Platform

/// Reads the head of a movie's file: its size as it is shown, its length, and where its small
/// picture lies.
///
/// Source: ISO/IEC 14496-12, 4.2, 8.2.2, 8.3.2 and 12.1.4. What makes no sense is left out.
enum MovieHeader {
  /// The mark of the box with the small picture, as `Movies` writes it.
  private static let mark: [UInt8] = [
    0x52, 0x65, 0x74, 0x61, 0x6B, 0x65, 0x5C, 0x1D, 0xA4, 0x4B, 0x90, 0x07, 0x3E, 0xC1, 0x68, 0xF2,
  ]

  /// Whether a file that begins so is one.
  static func isMovie(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 12 && bytes[4..<8].elementsEqual("ftyp".utf8)
  }

  static func read(_ file: borrowing PhotoFile) throws(SystemError) -> PhotoHeader {
    var header = PhotoHeader()
    var offset = 0
    // A few at the top; whatever has more is somebody else's.
    for _ in 0..<16 {
      let bytes = try file.read(at: offset, count: 32)
      guard bytes.count >= 8 else { break }
      let size = number(bytes, 0, 4)
      let length = size == 1 && bytes.count >= 16 ? number(bytes, 8, 8) : size
      guard length >= 8, length <= file.bytes - offset else { break }
      if bytes[4..<8].elementsEqual("moov".utf8) {
        // The tables behind what is looked for can be long.
        let movie = try file.read(at: offset + 8, count: min(length - 8, 4096))
        var found = Found()
        scan(movie[...], into: &found)
        (header.width, header.height, header.duration) = (found.width, found.height, found.duration)
        if found.isTurned { swap(&header.width, &header.height) }
      } else if bytes[4..<8].elementsEqual("uuid".utf8), bytes.count >= 24,
        bytes[8..<24].elementsEqual(mark), length > 24
      {
        header.thumbnail = offset + 24..<offset + length
      }
      offset += length
    }
    return header
  }

  private struct Found {
    var width = 0
    var height = 0
    var duration: Int?
    var isTurned = false
  }

  /// Boxes that hold others, and how many bytes of their own come first.
  private static func own(_ type: ArraySlice<UInt8>) -> Int? {
    switch String(decoding: type, as: UTF8.self) {
    case "trak", "mdia", "minf", "stbl": 0
    case "stsd": 8
    case "avc1", "mp4v": 78
    default: nil
    }
  }

  // Depth is bounded by the bytes: each level takes eight of at most 4096.
  private static func scan(_ bytes: ArraySlice<UInt8>, into found: inout Found) {
    var rest = bytes
    while rest.count >= 8 {
      let start = rest.startIndex
      let size = number(rest, start, 4)
      guard size >= 8 else { return }
      let type = rest[start + 4..<start + 8]
      let end = min(start + size, rest.endIndex)
      take(type, rest[(start + 8)..<end], into: &found)
      rest = rest[end...]
    }
  }

  private static func take(
    _ type: ArraySlice<UInt8>, _ body: ArraySlice<UInt8>, into found: inout Found
  ) {
    let start = body.startIndex
    if let own = own(type) {
      if body.count > own { scan(body[(start + own)...], into: &found) }
    } else if type.elementsEqual("mvhd".utf8), body.count >= 32 {
      // Version 1 has wider dates, and a wider length.
      let (place, width) = body.first == 0 ? (12, 4) : (20, 8)
      let scale = number(body, start + place, 4)
      let (ticks, isTooLong) = number(body, start + place + 4, width)
        .multipliedReportingOverflow(by: 1000)
      if scale > 0, !isTooLong { found.duration = ticks / scale }
    } else if type.elementsEqual("tkhd".utf8), body.count >= (body.first == 0 ? 84 : 96) {
      let place = start + (body.first == 0 ? 40 : 52)
      let (width, height) = (number(body, place + 36, 4) >> 16, number(body, place + 40, 4) >> 16)
      // A track of sound has no size.
      guard width > 0, height > 0 else { return }
      (found.width, found.height) = (width, height)
      // A matrix whose first number is zero turns the picture on its side.
      found.isTurned = number(body, place, 4) == 0
    } else if type.elementsEqual("clap".utf8), body.count >= 16, number(body, start + 4, 4) == 1,
      number(body, start + 12, 4) == 1
    {
      found.width = number(body, start, 4) & 0xFFFF
      found.height = number(body, start + 8, 4) & 0xFFFF
    }
  }

  /// A number of so many bytes, most significant first; held to what fits.
  private static func number(_ bytes: ArraySlice<UInt8>, _ start: Int, _ count: Int) -> Int {
    bytes[start..<start + count].reduce(0) { ($0 & 0x7F_FFFF_FFFF_FFFF) << 8 | Int($1) }
  }

  private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
    number(bytes[...], start, count)
  }
}
