import CLinux
import Platform
import Synchronization

/// System calls that are recorded and that fail on a test's request.
///
/// Other calls are forwarded to another implementation. The object may be used from any thread.
public final class FaultySystemCalls: SystemCalls {
  private struct Fault: Sendable {
    var name: String?
    var remaining: Int
    var times: Int
    var errno: Int32
  }

  private struct State: Sendable {
    var calls: [String] = []
    var faults: [Fault] = []
    var longestWrite: Int?
    var callsToDeath: Int?
  }

  private let base: any SystemCalls
  private let state = Mutex(State())

  private let clock: ManualClock?

  /// Creates an object that forwards every call, with the test's own clock if one is given.
  ///
  /// A wait in `poll` uses the real clock, so a thread that waits must be woken after the test's
  /// clock was moved. Any job wakes an event loop.
  public init(_ base: any SystemCalls = LinuxSystemCalls(), clock: ManualClock? = nil) {
    self.base = base
    self.clock = clock
  }

  /// The names of the calls since the last ``forgetCalls()``, in order, without `close` and
  /// `monotonicTime`; the call that is made to fail is among them.
  public var calls: [String] { state.withLock { $0.calls } }

  /// Starts a new list of calls.
  public func forgetCalls() { state.withLock { $0.calls = [] } }

  /// Makes later calls fail with `errno`.
  ///
  /// The faults begin with the `n`-th call from now, counted from 1, and affect `times` calls. With
  /// a name, only calls of that name count.
  public func fail(
    _ name: String? = nil, at n: Int = 1, times: Int = 1, with errno: Int32
  ) {
    state.withLock {
      $0.faults.append(Fault(name: name, remaining: n - 1, times: times, errno: errno))
    }
  }

  /// Limits every write to that many bytes.
  public func shortenWrites(to bytes: Int?) { state.withLock { $0.longestWrite = bytes } }

  /// Forwards `calls` more calls, and after that only `close`.
  ///
  /// The disk then has the state that a process leaves when it is killed at that call.
  public func die(after calls: Int) { state.withLock { $0.callsToDeath = calls } }

  /// Removes all faults.
  public func heal() {
    state.withLock {
      $0.faults = []
      $0.longestWrite = nil
      $0.callsToDeath = nil
    }
  }

  // Returns 0 to continue, or the negative error number to return.
  private func enter(_ name: String) -> Int32 {
    state.withLock { state in
      state.calls.append(name)
      if let left = state.callsToDeath {
        if left <= 0 { return -5 }
        state.callsToDeath = left - 1
      }
      for index in state.faults.indices {
        let fault = state.faults[index]
        guard fault.times > 0, fault.name == nil || fault.name == name else { continue }
        if fault.remaining > 0 {
          state.faults[index].remaining -= 1
          continue
        }
        state.faults[index].times -= 1
        return 0 - fault.errno
      }
      return 0
    }
  }

  private func pass(_ name: String, _ call: (any SystemCalls) -> Int32) -> Int32 {
    let fault = enter(name)
    return fault < 0 ? fault : call(base)
  }

  private func pass(_ name: String, _ call: (any SystemCalls) -> Int) -> Int {
    let fault = enter(name)
    return fault < 0 ? Int(fault) : call(base)
  }

  private func pass<Value>(
    _ name: String, _ call: (any SystemCalls) -> Result<Value, SystemError>
  ) -> Result<Value, SystemError> {
    let fault = enter(name)
    return fault < 0 ? .failure(SystemError(errno: 0 - fault, call: name)) : call(base)
  }

  /// `open(2)`.
  public func open(_ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 {
    pass("open") { $0.open(path, flags, mode) }
  }
  /// `openat(2)`, recorded as `openUnnamed` if it creates an unnamed file.
  public func openat(_ directory: Int32, _ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 {
    // The call has its own name, so that a test can choose between the two.
    let unnamed = flags & clinux_o_tmpfile == clinux_o_tmpfile
    return pass(unnamed ? "openUnnamed" : "openat") { $0.openat(directory, path, flags, mode) }
  }
  /// `openat2(2)`.
  public func openBeneath(
    _ directory: Int32, _ path: String, _ flags: Int32, _ mode: UInt32
  ) -> Int32 {
    pass("openBeneath") { $0.openBeneath(directory, path, flags, mode) }
  }
  /// `close(2)`, which never fails and is not recorded.
  public func close(_ fd: Int32) -> Int32 { base.close(fd) }
  /// `read(2)`.
  public func read(_ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    pass("read") { $0.read(fd, buffer) }
  }
  /// `pread(2)`.
  public func pread(_ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64) -> Int {
    pass("pread") { $0.pread(fd, buffer, offset) }
  }
  /// `write(2)`.
  public func write(_ fd: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    let most = state.withLock { $0.longestWrite } ?? buffer.count
    return pass("write") {
      $0.write(fd, UnsafeRawBufferPointer(rebasing: buffer.prefix(most)))
    }
  }
  /// `writev(2)`.
  public func writev(_ fd: Int32, _ vectors: UnsafeBufferPointer<iovec>) -> Int {
    guard let most = state.withLock({ $0.longestWrite }), let first = vectors.first else {
      return pass("writev") { $0.writev(fd, vectors) }
    }
    var short = first
    short.iov_len = min(most, first.iov_len)
    return pass("writev") { system in
      withUnsafePointer(to: &short) {
        system.writev(fd, UnsafeBufferPointer(start: $0, count: 1))
      }
    }
  }
  /// `ioctl(2)`.
  public func ioctl(_ fd: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    pass("ioctl") { $0.ioctl(fd, request, argument) }
  }
  /// `mmap(2)`.
  public func mmap(
    _ length: Int, _ protection: Int32, _ fd: Int32, _ offset: Int64
  ) -> Result<UnsafeMutableRawPointer, SystemError> {
    pass("mmap") { $0.mmap(length, protection, fd, offset) }
  }
  /// `munmap(2)`, which never fails and is not recorded.
  public func munmap(_ address: UnsafeMutableRawPointer, _ length: Int) -> Int32 {
    base.munmap(address, length)
  }
  /// `poll(2)`.
  public func poll(_ fds: UnsafeMutableBufferPointer<pollfd>, _ timeout: Int32) -> Int32 {
    pass("poll") { $0.poll(fds, timeout) }
  }
  /// `eventfd(2)`.
  public func eventfd() -> Int32 { pass("eventfd") { $0.eventfd() } }
  /// `pidfd_open(2)`.
  public func processDescriptor(_ process: pid_t) -> Int32 {
    pass("processDescriptor") { $0.processDescriptor(process) }
  }
  /// `inotify_init1(2)`.
  public func inotify() -> Int32 { pass("inotify") { $0.inotify() } }
  /// `inotify_add_watch(2)`.
  public func watch(_ fd: Int32, _ path: String, _ mask: UInt32) -> Int32 {
    pass("watch") { $0.watch(fd, path, mask) }
  }
  /// `fsync(2)`.
  public func fsync(_ fd: Int32) -> Int32 { pass("fsync") { $0.fsync(fd) } }
  /// `fdatasync(2)`.
  public func fdatasync(_ fd: Int32) -> Int32 { pass("fdatasync") { $0.fdatasync(fd) } }
  /// `linkat(2)`.
  public func linkUnnamed(_ fd: Int32, _ directory: Int32, _ name: String) -> Int32 {
    pass("linkUnnamed") { $0.linkUnnamed(fd, directory, name) }
  }
  /// `renameat2(2)`.
  public func renameNew(_ directory: Int32, _ from: String, _ to: String) -> Int32 {
    pass("renameNew") { $0.renameNew(directory, from, to) }
  }
  /// `unlinkat(2)`.
  public func unlinkat(_ directory: Int32, _ name: String) -> Int32 {
    pass("unlinkat") { $0.unlinkat(directory, name) }
  }
  /// `mkdirat(2)`.
  public func mkdirat(_ directory: Int32, _ name: String, _ mode: UInt32) -> Int32 {
    pass("mkdirat") { $0.mkdirat(directory, name, mode) }
  }
  /// `fstat(2)`.
  public func fstat(_ fd: Int32, _ status: UnsafeMutablePointer<stat>) -> Int32 {
    pass("fstat") { $0.fstat(fd, status) }
  }
  /// `fstatfs(2)`.
  public func fstatfs(_ fd: Int32, _ status: UnsafeMutablePointer<statfs>) -> Int32 {
    pass("fstatfs") { $0.fstatfs(fd, status) }
  }
  /// `readdir(3)`.
  public func entries(_ path: String) -> Result<[String], SystemError> {
    pass("entries") { $0.entries(path) }
  }
  /// `readdir(3)`, name by name.
  public func scan(_ path: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) -> Int32 {
    pass("scan") { $0.scan(path, body) }
  }
  /// `readlink(2)`.
  public func readlink(_ path: String) -> Result<String, SystemError> {
    pass("readlink") { $0.readlink(path) }
  }
  /// `clock_gettime(2)`, which never fails and is not recorded.
  public func monotonicTime() -> MonotonicTime { clock?.now ?? base.monotonicTime() }
  /// `flock(2)`.
  public func lock(_ fd: Int32, _ operation: Int32) -> Int32 {
    pass("lock") { $0.lock(fd, operation) }
  }
  /// `renameat(2)`.
  public func rename(_ directory: Int32, _ from: String, _ to: String) -> Int32 {
    pass("rename") { $0.rename(directory, from, to) }
  }
  /// `faccessat(2)`.
  public func access(_ directory: Int32, _ mode: Int32) -> Int32 {
    pass("access") { $0.access(directory, mode) }
  }
  /// `fchmod(2)`.
  public func chmod(_ fd: Int32, _ mode: UInt32) -> Int32 { pass("chmod") { $0.chmod(fd, mode) } }
  /// `pwrite(2)`.
  public func pwrite(_ fd: Int32, _ buffer: UnsafeRawBufferPointer, _ offset: Int64) -> Int {
    let most = state.withLock { $0.longestWrite } ?? buffer.count
    return pass("pwrite") {
      $0.pwrite(fd, UnsafeRawBufferPointer(rebasing: buffer.prefix(most)), offset)
    }
  }
  /// `ftruncate(2)`.
  public func truncate(_ fd: Int32, _ length: Int64) -> Int32 {
    pass("truncate") { $0.truncate(fd, length) }
  }
  /// `sync_file_range(2)`.
  public func startWriteback(_ fd: Int32, _ offset: Int64, _ count: Int64) -> Int32 {
    pass("startWriteback") { $0.startWriteback(fd, offset, count) }
  }
  /// `fcntl(2)`.
  public func duplicate(_ fd: Int32) -> Int32 { pass("duplicate") { $0.duplicate(fd) } }
}
