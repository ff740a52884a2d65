// The calls are documented where they are required, in SystemCalls.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CLinux

/// The system calls of a program that root started and that now runs as another user.
///
/// Calls that look up or create names run as root, on the calling thread alone and for that call
/// alone. They are for a destination that root named, next to sources that belong to the other
/// user. Open descriptors need no rights and are used without them.
package struct RaisedSystemCalls: SystemCalls {
  private let base = LinuxSystemCalls()
  private let directory: Int32?

  /// Creates the access; useful only after a change of the user that may return.
  ///
  /// With an open directory, only names directly in it are looked up and created as root.
  package init(in directory: Int32? = nil) { self.directory = directory }

  private func raised<Value>(_ call: (LinuxSystemCalls) -> Value) -> Value? {
    guard clinux_raise_thread() == 0 else { return nil }
    defer { clinux_lower_thread() }
    return call(base)
  }

  // Returns -EPERM if the thread cannot become root. A nil `place` means the whole file system.
  private func number(
    in place: Int32? = nil, _ call: (LinuxSystemCalls) -> Int32
  ) -> Int32 {
    guard directory == nil || directory == place else { return call(base) }
    return raised(call) ?? -1
  }

  private func result<Value>(
    _ call: (LinuxSystemCalls) -> Result<Value, SystemError>
  ) -> Result<Value, SystemError> {
    guard directory == nil else { return call(base) }
    return raised(call) ?? .failure(SystemError(errno: Errno.notPermitted, call: "setresuid"))
  }

  // MARK: Names
  package func open(_ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 {
    number { $0.open(path, flags, mode) }
  }
  package func openat(_ directory: Int32, _ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 {
    number(in: directory) { $0.openat(directory, path, flags, mode) }
  }
  package func openBeneath(
    _ directory: Int32, _ path: String, _ flags: Int32, _ mode: UInt32
  ) -> Int32 {
    number(in: directory) { $0.openBeneath(directory, path, flags, mode) }
  }
  package func linkUnnamed(_ fd: Int32, _ directory: Int32, _ name: String) -> Int32 {
    number(in: directory) { $0.linkUnnamed(fd, directory, name) }
  }
  package func renameNew(_ directory: Int32, _ from: String, _ to: String) -> Int32 {
    number(in: directory) { $0.renameNew(directory, from, to) }
  }
  package func rename(_ directory: Int32, _ from: String, _ to: String) -> Int32 {
    number(in: directory) { $0.rename(directory, from, to) }
  }
  package func unlinkat(_ directory: Int32, _ name: String) -> Int32 {
    number(in: directory) { $0.unlinkat(directory, name) }
  }
  package func mkdirat(_ directory: Int32, _ name: String, _ mode: UInt32) -> Int32 {
    number(in: directory) { $0.mkdirat(directory, name, mode) }
  }
  package func entries(_ path: String) -> Result<[String], SystemError> {
    result { $0.entries(path) }
  }
  package func readlink(_ path: String) -> Result<String, SystemError> {
    result { $0.readlink(path) }
  }
  package func access(_ directory: Int32, _ mode: Int32) -> Int32 {
    number(in: directory) { $0.access(directory, mode) }
  }
  package func scan(_ path: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) -> Int32 {
    number { $0.scan(path, body) }
  }
  package func watch(_ fd: Int32, _ path: String, _ mask: UInt32) -> Int32 {
    number { $0.watch(fd, path, mask) }
  }

  // MARK: What is open
  package func close(_ fd: Int32) -> Int32 { base.close(fd) }
  package func read(_ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    base.read(fd, buffer)
  }
  package func pread(_ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64) -> Int {
    base.pread(fd, buffer, offset)
  }
  package func write(_ fd: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    base.write(fd, buffer)
  }
  package func writev(_ fd: Int32, _ vectors: UnsafeBufferPointer<iovec>) -> Int {
    base.writev(fd, vectors)
  }
  package func pwrite(_ fd: Int32, _ buffer: UnsafeRawBufferPointer, _ offset: Int64) -> Int {
    base.pwrite(fd, buffer, offset)
  }
  package func truncate(_ fd: Int32, _ length: Int64) -> Int32 { base.truncate(fd, length) }
  package func ioctl(_ fd: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    base.ioctl(fd, request, argument)
  }
  package func mmap(
    _ length: Int, _ protection: Int32, _ fd: Int32, _ offset: Int64
  ) -> Result<UnsafeMutableRawPointer, SystemError> { base.mmap(length, protection, fd, offset) }
  package func munmap(_ address: UnsafeMutableRawPointer, _ length: Int) -> Int32 {
    base.munmap(address, length)
  }
  package func poll(_ fds: UnsafeMutableBufferPointer<pollfd>, _ timeout: Int32) -> Int32 {
    base.poll(fds, timeout)
  }
  package func eventfd() -> Int32 { base.eventfd() }
  package func processDescriptor(_ process: pid_t) -> Int32 { base.processDescriptor(process) }
  package func inotify() -> Int32 { base.inotify() }
  package func lock(_ fd: Int32, _ operation: Int32) -> Int32 { base.lock(fd, operation) }
  package func chmod(_ fd: Int32, _ mode: UInt32) -> Int32 { base.chmod(fd, mode) }
  package func startWriteback(_ fd: Int32, _ offset: Int64, _ count: Int64) -> Int32 {
    base.startWriteback(fd, offset, count)
  }
  package func fsync(_ fd: Int32) -> Int32 { base.fsync(fd) }
  package func fdatasync(_ fd: Int32) -> Int32 { base.fdatasync(fd) }
  package func fstat(_ fd: Int32, _ status: UnsafeMutablePointer<stat>) -> Int32 {
    base.fstat(fd, status)
  }
  package func fstatfs(_ fd: Int32, _ status: UnsafeMutablePointer<statfs>) -> Int32 {
    base.fstatfs(fd, status)
  }
  package func duplicate(_ fd: Int32) -> Int32 { base.duplicate(fd) }
  package func monotonicTime() -> MonotonicTime { base.monotonicTime() }
}
