/// The sole owner of memory that is reused for each picture and grows when necessary.
struct ScratchBuffer: ~Copyable {
  private var bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// Returns `count` bytes; earlier contents are lost if the buffer grows.
  mutating func reserve(_ count: Int) -> UnsafeMutableRawBufferPointer {
    if bytes.count < count {
      bytes.deallocate()
      bytes = .allocate(byteCount: count, alignment: 64)
    }
    return UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
  }

  deinit { bytes.deallocate() }
}
