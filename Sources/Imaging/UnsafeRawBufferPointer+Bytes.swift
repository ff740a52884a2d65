import Glibc

extension UnsafeRawBufferPointer {
  /// The offset of the next `FF` at or after `from`.
  @inline(__always)
  func firstFF(from: Int) -> Int? {
    guard from < count, let base = baseAddress,
      let found = memchr(base + from, 0xFF, count - from)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  /// Two bytes, most significant first; nil past the end.
  @inline(__always)
  func bigEndian16(at offset: Int) -> Int? {
    guard offset >= 0, offset &+ 1 < count else { return nil }
    return Int(self[offset]) << 8 | Int(self[offset + 1])
  }

  /// The part of it that `range` covers, held to what there is.
  func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[range.clamped(to: 0..<count)])
  }
}
