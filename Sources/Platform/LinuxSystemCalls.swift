// The calls are documented where they are required, in SystemCalls.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CLinux
import Glibc

/// The running kernel, through libc.
public struct LinuxSystemCalls: SystemCalls {
  /// Creates the access to the kernel.
  public init() {}

  // Converts libc's convention (-1 and errno) to the kernel's (-errno).
  private func kernel<Value: SignedInteger>(_ result: Value) -> Value {
    result == -1 ? Value(-Glibc.errno) : result
  }

  /// `open(2)`.
  public func open(_ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 {
    kernel(clinux_open(path, flags | clinux_o_cloexec, mode))
  }

  /// `openat(2)`.
  public func openat(_ directory: Int32, _ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 {
    kernel(clinux_openat(directory, path, flags | clinux_o_cloexec, mode))
  }

  /// `openat2(2)`, or single steps with the same result if the kernel lacks it.
  public func openBeneath(
    _ directory: Int32, _ path: String, _ flags: Int32, _ mode: UInt32
  ) -> Int32 {
    kernel(clinux_open_beneath(directory, path, flags | clinux_o_cloexec, mode))
  }

  /// `close(2)`.
  public func close(_ fd: Int32) -> Int32 { kernel(Glibc.close(fd)) }

  /// `read(2)`.
  public func read(_ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    kernel(Glibc.read(fd, buffer.baseAddress, buffer.count))
  }

  /// `pread(2)`.
  public func pread(
    _ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64
  ) -> Int {
    kernel(Glibc.pread(fd, buffer.baseAddress, buffer.count, off_t(offset)))
  }

  /// `write(2)`.
  public func write(_ fd: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    kernel(Glibc.write(fd, buffer.baseAddress, buffer.count))
  }

  /// `writev(2)`.
  public func writev(_ fd: Int32, _ vectors: UnsafeBufferPointer<iovec>) -> Int {
    kernel(Glibc.writev(fd, vectors.baseAddress, Int32(vectors.count)))
  }

  /// `ioctl(2)`.
  public func ioctl(_ fd: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    kernel(clinux_ioctl(fd, request, argument))
  }

  /// `mmap(2)`.
  public func mmap(
    _ length: Int, _ protection: Int32, _ fd: Int32, _ offset: Int64
  ) -> Result<UnsafeMutableRawPointer, SystemError> {
    guard let address = Glibc.mmap(nil, length, protection, MAP_SHARED, fd, Int(offset)),
      address != clinux_map_failed
    else { return .failure(SystemError(errno: Glibc.errno, call: "mmap")) }
    return .success(address)
  }

  /// `munmap(2)`.
  public func munmap(_ address: UnsafeMutableRawPointer, _ length: Int) -> Int32 {
    kernel(Glibc.munmap(address, length))
  }

  /// `poll(2)`.
  public func poll(_ fds: UnsafeMutableBufferPointer<pollfd>, _ timeout: Int32) -> Int32 {
    kernel(Glibc.poll(fds.baseAddress, nfds_t(fds.count), timeout))
  }

  /// `eventfd(2)`.
  public func eventfd() -> Int32 { kernel(clinux_eventfd(0)) }

  /// `pidfd_open(2)`.
  public func processDescriptor(_ process: pid_t) -> Int32 { kernel(clinux_pidfd(process)) }

  /// `inotify_init1(2)`.
  public func inotify() -> Int32 { kernel(clinux_inotify()) }

  /// `inotify_add_watch(2)`.
  public func watch(_ fd: Int32, _ path: String, _ mask: UInt32) -> Int32 {
    kernel(clinux_inotify_add_watch(fd, path, mask))
  }

  /// `fsync(2)`.
  public func fsync(_ fd: Int32) -> Int32 { kernel(Glibc.fsync(fd)) }

  /// `fdatasync(2)`.
  public func fdatasync(_ fd: Int32) -> Int32 { kernel(Glibc.fdatasync(fd)) }

  /// `linkat(2)` through `/proc/self/fd`.
  public func linkUnnamed(_ fd: Int32, _ directory: Int32, _ name: String) -> Int32 {
    kernel(clinux_link_unnamed(fd, directory, name))
  }

  /// `renameat2(2)` with `RENAME_NOREPLACE`.
  public func renameNew(_ directory: Int32, _ from: String, _ to: String) -> Int32 {
    kernel(clinux_rename_new(directory, from, to))
  }

  /// `unlinkat(2)`.
  public func unlinkat(_ directory: Int32, _ name: String) -> Int32 {
    kernel(Glibc.unlinkat(directory, name, 0))
  }

  /// `mkdirat(2)`.
  public func mkdirat(_ directory: Int32, _ name: String, _ mode: UInt32) -> Int32 {
    kernel(Glibc.mkdirat(directory, name, mode))
  }

  /// `fstat(2)`.
  public func fstat(_ fd: Int32, _ status: UnsafeMutablePointer<stat>) -> Int32 {
    kernel(Glibc.fstat(fd, status))
  }

  /// `fstatfs(2)`.
  public func fstatfs(_ fd: Int32, _ status: UnsafeMutablePointer<statfs>) -> Int32 {
    kernel(CLinux.fstatfs(fd, status))
  }

  /// `opendir(3)` and `readdir(3)`.
  public func entries(_ path: String) -> Result<[String], SystemError> {
    guard let stream = opendir(path) else {
      return .failure(SystemError(errno: Glibc.errno, call: "opendir", path: path))
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      Glibc.errno = 0
      guard let entry = readdir(stream) else {
        guard Glibc.errno == 0 else {
          return .failure(SystemError(errno: Glibc.errno, call: "readdir", path: path))
        }
        return .success(names)
      }
      let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
      let name = String(
        cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
      if name != ".", name != ".." { names.append(name) }
    }
  }

  /// `readlink(2)`.
  public func readlink(_ path: String) -> Result<String, SystemError> {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { buffer in
      guard let start = buffer.baseAddress else { return .success("") }
      let count = Glibc.readlink(path, start, buffer.count - 1)
      guard count >= 0 else {
        return .failure(SystemError(errno: Glibc.errno, call: "readlink", path: path))
      }
      buffer[count] = 0
      return .success(String(cString: start))
    }
  }

  /// `clock_gettime(2)`.
  public func monotonicTime() -> MonotonicTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
