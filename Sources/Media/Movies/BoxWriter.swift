/// A writer of boxes of the ISO base media file format into memory, with big-endian numbers.
///
/// Source: ISO/IEC 14496-12, 4.2.
package struct BoxWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Writes a box with the contents that `body` writes; `type` has four letters.
  package mutating func box(_ type: StaticString, _ body: (inout BoxWriter) -> Void) {
    let start = bytes.count
    u32(0)
    type.withUTF8Buffer { bytes.append(contentsOf: $0) }
    body(&self)
    patch(bytes.count - start, at: start)
  }

  /// Writes a box with a version and flags.
  package mutating func full(
    _ type: StaticString, version: UInt8 = 0, flags: UInt32 = 0, _ body: (inout BoxWriter) -> Void
  ) {
    box(type) { writer in
      writer.u32(Int(version) << 24 | Int(flags))
      body(&writer)
    }
  }

  package mutating func u8(_ value: Int) { bytes.append(UInt8(truncatingIfNeeded: value)) }

  package mutating func u16(_ value: Int) {
    u8(value >> 8)
    u8(value)
  }

  package mutating func u32(_ value: Int) {
    u16(value >> 16)
    u16(value)
  }

  package mutating func u64(_ value: Int) {
    u32(value >> 32)
    u32(value)
  }

  package mutating func zeros(_ count: Int) {
    bytes.append(contentsOf: repeatElement(0, count: max(0, count)))
  }

  package mutating func add(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  package mutating func text(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Replaces the four bytes at `offset` by a number.
  package mutating func patch(_ value: Int, at offset: Int) {
    for index in 0..<4 {
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * index))
    }
  }
}
