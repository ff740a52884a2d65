import CLinux

/// System calls that count as steps of the ``AbandonableWorker`` job that makes them.
///
/// Each call that returns shows that its disk answers. After the job was abandoned, its next call
/// fails with `ECANCELED`, so that its thread does not continue. Calls of other threads are passed
/// on unchanged.
package struct SteppedSystemCalls: SystemCalls {
  private let base: any SystemCalls

  /// Creates the calls on `base`.
  package init(_ base: any SystemCalls) {
    self.base = (base as? SteppedSystemCalls)?.base ?? base
  }

  private func pass<Value: SignedInteger>(_ call: (any SystemCalls) -> Value) -> Value {
    guard let step = AbandonableWorker.Step.current else { return call(base) }
    guard step.isWanted else { return Value(-Errno.cancelled) }
    defer { step.mark() }
    return call(base)
  }

  private func pass<Value>(
    _ name: String, _ call: (any SystemCalls) -> Result<Value, SystemError>
  ) -> Result<Value, SystemError> {
    guard let step = AbandonableWorker.Step.current else { return call(base) }
    guard step.isWanted else { return .failure(SystemError(errno: Errno.cancelled, call: name)) }
    defer { step.mark() }
    return call(base)
  }

  /// `open(2)`.
  package func open(_ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 {
    pass { $0.open(path, flags, mode) }
  }
  /// `openat(2)`.
  package func openat(_ directory: Int32, _ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 {
    pass { $0.openat(directory, path, flags, mode) }
  }
  /// `openat2(2)` below an open directory.
  package func openBeneath(
    _ directory: Int32, _ path: String, _ flags: Int32, _ mode: UInt32
  ) -> Int32 { pass { $0.openBeneath(directory, path, flags, mode) } }
  /// `close(2)`, which an abandoned job makes, too.
  package func close(_ fd: Int32) -> Int32 {
    defer { AbandonableWorker.Step.current?.mark() }
    return base.close(fd)
  }
  /// `read(2)`.
  package func read(_ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    pass { $0.read(fd, buffer) }
  }
  /// `pread(2)`.
  package func pread(
    _ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64
  ) -> Int { pass { $0.pread(fd, buffer, offset) } }
  /// `write(2)`.
  package func write(_ fd: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    pass { $0.write(fd, buffer) }
  }
  /// `writev(2)`.
  package func writev(_ fd: Int32, _ vectors: UnsafeBufferPointer<iovec>) -> Int {
    pass { $0.writev(fd, vectors) }
  }
  /// `ioctl(2)`.
  package func ioctl(_ fd: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    pass { $0.ioctl(fd, request, argument) }
  }
  /// `mmap(2)`.
  package func mmap(
    _ length: Int, _ protection: Int32, _ fd: Int32, _ offset: Int64
  ) -> Result<UnsafeMutableRawPointer, SystemError> {
    base.mmap(length, protection, fd, offset)
  }
  /// `munmap(2)`.
  package func munmap(_ address: UnsafeMutableRawPointer, _ length: Int) -> Int32 {
    base.munmap(address, length)
  }
  /// `poll(2)`.
  package func poll(_ fds: UnsafeMutableBufferPointer<pollfd>, _ timeout: Int32) -> Int32 {
    base.poll(fds, timeout)
  }
  /// `eventfd(2)`.
  package func eventfd() -> Int32 { base.eventfd() }
  /// `fsync(2)`.
  package func fsync(_ fd: Int32) -> Int32 { pass { $0.fsync(fd) } }
  /// `fdatasync(2)`.
  package func fdatasync(_ fd: Int32) -> Int32 { pass { $0.fdatasync(fd) } }
  /// `linkat(2)` of an unnamed file.
  package func linkUnnamed(_ fd: Int32, _ directory: Int32, _ name: String) -> Int32 {
    pass { $0.linkUnnamed(fd, directory, name) }
  }
  /// `renameat2(2)`.
  package func renameNew(_ directory: Int32, _ from: String, _ to: String) -> Int32 {
    pass { $0.renameNew(directory, from, to) }
  }
  /// `unlinkat(2)`.
  package func unlinkat(_ directory: Int32, _ name: String) -> Int32 {
    pass { $0.unlinkat(directory, name) }
  }
  /// `mkdirat(2)`.
  package func mkdirat(_ directory: Int32, _ name: String, _ mode: UInt32) -> Int32 {
    pass { $0.mkdirat(directory, name, mode) }
  }
  /// `fstat(2)`.
  package func fstat(_ fd: Int32, _ status: UnsafeMutablePointer<stat>) -> Int32 {
    pass { $0.fstat(fd, status) }
  }
  /// `fstatfs(2)`.
  package func fstatfs(_ fd: Int32, _ status: UnsafeMutablePointer<statfs>) -> Int32 {
    pass { $0.fstatfs(fd, status) }
  }
  /// The names in a directory.
  package func entries(_ path: String) -> Result<[String], SystemError> {
    pass("readdir") { $0.entries(path) }
  }
  /// The target of a symbolic link.
  package func readlink(_ path: String) -> Result<String, SystemError> {
    pass("readlink") { $0.readlink(path) }
  }
  /// CLOCK_MONOTONIC.
  package func monotonicTime() -> MonotonicTime { base.monotonicTime() }
  /// `pidfd_open(2)`.
  package func processDescriptor(_ process: pid_t) -> Int32 { base.processDescriptor(process) }
  /// `inotify_init1(2)`.
  package func inotify() -> Int32 { base.inotify() }
  /// `inotify_add_watch(2)`.
  package func watch(_ fd: Int32, _ path: String, _ mask: UInt32) -> Int32 {
    pass { $0.watch(fd, path, mask) }
  }
  /// `flock(2)`.
  package func lock(_ fd: Int32, _ operation: Int32) -> Int32 { pass { $0.lock(fd, operation) } }
  /// `renameat(2)`.
  package func rename(_ directory: Int32, _ from: String, _ to: String) -> Int32 {
    pass { $0.rename(directory, from, to) }
  }
  /// `faccessat(2)`.
  package func access(_ directory: Int32, _ mode: Int32) -> Int32 {
    pass { $0.access(directory, mode) }
  }
  /// The names in a directory, one after the other; each counts as a step.
  package func scan(_ path: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) -> Int32 {
    let step = AbandonableWorker.Step.current
    return pass {
      $0.scan(path) { name in
        step?.mark()
        body(name)
      }
    }
  }
  /// `fchmod(2)`.
  package func chmod(_ fd: Int32, _ mode: UInt32) -> Int32 { pass { $0.chmod(fd, mode) } }
  /// `pwrite(2)`.
  package func pwrite(_ fd: Int32, _ buffer: UnsafeRawBufferPointer, _ offset: Int64) -> Int {
    pass { $0.pwrite(fd, buffer, offset) }
  }
  /// `ftruncate(2)`.
  package func truncate(_ fd: Int32, _ length: Int64) -> Int32 { pass { $0.truncate(fd, length) } }
  /// Starts to write changed pages to the disk.
  package func startWriteback(_ fd: Int32, _ offset: Int64, _ count: Int64) -> Int32 {
    pass { $0.startWriteback(fd, offset, count) }
  }
  /// `fcntl(2)` with `F_DUPFD_CLOEXEC`.
  package func duplicate(_ fd: Int32) -> Int32 { base.duplicate(fd) }
}
