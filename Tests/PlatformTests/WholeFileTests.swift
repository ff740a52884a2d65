import CLinux
import Glibc
import StationTestSupport
import Testing

@testable import Platform

@Suite("Reading and writing to the end")
struct WholeFileTests {
  private let kernel = FaultySystemCalls()
  private let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }

  /// Opens a file without a name.
  private func file() throws -> Descriptor {
    try Descriptor(opening: "/tmp", flags: clinux_o_tmpfile | O_RDWR, mode: 0o600, system: kernel)
  }

  private func contents(_ file: borrowing Descriptor) throws -> [UInt8] {
    var all = [UInt8](repeating: 0, count: 2000)
    let number = file.number
    let count = try all.withUnsafeMutableBytes { try kernel.readAll(number, into: $0, at: 0) }
    return Array(all.prefix(count))
  }

  @Test("short writes and signals change nothing of what is written", arguments: [1, 7, 999, 1000])
  func shortWrites(length: Int) throws {
    let file = try file()
    kernel.shortenWrites(to: length)
    kernel.fail("write", at: 2, with: EINTR)
    try kernel.writeAll(file.number, bytes)
    #expect(try contents(file) == bytes)
  }

  @Test("parts are written in order, however short the writes are", arguments: [1, 7, 2000])
  func parts(length: Int) throws {
    let file = try file()
    kernel.shortenWrites(to: length)
    kernel.fail("writev", at: 2, with: EINTR)
    let number = file.number
    try bytes.withUnsafeBytes { all in
      let parts = [all[..<3], all[3..<3], all[3..<600], all[600...]]
      try kernel.writeAll(number, parts: parts.map { UnsafeRawBufferPointer(rebasing: $0) })
    }
    #expect(try contents(file) == bytes)
  }

  @Test("bytes at a place leave the others alone")
  func atOffset() throws {
    let file = try file()
    try kernel.writeAll(file.number, bytes)
    let number = file.number
    try [9, 9].withUnsafeBytes { try kernel.writeAll(number, $0, at: 500) }
    var expected = bytes
    for (index, byte) in [9, 9].withUnsafeBytes(Array.init).enumerated() {
      expected[500 + index] = byte
    }
    #expect(try contents(file) == expected)
  }

  @Test("the first error ends it, with its call and path", arguments: [ENOSPC, EIO])
  func failure(errno: Int32) throws {
    let file = try file()
    kernel.shortenWrites(to: 10)
    kernel.fail("write", at: 3, with: errno)
    let number = file.number
    #expect(throws: SystemError(errno: errno, call: "write", path: "a file")) {
      try kernel.writeAll(number, bytes, "a file")
    }
  }

  @Test("what is read ends with the limit, or with the file", arguments: [0, 1, 999, 1000, 5000])
  func limit(limit: Int) throws {
    let file = try file()
    try kernel.writeAll(file.number, bytes)
    #expect(lseek(file.number, 0, SEEK_SET) == 0)
    kernel.fail("read", with: EINTR)
    #expect(try kernel.readAll(file.number, limit: limit) == Array(bytes.prefix(limit)))
  }

  @Test("a released descriptor stays open, and its new owner closes it")
  func release() throws {
    let number = try file().release()
    #expect(fcntl(number, F_GETFD) != -1)
    #expect(kernel.close(number) == 0)
  }
}
