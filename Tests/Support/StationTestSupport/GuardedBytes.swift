import CLinux
import Glibc

/// Bytes that end at an unreadable page, so that code which reads past the end crashes.
public final class GuardedBytes {
  private let mapping: UnsafeMutableRawPointer
  private let length: Int
  private let pages: Int

  /// Maps room for `capacity` bytes; nil if the system refuses.
  public init?(capacity: Int) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    pages = (capacity + page - 1) / page * page
    length = pages + page
    guard
      let made = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      made != clinux_map_failed
    else { return nil }
    mapping = made
    mprotect(mapping + pages, page, PROT_NONE)
  }

  deinit { munmap(mapping, length) }

  /// Calls the closure with a copy of `bytes` that ends at the guarded page.
  public func with<Result>(
    _ bytes: some Collection<UInt8>, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let start = mapping + (pages - bytes.count)
    let target = UnsafeMutableRawBufferPointer(start: start, count: bytes.count)
    target.copyBytes(from: bytes)
    return try body(UnsafeRawBufferPointer(target))
  }
}
