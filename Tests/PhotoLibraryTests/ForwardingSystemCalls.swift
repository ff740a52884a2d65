import CLinux
import Glibc
import Platform

/// The kernel's system calls, which a test overrides to observe or change them.
class ForwardingSystemCalls: SystemCalls, @unchecked Sendable {
  // Unchecked because subclasses use their own variables on one thread only.
  let base = LinuxSystemCalls()

  func open(_ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 {
    base.open(path, flags, mode)
  }
  func openat(_ directory: Int32, _ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 {
    base.openat(directory, path, flags, mode)
  }
  func openBeneath(
    _ directory: Int32, _ path: String, _ flags: Int32, _ mode: UInt32
  ) -> Int32 {
    base.openBeneath(directory, path, flags, mode)
  }
  func close(_ fd: Int32) -> Int32 { base.close(fd) }
  func read(_ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int { base.read(fd, buffer) }
  func pread(_ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64) -> Int {
    base.pread(fd, buffer, offset)
  }
  func write(_ fd: Int32, _ buffer: UnsafeRawBufferPointer) -> Int { base.write(fd, buffer) }
  func writev(_ fd: Int32, _ vectors: UnsafeBufferPointer<iovec>) -> Int {
    base.writev(fd, vectors)
  }
  func ioctl(_ fd: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    base.ioctl(fd, request, argument)
  }
  func mmap(
    _ length: Int, _ protection: Int32, _ fd: Int32, _ offset: Int64
  ) -> Result<UnsafeMutableRawPointer, SystemError> {
    base.mmap(length, protection, fd, offset)
  }
  func munmap(_ address: UnsafeMutableRawPointer, _ length: Int) -> Int32 {
    base.munmap(address, length)
  }
  func poll(_ fds: UnsafeMutableBufferPointer<pollfd>, _ timeout: Int32) -> Int32 {
    base.poll(fds, timeout)
  }
  func processDescriptor(_ process: pid_t) -> Int32 { base.processDescriptor(process) }
  func eventfd() -> Int32 { base.eventfd() }
  func fsync(_ fd: Int32) -> Int32 { base.fsync(fd) }
  func fdatasync(_ fd: Int32) -> Int32 { base.fdatasync(fd) }
  func linkUnnamed(_ fd: Int32, _ directory: Int32, _ name: String) -> Int32 {
    base.linkUnnamed(fd, directory, name)
  }
  func renameNew(_ directory: Int32, _ from: String, _ to: String) -> Int32 {
    base.renameNew(directory, from, to)
  }
  func rename(_ directory: Int32, _ from: String, _ to: String) -> Int32 {
    base.rename(directory, from, to)
  }
  func unlinkat(_ directory: Int32, _ name: String) -> Int32 { base.unlinkat(directory, name) }
  func mkdirat(_ directory: Int32, _ name: String, _ mode: UInt32) -> Int32 {
    base.mkdirat(directory, name, mode)
  }
  func fstat(_ fd: Int32, _ status: UnsafeMutablePointer<stat>) -> Int32 { base.fstat(fd, status) }
  func fstatfs(_ fd: Int32, _ status: UnsafeMutablePointer<statfs>) -> Int32 {
    base.fstatfs(fd, status)
  }
  func entries(_ path: String) -> Result<[String], SystemError> { base.entries(path) }
  func readlink(_ path: String) -> Result<String, SystemError> { base.readlink(path) }
  func monotonicTime() -> MonotonicTime { base.monotonicTime() }
  func lock(_ fd: Int32, _ operation: Int32) -> Int32 { base.lock(fd, operation) }
  func access(_ directory: Int32, _ mode: Int32) -> Int32 { base.access(directory, mode) }
  func scan(_ path: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) -> Int32 {
    base.scan(path, body)
  }
  func chmod(_ fd: Int32, _ mode: UInt32) -> Int32 {
    base.chmod(fd, mode)
  }
  func pwrite(_ fd: Int32, _ buffer: UnsafeRawBufferPointer, _ offset: Int64) -> Int {
    base.pwrite(fd, buffer, offset)
  }
  func truncate(_ fd: Int32, _ length: Int64) -> Int32 { base.truncate(fd, length) }
  func startWriteback(_ fd: Int32, _ offset: Int64, _ count: Int64) -> Int32 {
    base.startWriteback(fd, offset, count)
  }
  func duplicate(_ fd: Int32) -> Int32 { base.duplicate(fd) }
}
