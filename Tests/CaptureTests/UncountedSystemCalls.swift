import CAllocationCounter
import CLinux
import Platform
import StationTestSupport

/// A scripted kernel whose own allocations are not counted.
struct UncountedSystemCalls: SystemCalls {
  let base: ScriptedKernel

  private func call<Value>(_ body: (ScriptedKernel) -> Value) -> Value {
    let before = callocation_count(0)
    defer { _ = callocation_count(before) }
    return body(base)
  }

  func open(_ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 {
    call { $0.open(path, flags, mode) }
  }
  func openat(_ directory: Int32, _ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 { -38 }
  func close(_ fd: Int32) -> Int32 { call { $0.close(fd) } }
  func read(_ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    call { $0.read(fd, buffer) }
  }
  func write(_ fd: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    call { $0.write(fd, buffer) }
  }
  func writev(_ fd: Int32, _ vectors: UnsafeBufferPointer<iovec>) -> Int { -38 }
  func ioctl(_ fd: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    call { $0.ioctl(fd, request, argument) }
  }
  func mmap(
    _ length: Int, _ protection: Int32, _ fd: Int32, _ offset: Int64
  ) -> Result<UnsafeMutableRawPointer, SystemError> {
    call { $0.mmap(length, protection, fd, offset) }
  }
  func munmap(_ address: UnsafeMutableRawPointer, _ length: Int) -> Int32 {
    call { $0.munmap(address, length) }
  }
  func poll(_ fds: UnsafeMutableBufferPointer<pollfd>, _ timeout: Int32) -> Int32 {
    call { $0.poll(fds, timeout) }
  }
  func eventfd() -> Int32 { call { $0.eventfd() } }
  func inotify() -> Int32 { call { $0.inotify() } }
  func watch(_ fd: Int32, _ path: String, _ mask: UInt32) -> Int32 {
    call { $0.watch(fd, path, mask) }
  }
  func fsync(_ fd: Int32) -> Int32 { -38 }
  func fdatasync(_ fd: Int32) -> Int32 { -38 }
  func linkUnnamed(_ fd: Int32, _ directory: Int32, _ name: String) -> Int32 { -38 }
  func renameNew(_ directory: Int32, _ from: String, _ to: String) -> Int32 { -38 }
  func unlinkat(_ directory: Int32, _ name: String) -> Int32 { -38 }
  func mkdirat(_ directory: Int32, _ name: String, _ mode: UInt32) -> Int32 { -38 }
  func fstat(_ fd: Int32, _ status: UnsafeMutablePointer<stat>) -> Int32 { -38 }
  func fstatfs(_ fd: Int32, _ status: UnsafeMutablePointer<statfs>) -> Int32 { -38 }
  func entries(_ path: String) -> Result<[String], SystemError> { call { $0.entries(path) } }
  func readlink(_ path: String) -> Result<String, SystemError> { call { $0.readlink(path) } }
  func monotonicTime() -> MonotonicTime { call { $0.monotonicTime() } }
}
