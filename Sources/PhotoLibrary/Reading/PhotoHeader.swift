import Media
import Platform

/// What the head of a JPEG file says: its size in pixels, and where its thumbnail lies.
package struct PhotoHeader: Sendable, Hashable {
  var width = 0
  var height = 0
  /// The bytes of the file that are the thumbnail, itself a JPEG.
  var thumbnail: Range<Int>?
  /// Whether it is a movie's head that says something.
  var isMovie = false
  /// How long a movie is, in milliseconds; nil where nothing says it.
  var duration: Int?
  /// How the picture is to be turned, as Exif counts it; 1: not at all.
  var orientation = 1

  /// Reads the segments up to the frame header; what makes no sense is left out.
  ///
  /// Source: ITU-T T.81, annex B; Exif 2.3, 4.5 and 4.6.
  static func read(
    _ file: borrowing some ByteSource & ~Copyable
  ) throws(SystemError) -> PhotoHeader {
    var header = PhotoHeader()
    var window = Window(start: 0, bytes: try file.read(at: 0, count: 4096))
    if MovieHeader.isMovie(window.bytes) { return try MovieHeader.read(file) }
    guard window.big16(0) == 0xFFD8 else { return header }
    var offset = 2
    // A picture has a few dozen at most; whatever has more is none.
    for _ in 0..<256 {
      if offset + 16 > window.end, window.end < file.bytes {
        window = Window(start: offset, bytes: try file.read(at: offset, count: 4096))
      }
      guard let marker = window.big16(offset), marker >= 0xFF01 else { return header }
      if marker == 0xFFFF {
        offset += 1
        continue
      }
      guard let length = window.big16(offset + 2), length >= 2 else { return header }
      switch marker {
      case 0xFFC0...0xFFC3, 0xFFC5...0xFFC7, 0xFFC9...0xFFCB, 0xFFCD...0xFFCF:
        header.height = window.big16(offset + 5) ?? 0
        header.width = window.big16(offset + 7) ?? 0
        return header
      case 0xFFE1 where header.thumbnail == nil:
        let segment = offset + 4..<offset + 2 + length
        let part = Window(
          start: offset + 4, bytes: try file.read(at: offset + 4, count: min(length - 2, 8192)))
        header.thumbnail = thumbnail(in: part, segment)
        header.orientation = orientation(in: part, segment.lowerBound) ?? header.orientation
      case 0xFFD9, 0xFFDA: return header
      default: break
      }
      offset += 2 + length
    }
    return header
  }

  /// What a JPEG in memory says of its size; nil for what is none.
  static func size(ofJPEG bytes: [UInt8]) -> (width: Int, height: Int)? {
    let window = Window(start: 0, bytes: bytes)
    guard window.big16(0) == 0xFFD8 else { return nil }
    var offset = 2
    for _ in 0..<256 {
      guard let marker = window.big16(offset), marker >= 0xFFC0,
        let length = window.big16(offset + 2), length >= 2
      else { return nil }
      switch marker {
      case 0xFFC0...0xFFC2:
        guard let height = window.big16(offset + 5), let width = window.big16(offset + 7) else {
          return nil
        }
        return (width, height)
      case 0xFFD9, 0xFFDA: return nil
      default: offset += 2 + length
      }
    }
    return nil
  }

  private static func orientation(in window: Window, _ start: Int) -> Int? {
    guard window.big16(start) == 0x4578, window.big16(start + 2) == 0x6966 else { return nil }
    let tiff = start + 6
    let isBig = window.big16(tiff) == 0x4D4D
    guard isBig || window.big16(tiff) == 0x4949, let first = window.value32(tiff + 4, isBig),
      let entries = window.value16(tiff + first, isBig)
    else { return nil }
    for index in 0..<min(entries, 64) {
      let entry = tiff + first + 2 + 12 * index
      if window.value16(entry, isBig) == 0x0112 { return window.value16(entry + 8, isBig) }
    }
    return nil
  }

  // The second directory of the Exif segment has its offset and length.
  private static func thumbnail(in window: Window, _ segment: Range<Int>) -> Range<Int>? {
    let start = segment.lowerBound
    guard window.big16(start) == 0x4578, window.big16(start + 2) == 0x6966 else { return nil }
    let tiff = start + 6
    let order = window.big16(tiff)
    guard order == 0x4949 || order == 0x4D4D else { return nil }
    let isBig = order == 0x4D4D
    guard let first = window.value32(tiff + 4, isBig),
      let count = window.value16(tiff + first, isBig),
      let second = window.value32(tiff + first + 2 + 12 * count, isBig), second > 0,
      let entries = window.value16(tiff + second, isBig)
    else { return nil }
    var place: Int?
    var length: Int?
    for index in 0..<min(entries, 64) {
      let entry = tiff + second + 2 + 12 * index
      guard let tag = window.value16(entry, isBig) else { break }
      if tag == 0x0201 { place = window.value32(entry + 8, isBig) }
      if tag == 0x0202 { length = window.value32(entry + 8, isBig) }
    }
    guard let place, let length, length > 0 else { return nil }
    let range = tiff + place..<tiff + place + length
    return segment.lowerBound <= range.lowerBound && range.upperBound <= segment.upperBound
      ? range : nil
  }

  /// Reads heads of any bytes in memory, for the fuzz target; traps where one makes no sense.
  package static func checkReading(_ bytes: [UInt8]) {
    let source = MemorySource(content: bytes)
    guard let header = try? PhotoHeader.read(source) else { return }
    precondition((0...65535).contains(header.width) && (0...65535).contains(header.height))
    precondition(header.duration ?? 0 >= 0)
    let thumbnail = header.thumbnail ?? 0..<0
    precondition(thumbnail.lowerBound >= 0 && thumbnail.upperBound <= max(bytes.count, 1 << 40))
    if !header.isMovie { precondition(header.duration == nil) }
    _ = try? MovieHeader.isWhole(source)
    _ = PhotoHeader.size(ofJPEG: bytes)
  }

  /// Some bytes of a file; what lies outside is nil.
  private struct Window {
    var start: Int
    var bytes: [UInt8]
    var end: Int { start + bytes.count }

    // All offsets come from at most four bytes, so that sums of them fit.
    private func byte(_ offset: Int) -> Int? {
      offset >= start && offset < end ? Int(bytes[offset - start]) : nil
    }

    func big16(_ offset: Int) -> Int? {
      guard let high = byte(offset), let low = byte(offset + 1) else { return nil }
      return high << 8 | low
    }

    func value16(_ offset: Int, _ isBig: Bool) -> Int? {
      guard let value = big16(offset) else { return nil }
      return isBig ? value : (value & 0xFF) << 8 | value >> 8
    }

    func value32(_ offset: Int, _ isBig: Bool) -> Int? {
      guard let first = value16(offset, isBig), let second = value16(offset + 2, isBig) else {
        return nil
      }
      return isBig ? first << 16 | second : second << 16 | first
    }
  }
}
