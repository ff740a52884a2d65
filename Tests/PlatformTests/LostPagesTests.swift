import Glibc
import Synchronization
import Testing

@testable import Platform

@Suite(.serialized)
struct LostPagesTests {
  @Test("a page of a mapped file that was cut reads as zeros, can be written, and is counted")
  func cut() throws {
    LostPages.survive()
    var name = Array("/tmp/retake-lost-XXXXXX".utf8CString)
    let fd = name.withUnsafeMutableBufferPointer { mkstemp($0.baseAddress!) }
    try #require(fd >= 0)
    unlink(name)
    defer { close(fd) }
    let size = 3 * sysconf(Int32(_SC_PAGESIZE))
    ftruncate(fd, size)
    let mapped = try #require(mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0))
    defer { munmap(mapped, size) }
    memset(mapped, 7, size)
    let before = LostPages.count
    ftruncate(fd, 10)
    let last = mapped.advanced(by: size - 5)
    #expect(last.load(as: UInt8.self) == 0)
    last.storeBytes(of: 9, as: UInt8.self)
    #expect(last.load(as: UInt8.self) == 9)
    #expect(LostPages.count == before + 1)
    // The pages of this thread do not count for another one.
    let other = Mutex<UInt32?>(nil)
    let thread = try Thread("other") { other.withLock { $0 = LostPages.count } }
    thread.join()
    #expect(other.withLock { $0 } == 0)
    #expect(mapped.load(as: UInt8.self) == 7)
  }
}
