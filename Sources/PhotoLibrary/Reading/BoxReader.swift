import Media
import Platform

/// Reads the boxes of a file of the MP4 family, one after the other, without their contents.
///
/// Any bytes may be in it: places stay inside the box around them, and the number of boxes is bounded.
/// Source: ISO/IEC 14496-12, 4.2.
struct BoxReader {
  /// One box.
  struct Box {
    var type: UInt32
    /// Where its contents are, and where they end.
    var body: Range<Int>
    /// Whether it says no size, and so goes on to the end of the file.
    var isOpen = false

    func has(_ name: StaticString) -> Bool { type == BoxReader.code(name) }
  }

  /// How many boxes are looked at.
  ///
  /// A movie of two hours has as many, if it was written in pieces of a second.
  private var left = 20_000
  private var window: (start: Int, bytes: [UInt8]) = (0, [])

  /// Whether there were more boxes than are looked at.
  var isExhausted: Bool { left <= 0 }

  static func code(_ name: StaticString) -> UInt32 {
    name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
  }

  /// The box at a place of `outer`; nil where there is none that makes sense.
  ///
  /// With `isCut` one that is longer than `outer` is taken as far as there is room.
  mutating func box(
    at offset: Int, in outer: Range<Int>, _ source: borrowing some ByteSource & ~Copyable,
    isCut: Bool = false
  ) throws(SystemError) -> Box? {
    guard left > 0, offset >= outer.lowerBound, outer.upperBound - offset >= 8 else { return nil }
    left -= 1
    guard let size = try number(at: offset, 4, source),
      let type = try number(at: offset + 4, 4, source)
    else { return nil }
    var (length, head) = (size, 8)
    if size == 1 {
      guard let long = try number(at: offset + 8, 8, source) else { return nil }
      (length, head) = (long, 16)
    }
    let room = outer.upperBound - offset
    let isOpen = size == 0
    if isOpen || (isCut && length > room) { length = room }
    guard length >= head, length <= room else { return nil }
    return Box(
      type: UInt32(truncatingIfNeeded: type), body: offset + head..<offset + length, isOpen: isOpen)
  }

  /// A number of one to eight bytes, most significant first; nil past the end, and where it does not
  /// fit.
  mutating func number(
    at offset: Int, _ count: Int, _ source: borrowing some ByteSource & ~Copyable
  ) throws(SystemError) -> Int? {
    guard offset >= 0, offset <= source.bytes - count else { return nil }
    if offset < window.start || offset + count > window.start + window.bytes.count {
      window = (offset, try source.read(at: offset, count: 4096))
      guard window.bytes.count >= count else { return nil }
    }
    let start = offset - window.start
    var number: UInt64 = 0
    for byte in window.bytes[start..<start + count] { number = number << 8 | UInt64(byte) }
    return Int(exactly: number)
  }
}
