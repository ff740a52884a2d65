import CMedia
import Glibc

extension UnsafeRawBufferPointer {
  /// The offset of the next `FF` at or after `from`.
  @inlinable @inline(__always)
  package func firstFF(from: Int) -> Int? {
    guard from < count, let base = baseAddress,
      let found = memchr(base + from, 0xFF, count - from)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  /// The offset of the next `FF` at or after `from` that is not followed by the `00` that makes it
  /// data; the last byte counts as not followed.
  @inlinable @inline(__always)
  package func nextMarker(from: Int) -> Int? {
    guard from >= 0, from < count, let base = baseAddress else { return nil }
    let found = cmedia_next_marker(
      base.assumingMemoryBound(to: UInt8.self), from, count)
    return found < count ? found : nil
  }

  /// Two bytes, most significant first; nil past the end.
  @inlinable @inline(__always)
  package func bigEndian16(at offset: Int) -> Int? {
    guard offset >= 0, offset < count - 1 else { return nil }
    return Int(self[offset]) << 8 | Int(self[offset + 1])
  }

  /// The part of it that `range` covers, held to what there is.
  package func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[range.clamped(to: 0..<count)])
  }
}

extension [UInt8] {
  /// `withUnsafeBytes` with a typed error, which Swift 6.0 has not.
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
