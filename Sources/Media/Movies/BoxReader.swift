/// A reader that steps through the boxes of a file of the MP4 family without reading their
/// contents.
///
/// The file may contain arbitrary bytes. Every offset stays inside the enclosing box, and the
/// number of boxes is bounded. Source: ISO/IEC 14496-12, 4.2.
struct BoxReader {
  /// One box.
  struct Box {
    var type: UInt32
    /// The byte range of the box's contents.
    var body: Range<Int>
    /// Whether the box states no size and extends to the end of the file.
    var isOpen = false

    func has(_ name: StaticString) -> Bool { type == BoxReader.code(name) }
  }

  /// The number of boxes that may still be read.
  ///
  /// The initial limit suits a movie of two hours in fragments of one second.
  private var left = 20_000
  private var window: (start: Int, bytes: [UInt8]) = (0, [])

  /// Whether the limit of boxes has been reached.
  var isExhausted: Bool { left <= 0 }

  static func code(_ name: StaticString) -> UInt32 {
    name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
  }

  /// Returns the box at `offset` and moves `offset` behind it, or returns nil if there is no valid
  /// box.
  ///
  /// If `isCut` is true, a box that is longer than `outer` is shortened to it.
  mutating func next<Source: ByteSource & ~Copyable>(
    _ offset: inout Int, in outer: Range<Int>, _ source: borrowing Source, isCut: Bool = true
  ) throws(Source.Failure) -> Box? {
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
    defer { offset += length }
    return Box(
      type: UInt32(truncatingIfNeeded: type), body: offset + head..<offset + length, isOpen: isOpen)
  }

  /// Returns a big-endian number of one to eight bytes, or nil past the end and for a number that
  /// does not fit in `Int`.
  private mutating func number<Source: ByteSource & ~Copyable>(
    at offset: Int, _ count: Int, _ source: borrowing Source
  ) throws(Source.Failure) -> Int? {
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

  /// Returns the next number of a box, or nil past the box's end and for a number that does not fit
  /// in `Int`.
  mutating func number<Source: ByteSource & ~Copyable>(
    _ count: Int, _ fields: inout BoxFields, _ source: borrowing Source
  ) throws(Source.Failure) -> Int? {
    guard fields.left >= count else { return nil }
    defer { fields.skip(count) }
    return try number(at: fields.place, count, source)
  }

  /// Returns the next number, which has eight bytes in boxes of version 1 and four in others.
  mutating func wide<Source: ByteSource & ~Copyable>(
    _ fields: inout BoxFields, _ source: borrowing Source
  ) throws(Source.Failure) -> Int? {
    try number(fields.width, &fields, source)
  }

  /// Returns the fields of a box that begins with its version and flags, or nil if the box is too
  /// short.
  mutating func fields<Source: ByteSource & ~Copyable>(
    of box: Box, _ source: borrowing Source
  ) throws(Source.Failure) -> BoxFields? {
    var fields = BoxFields(box.body)
    guard let word = try number(4, &fields, source) else { return nil }
    (fields.version, fields.flags) = (word >> 24, word & 0xFF_FFFF)
    return fields
  }
}

/// A position among the fields of a box.
struct BoxFields {
  private(set) var place: Int
  private let end: Int
  var version = 0
  var flags = 0

  init(_ body: Range<Int>) { (place, end) = (body.lowerBound, body.upperBound) }

  /// The number of bytes up to the box's end.
  var left: Int { end - place }
  /// The number of bytes in a date or a duration.
  var width: Int { version == 1 ? 8 : 4 }

  /// Skips bytes, at most to the box's end.
  mutating func skip(_ count: Int) { place += min(count, left) }
}
