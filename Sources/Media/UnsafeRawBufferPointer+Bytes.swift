import CMedia
import Glibc

extension UnsafeRawBufferPointer {
  /// Returns the offset of the next `FF` at or after `from`.
  @inlinable @inline(__always)
  package func firstFF(from: Int) -> Int? {
    guard from < count, let base = baseAddress,
      let found = memchr(base + from, 0xFF, count - from)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  /// Returns the offset of the next `FF` at or after `from` without a following `00`, which would
  /// make it data; an `FF` in the last byte counts as a marker.
  @inlinable @inline(__always)
  package func nextMarker(from: Int) -> Int? {
    guard from >= 0, from < count, let base = baseAddress else { return nil }
    let found = cmedia_next_marker(
      base.assumingMemoryBound(to: UInt8.self), from, count)
    return found < count ? found : nil
  }

  /// Returns two bytes as a big-endian number, or nil past the end.
  @inlinable @inline(__always)
  package func bigEndian16(at offset: Int) -> Int? {
    guard offset >= 0, offset < count - 1 else { return nil }
    return Int(self[offset]) << 8 | Int(self[offset + 1])
  }

  /// Returns the part of the buffer that `range` covers, clamped to the buffer.
  package func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[range.clamped(to: 0..<count)])
  }
}

extension [UInt8] {
  /// Calls `body` like `withUnsafeBytes`, with a typed error, which Swift 6.0's method lacks.
  package func withBytes<Value, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var result: Result<Value, Failure>?
    withUnsafeBytes { bytes in
      do throws(Failure) {
        result = .success(try body(bytes))
      } catch {
        result = .failure(error)
      }
    }
    guard let result else { preconditionFailure("the body was not called") }
    return try result.get()
  }
}
