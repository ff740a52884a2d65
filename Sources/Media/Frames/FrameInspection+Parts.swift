import Glibc

extension FrameInspection {
  /// Calls `body` with the repaired picture inside a frame, in parts for `writev(2)` and without
  /// copying it.
  ///
  /// `bytes` are the inspected bytes. `tables` is the segment with the standard Huffman tables, for
  /// a picture that has none. The parts are valid only during the call; there are at most four.
  public func withPictureParts<Result>(
    of bytes: UnsafeRawBufferPointer, tables: UnsafeRawBufferPointer,
    _ body: (UnsafeBufferPointer<iovec>) throws -> Result
  ) rethrows -> Result {
    try Self.end.withUnsafeBytes { end in
      try withUnsafeTemporaryAllocation(of: iovec.self, capacity: 4) { parts in
        // The code uses no nested function, because one that captures the count allocates in
        // unoptimized builds.
        var used = 0
        if let tablesOffset, picture.contains(tablesOffset) {
          used = Self.put(bytes, picture.lowerBound..<tablesOffset, parts, used)
          used = Self.put(tables, 0..<tables.count, parts, used)
          used = Self.put(bytes, tablesOffset..<picture.upperBound, parts, used)
        } else {
          used = Self.put(bytes, picture, parts, used)
        }
        if lacksEnd { used = Self.put(end, 0..<end.count, parts, used) }
        return try body(UnsafeBufferPointer(rebasing: parts[..<used]))
      }
    }
  }

  private static func put(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>,
    _ parts: UnsafeMutableBufferPointer<iovec>, _ used: Int
  ) -> Int {
    let range = range.clamped(to: 0..<bytes.count)
    guard !range.isEmpty, let base = bytes.baseAddress else { return used }
    let start = UnsafeMutableRawPointer(mutating: base + range.lowerBound)
    parts.initializeElement(at: used, to: iovec(iov_base: start, iov_len: range.count))
    return used + 1
  }

  private static let end: [UInt8] = [0xFF, 0xD9]
}
