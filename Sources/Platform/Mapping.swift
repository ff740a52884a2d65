import Glibc

/// The one owner of a memory mapping.
///
/// It is unmapped when the owner goes.
public struct Mapping: ~Copyable {
  /// The mapped bytes.
  ///
  /// Valid as long as the owner lives.
  public let bytes: UnsafeMutableRawBufferPointer
  private let system: any SystemCalls

  /// Maps `length` bytes of `descriptor` from `offset`, shared.
  public init(
    _ descriptor: borrowing Descriptor, offset: Int64, length: Int, writable: Bool = false
  ) throws(SystemError) {
    let protection = writable ? PROT_READ | PROT_WRITE : PROT_READ
    let start = try descriptor.system.mmap(length, protection, descriptor.number, offset).get()
    // Not before the call that may throw: Swift 6.0 cannot destroy half of a noncopyable value.
    system = descriptor.system
    bytes = UnsafeMutableRawBufferPointer(start: start, count: length)
  }

  deinit {
    if let start = bytes.baseAddress { _ = system.munmap(start, bytes.count) }
  }
}
