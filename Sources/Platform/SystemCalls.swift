import CLinux

/// The calls on an open file, and those that open and close one.
///
/// The convention is that of ``SystemCalls``.
public protocol FileCalls: Sendable {
  /// `open(2)`. `O_CLOEXEC` is always added.
  func open(_ path: String, _ flags: Int32, _ mode: UInt32) -> Int32
  /// `openat(2)`. `O_CLOEXEC` is always added.
  func openat(_ directory: Int32, _ path: String, _ flags: Int32, _ mode: UInt32) -> Int32
  /// `openat2(2)` below an open directory, following no link and never leaving the directory.
  ///
  /// For directories that other users may write: sticks, foreign libraries. `path` is relative and
  /// has no part `..`, else the result is -EXDEV. If a part of `path` is a symbolic link, the
  /// result is -ELOOP or -ENOTDIR. With O_PATH and O_NOFOLLOW a link at the end is opened itself.
  /// `O_CLOEXEC` is always added.
  func openBeneath(_ directory: Int32, _ path: String, _ flags: Int32, _ mode: UInt32) -> Int32
  /// `close(2)`.
  func close(_ fd: Int32) -> Int32
  /// `read(2)`.
  func read(_ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int
  /// `pread(2)`.
  func pread(_ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64) -> Int
  /// `write(2)`.
  func write(_ fd: Int32, _ buffer: UnsafeRawBufferPointer) -> Int
  /// `writev(2)`.
  func writev(_ fd: Int32, _ vectors: UnsafeBufferPointer<iovec>) -> Int
  /// `pwrite(2)`.
  func pwrite(_ fd: Int32, _ buffer: UnsafeRawBufferPointer, _ offset: Int64) -> Int
  /// `ftruncate(2)`.
  func truncate(_ fd: Int32, _ length: Int64) -> Int32
  /// `fsync(2)`.
  func fsync(_ fd: Int32) -> Int32
  /// `fdatasync(2)`.
  func fdatasync(_ fd: Int32) -> Int32
  /// Starts to write the changed pages in a range of a file to the disk, without waiting for it.
  func startWriteback(_ fd: Int32, _ offset: Int64, _ count: Int64) -> Int32
  /// `fstat(2)`.
  func fstat(_ fd: Int32, _ status: UnsafeMutablePointer<stat>) -> Int32
  /// `fchmod(2)`.
  func chmod(_ fd: Int32, _ mode: UInt32) -> Int32
  /// `flock(2)`.
  func lock(_ fd: Int32, _ operation: Int32) -> Int32
  /// Another descriptor of the same open file.
  func duplicate(_ fd: Int32) -> Int32
}

/// The calls on directories and the names in them.
///
/// The convention is that of ``SystemCalls``.
public protocol NameCalls: Sendable {
  /// `linkat(2)` of an unnamed file, which gives it a name that must be new.
  func linkUnnamed(_ fd: Int32, _ directory: Int32, _ name: String) -> Int32
  /// `renameat(2)` inside one directory, which replaces a file with that name.
  func rename(_ directory: Int32, _ from: String, _ to: String) -> Int32
  /// `renameat2(2)` inside one directory, to a name that must be new.
  func renameNew(_ directory: Int32, _ from: String, _ to: String) -> Int32
  /// `unlinkat(2)` of a file.
  func unlinkat(_ directory: Int32, _ name: String) -> Int32
  /// `mkdirat(2)`.
  func mkdirat(_ directory: Int32, _ name: String, _ mode: UInt32) -> Int32
  /// `fstatfs(2)`.
  func fstatfs(_ fd: Int32, _ status: UnsafeMutablePointer<statfs>) -> Int32
  /// `faccessat(2)` of a directory itself, as the effective user; the mode is that of `access(2)`.
  func access(_ directory: Int32, _ mode: Int32) -> Int32
  /// The names in a directory, without `.` and `..`, in no order.
  func entries(_ path: String) -> Result<[String], SystemError>
  /// The names in a directory, one after the other, without `.` and `..`, in no order.
  func scan(_ path: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) -> Int32
  /// The target of a symbolic link.
  func readlink(_ path: String) -> Result<String, SystemError>
}

/// The calls on devices and their memory.
///
/// The convention is that of ``SystemCalls``.
public protocol DeviceCalls: Sendable {
  /// `ioctl(2)` with a pointer argument.
  func ioctl(_ fd: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer?) -> Int32
  /// `mmap(2)`, shared, at an address of the kernel's choice.
  func mmap(
    _ length: Int, _ protection: Int32, _ fd: Int32, _ offset: Int64
  ) -> Result<UnsafeMutableRawPointer, SystemError>
  /// `munmap(2)`.
  func munmap(_ address: UnsafeMutableRawPointer, _ length: Int) -> Int32
}

/// The calls that wait, and what they wait for.
///
/// The convention is that of ``SystemCalls``.
public protocol WaitCalls: Sendable {
  /// `poll(2)`; a negative timeout waits without end.
  ///
  /// Unit: milliseconds.
  func poll(_ fds: UnsafeMutableBufferPointer<pollfd>, _ timeout: Int32) -> Int32
  /// `eventfd(2)`, non-blocking.
  func eventfd() -> Int32
  /// `inotify_init1(2)`, non-blocking.
  func inotify() -> Int32
  /// `inotify_add_watch(2)`.
  func watch(_ fd: Int32, _ path: String, _ mask: UInt32) -> Int32
  /// `pidfd_open(2)` of a child that was not reaped; the descriptor is readable when it has ended.
  func processDescriptor(_ process: pid_t) -> Int32
  /// CLOCK_MONOTONIC.
  func monotonicTime() -> MonotonicTime
}

/// The system calls that Retake makes on devices and on the library's files, replaceable in tests.
///
/// A test passes a scripted kernel, or makes the N-th call fail. The convention is the kernel's: a
/// negative result is `-errno`. `EINTR` is returned to the caller; callers that must not see it use
/// ``retrying(_:)``. Implementations may be called from any thread.
public protocol SystemCalls: FileCalls, NameCalls, DeviceCalls, WaitCalls {}

extension SystemCalls {
  /// Returns -ENOSYS, for implementations without files that have positions.
  public func pread(
    _ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64
  ) -> Int { Int(-Errno.notImplemented) }

  /// Repeats the call while a signal interrupts it.
  @inlinable
  public func retrying<Value: SignedInteger>(_ call: (Self) -> Value) -> Value {
    while true {
      let value = call(self)
      if value != Value(-Errno.interrupted) { return value }
    }
  }

  /// Returns a result, or throws the error of a negative one.
  @discardableResult
  public func check<Value: SignedInteger>(
    _ value: Value, _ call: @autoclosure () -> String, _ path: @autoclosure () -> String? = nil
  ) throws(SystemError) -> Value {
    guard value < 0 else { return value }
    throw SystemError(errno: Int32(truncatingIfNeeded: 0 - value), call: call(), path: path())
  }
}

// Default implementations, for a scripted kernel without a file system.
extension SystemCalls {
  /// Returns -ENOSYS.
  public func openBeneath(
    _ directory: Int32, _ path: String, _ flags: Int32, _ mode: UInt32
  ) -> Int32 { -Errno.notImplemented }
  /// Returns -ENOSYS.
  public func pwrite(_ fd: Int32, _ buffer: UnsafeRawBufferPointer, _ offset: Int64) -> Int {
    Int(-Errno.notImplemented)
  }
  /// Returns -ENOSYS.
  public func truncate(_ fd: Int32, _ length: Int64) -> Int32 { -Errno.notImplemented }
  /// Returns -ENOSYS.
  public func startWriteback(_ fd: Int32, _ offset: Int64, _ count: Int64) -> Int32 {
    -Errno.notImplemented
  }
  /// Returns -ENOSYS.
  public func duplicate(_ fd: Int32) -> Int32 { -Errno.notImplemented }
  /// Returns -ENOSYS.
  public func processDescriptor(_ process: pid_t) -> Int32 { -Errno.notImplemented }
  /// Returns -ENOSYS.
  public func inotify() -> Int32 { -Errno.notImplemented }
  /// Returns -ENOSYS.
  public func watch(_ fd: Int32, _ path: String, _ mask: UInt32) -> Int32 { -Errno.notImplemented }
  /// Returns -ENOSYS.
  public func lock(_ fd: Int32, _ operation: Int32) -> Int32 { -Errno.notImplemented }
  /// Returns -ENOSYS.
  public func rename(_ directory: Int32, _ from: String, _ to: String) -> Int32 {
    -Errno.notImplemented
  }
  /// Returns -ENOSYS.
  public func access(_ directory: Int32, _ mode: Int32) -> Int32 { -Errno.notImplemented }
  /// Passes on the names of ``entries(_:)``.
  public func scan(_ path: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) -> Int32 {
    switch entries(path) {
    case .success(let names):
      for name in names {
        let bytes = Array(name.utf8)
        bytes.withUnsafeBufferPointer(body)
      }
      return 0
    case .failure(let error): return 0 - error.errno
    }
  }
  /// Returns -ENOSYS.
  public func chmod(_ fd: Int32, _ mode: UInt32) -> Int32 { -Errno.notImplemented }
}
