import CLinux
import Platform
import Synchronization

/// System calls that are written down, and fail when a test says so.
///
/// Everything else goes through to another implementation. Safe from any thread.
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

  /// Makes one that lets everything pass.
  public init(_ base: any SystemCalls = LinuxSystemCalls()) { self.base = base }

  /// The names of the calls since the last ``forgetCalls()``, in order, without `close` and
  /// `monotonicTime`; the call that is made to fail is among them.
  public var calls: [String] { state.withLock { $0.calls } }

  /// Starts a new list of calls.
  public func forgetCalls() { state.withLock { $0.calls = [] } }

  /// Makes calls fail with `errno`: from the `n`-th on, counted from now and from 1, `times` of
  /// them. With a name only calls of that name count.
  public func fail(
    _ name: String? = nil, at n: Int = 1, times: Int = 1, with errno: Int32
  ) {
    state.withLock {
      $0.faults.append(Fault(name: name, remaining: n - 1, times: times, errno: errno))
    }
  }

  /// Lets every write take at most that many bytes.
  public func shortenWrites(to bytes: Int?) { state.withLock { $0.longestWrite = bytes } }

  /// Lets `calls` more calls through, and after that nothing but `close`: what the disk then holds
  /// is what a process leaves that is killed there.
  public func die(after calls: Int) { state.withLock { $0.callsToDeath = calls } }

  /// Lets everything pass again.
  public func heal() {
    state.withLock {
      $0.faults = []
      $0.longestWrite = nil
      $0.callsToDeath = nil
    }
  }

  // 0 to go on, else the negative number to return.
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

  public func open(_ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 {
    pass("open") { $0.open(path, flags, mode) }
  }
  public func openat(_ directory: Int32, _ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 {
    // A name of its own: a test wants to say which of the two.
    let unnamed = flags & clinux_o_tmpfile == clinux_o_tmpfile
    return pass(unnamed ? "openUnnamed" : "openat") { $0.openat(directory, path, flags, mode) }
  }
  public func close(_ fd: Int32) -> Int32 { base.close(fd) }
  public func read(_ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    pass("read") { $0.read(fd, buffer) }
  }
  public func write(_ fd: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    let most = state.withLock { $0.longestWrite } ?? buffer.count
    return pass("write") {
      $0.write(fd, UnsafeRawBufferPointer(rebasing: buffer.prefix(most)))
    }
  }
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
  public func ioctl(_ fd: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    pass("ioctl") { $0.ioctl(fd, request, argument) }
  }
  public func mmap(
    _ length: Int, _ protection: Int32, _ fd: Int32, _ offset: Int64
  ) -> Result<UnsafeMutableRawPointer, SystemError> {
    pass("mmap") { $0.mmap(length, protection, fd, offset) }
  }
  public func munmap(_ address: UnsafeMutableRawPointer, _ length: Int) -> Int32 {
    base.munmap(address, length)
  }
  public func poll(_ fds: UnsafeMutableBufferPointer<pollfd>, _ timeout: Int32) -> Int32 {
    pass("poll") { $0.poll(fds, timeout) }
  }
  public func eventfd() -> Int32 { pass("eventfd") { $0.eventfd() } }
  public func fsync(_ fd: Int32) -> Int32 { pass("fsync") { $0.fsync(fd) } }
  public func fdatasync(_ fd: Int32) -> Int32 { pass("fdatasync") { $0.fdatasync(fd) } }
  public func linkUnnamed(_ fd: Int32, _ directory: Int32, _ name: String) -> Int32 {
    pass("linkUnnamed") { $0.linkUnnamed(fd, directory, name) }
  }
  public func renameNew(_ directory: Int32, _ from: String, _ to: String) -> Int32 {
    pass("renameNew") { $0.renameNew(directory, from, to) }
  }
  public func unlinkat(_ directory: Int32, _ name: String) -> Int32 {
    pass("unlinkat") { $0.unlinkat(directory, name) }
  }
  public func mkdirat(_ directory: Int32, _ name: String, _ mode: UInt32) -> Int32 {
    pass("mkdirat") { $0.mkdirat(directory, name, mode) }
  }
  public func fstat(_ fd: Int32, _ status: UnsafeMutablePointer<stat>) -> Int32 {
    pass("fstat") { $0.fstat(fd, status) }
  }
  public func fstatfs(_ fd: Int32, _ status: UnsafeMutablePointer<statfs>) -> Int32 {
    pass("fstatfs") { $0.fstatfs(fd, status) }
  }
  public func entries(_ path: String) -> Result<[String], SystemError> {
    pass("entries") { $0.entries(path) }
  }
  public func readlink(_ path: String) -> Result<String, SystemError> {
    pass("readlink") { $0.readlink(path) }
  }
  public func monotonicTime() -> MonotonicTime { base.monotonicTime() }
  public func lock(_ fd: Int32, _ operation: Int32) -> Int32 {
    pass("lock") { $0.lock(fd, operation) }
  }
  public func rename(_ directory: Int32, _ from: String, _ to: String) -> Int32 {
    pass("rename") { $0.rename(directory, from, to) }
  }
  public func access(_ directory: Int32, _ mode: Int32) -> Int32 {
    pass("access") { $0.access(directory, mode) }
  }
}
