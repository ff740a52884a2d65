import CLinux
import Glibc

extension LinuxSystemCalls {
  /// `flock(2)`.
  public func lock(_ fd: Int32, _ operation: Int32) -> Int32 {
    clinux_flock(fd, operation) == -1 ? -Glibc.errno : 0
  }

  /// `renameat(2)`.
  public func rename(_ directory: Int32, _ from: String, _ to: String) -> Int32 {
    Glibc.renameat(directory, from, directory, to) == -1 ? -Glibc.errno : 0
  }

  /// `faccessat(2)`.
  public func access(_ directory: Int32, _ mode: Int32) -> Int32 {
    Glibc.faccessat(directory, ".", mode, AT_EACCESS) == -1 ? -Glibc.errno : 0
  }

  /// `opendir(3)` and `readdir(3)`; the memory does not depend on the directory's length.
  public func scan(_ path: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) -> Int32 {
    guard let stream = opendir(path) else { return -Glibc.errno }
    defer { closedir(stream) }
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    while true {
      Glibc.errno = 0
      guard let entry = readdir(stream) else { return -Glibc.errno }
      let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: UInt8.self)
      let count = strlen(UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
      let isDot = name[0] == 0x2E && (count == 1 || (count == 2 && name[1] == 0x2E))
      if !isDot { body(UnsafeBufferPointer(start: name, count: count)) }
    }
  }

  /// `fchmod(2)`.
  public func chmod(_ fd: Int32, _ mode: UInt32) -> Int32 {
    Glibc.fchmod(fd, mode) == -1 ? -Glibc.errno : 0
  }

  /// `pwrite(2)`.
  public func pwrite(_ fd: Int32, _ buffer: UnsafeRawBufferPointer, _ offset: Int64) -> Int {
    let count = Glibc.pwrite(fd, buffer.baseAddress, buffer.count, Int(offset))
    return count == -1 ? Int(-Glibc.errno) : count
  }

  /// `ftruncate(2)`.
  public func truncate(_ fd: Int32, _ length: Int64) -> Int32 {
    Glibc.ftruncate(fd, Int(length)) == -1 ? -Glibc.errno : 0
  }

  /// `sync_file_range(2)` with `SYNC_FILE_RANGE_WRITE`.
  public func startWriteback(_ fd: Int32, _ offset: Int64, _ count: Int64) -> Int32 {
    clinux_start_writeback(fd, offset, count) == -1 ? -Glibc.errno : 0
  }

  /// `fcntl(2)` with `F_DUPFD_CLOEXEC`.
  public func duplicate(_ fd: Int32) -> Int32 {
    let copy = clinux_duplicate(fd)
    return copy == -1 ? -Glibc.errno : copy
  }
}
