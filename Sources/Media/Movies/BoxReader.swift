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

  /// Takes the box at `offset`, which moves on behind it; nil where none makes sense.
  ///
  /// With `isCut` one that is longer than `outer` is taken as far as there is room.
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

  /// A number of one to eight bytes, most significant first; nil past the end, and where it does not
  /// fit.
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

  /// The next number of a box; nil past the box's end, and where it does not fit.
  mutating func number<Source: ByteSource & ~Copyable>(
    _ count: Int, _ fields: inout BoxFields, _ source: borrowing Source
  ) throws(Source.Failure) -> Int? {
    guard fields.left >= count else { return nil }
    defer { fields.skip(count) }
    return try number(at: fields.place, count, source)
  }

  /// The next number that has eight bytes in boxes of version 1, and four in others.
  mutating func wide<Source: ByteSource & ~Copyable>(
    _ fields: inout BoxFields, _ source: borrowing Source
  ) throws(Source.Failure) -> Int? {
    try number(fields.width, &fields, source)
  }

  /// The fields of a box that begins with its version and flags; nil for a box without room for them.
  mutating func fields<Source: ByteSource & ~Copyable>(
    of box: Box, _ source: borrowing Source
  ) throws(Source.Failure) -> BoxFields? {
    var fields = BoxFields(box.body)
    guard let word = try number(4, &fields, source) else { return nil }
    (fields.version, fields.flags) = (word >> 24, word & 0xFF_FFFF)
    return fields
  }
}

/// A place among the fields of a box, which are numbers one after the other.
struct BoxFields {
  private(set) var place: Int
  private let end: Int
  var version = 0
  var flags = 0

  init(_ body: Range<Int>) { (place, end) = (body.lowerBound, body.upperBound) }

  /// Bytes up to the box's end.
  var left: Int { end - place }
  /// Bytes of dates and lengths.
  var width: Int { version == 1 ? 8 : 4 }

  /// Passes over bytes, no further than the box's end.
  mutating func skip(_ count: Int) { place += min(count, left) }
}
