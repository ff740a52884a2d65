import Glibc

/// The single owner of a memory mapping.
///
/// The memory is unmapped when the owner ends.
public struct Mapping: ~Copyable {
  /// The mapped bytes.
  ///
  /// Valid while the owner lives.
  public let bytes: UnsafeMutableRawBufferPointer
  private let system: any SystemCalls

  /// Maps `length` bytes of `descriptor` from `offset`, shared.
  public init(
    _ descriptor: borrowing Descriptor, offset: Int64, length: Int, writable: Bool = false
  ) throws(SystemError) {
    let protection = writable ? PROT_READ | PROT_WRITE : PROT_READ
    // No `get()`, and no throw after the first member is set, because Swift 6.0's compiler crashes
    // on both here.
    let start: UnsafeMutableRawPointer
    switch descriptor.system.mmap(length, protection, descriptor.number, offset) {
    case .success(let address): start = address
    case .failure(let error): throw error
    }
    system = descriptor.system
    bytes = UnsafeMutableRawBufferPointer(start: start, count: length)
  }

  deinit {
    if let start = bytes.baseAddress { _ = system.munmap(start, bytes.count) }
  }
}
