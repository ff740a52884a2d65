import Glibc

extension FrameInspection {
  /// Bytes of the frame once it is repaired.
  public var repairedCount: Int {
    picture.count + (tablesOffset == nil ? 0 : StandardTables.segment.count) + (lacksEnd ? 2 : 0)
  }

  /// Copies a frame and repairs it on the way: one pass, no allocation.
  ///
  /// `bytes` are those that were inspected; `target` has room for ``repairedCount``. Returns how
  /// many bytes were written, 0 if there is no room or the frame is damaged.
  public func copyRepaired(
    _ bytes: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) -> Int {
    guard isUsable, target.count >= repairedCount else { return 0 }
    return withRepairedParts(bytes) { parts in
      var used = 0
      for part in parts {
        UnsafeMutableRawBufferPointer(rebasing: target[used...]).copyMemory(
          from: UnsafeRawBufferPointer(start: part.iov_base, count: part.iov_len))
        used += part.iov_len
      }
      return used
    }
  }

  /// Lends the repaired frame in parts, for `writev(2)`; nothing is copied.
  ///
  /// The parts are valid during the call.
  public func withRepairedParts<Result>(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeBufferPointer<iovec>) throws -> Result
  ) rethrows -> Result {
    try StandardTables.segment.withUnsafeBytes { tables in
      try withPictureParts(of: bytes, tables: tables, body)
    }
  }
}
