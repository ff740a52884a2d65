/// The one owner of memory that is used again and again, and grows when it must.
struct ScratchBuffer: ~Copyable {
  private var bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// At least `count` bytes; what was in them before is lost when they grow.
  mutating func reserve(_ count: Int) -> UnsafeMutableRawBufferPointer {
    if bytes.count < count {
      bytes.deallocate()
      bytes = .allocate(byteCount: count, alignment: 64)
    }
    return UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
  }

  deinit { bytes.deallocate() }
}
