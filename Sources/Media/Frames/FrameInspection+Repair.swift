import Glibc

extension FrameInspection {
  /// The number of bytes of the repaired frame.
  public var repairedCount: Int {
    picture.count + (tablesOffset == nil ? 0 : StandardTables.segment.count) + (lacksEnd ? 2 : 0)
  }

  /// Copies a frame and repairs it in the same pass, without allocating.
  ///
  /// `bytes` are the inspected bytes; `target` must have room for ``repairedCount`` bytes. Returns
  /// the number of bytes written, which is 0 if there is no room or the frame is damaged.
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

  /// Calls `body` with the repaired frame in parts for `writev(2)`, without copying it.
  ///
  /// The parts are valid only during the call.
  public func withRepairedParts<Result>(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeBufferPointer<iovec>) throws -> Result
  ) rethrows -> Result {
    try StandardTables.segment.withUnsafeBytes { tables in
      try withPictureParts(of: bytes, tables: tables, body)
    }
  }
}
