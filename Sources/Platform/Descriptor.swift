import CLinux

/// The single owner of a file descriptor.
///
/// The descriptor is closed when the owner ends.
public struct Descriptor: ~Copyable, Sendable {
  /// The number, for the calls that need one.
  ///
  /// Valid while the owner lives.
  public private(set) var number: Int32
  /// The system calls that work on the descriptor.
  public let system: any SystemCalls

  /// Takes ownership of an open descriptor.
  public init(owning number: Int32, system: any SystemCalls) {
    self.number = number
    self.system = system
  }

  /// Opens `path` with `O_CLOEXEC`.
  public init(
    opening path: String, flags: Int32, mode: UInt32 = 0, system: any SystemCalls
  ) throws(SystemError) {
    let result = system.retrying { $0.open(path, flags, mode) }
    self.number = try system.check(result, "open", path)
    self.system = system
  }

  /// Opens `path` below an open directory with `O_CLOEXEC`, following no link.
  ///
  /// `place` is the directory's path, for messages.
  public init(
    opening path: String, beneath directory: Int32, at place: @autoclosure () -> String,
    flags: Int32, mode: UInt32 = 0, system: any SystemCalls
  ) throws(SystemError) {
    let result = system.retrying { $0.openBeneath(directory, path, flags, mode) }
    self.number = try system.check(result, "open", "\(place())/\(path)")
    self.system = system
  }

  /// Closes the descriptor now and throws the error of `close(2)`.
  ///
  /// On some file systems that is the first report of a failed write.
  public consuming func close() throws(SystemError) {
    let closing = number
    number = -1  // `deinit` runs at the end of this function, and must not close it again.
    // No retry after EINTR, because Linux has released the number by then.
    let result = system.close(closing)
    if result != -Errno.interrupted { try system.check(result, "close") }
  }

  /// Blocks until the descriptor is readable, or at its end, or broken; nil waits without end.
  ///
  /// - Returns: False once the deadline has passed.
  public func isReadable(until deadline: MonotonicTime?) -> Bool {
    let (number, system) = (number, system)
    while true {
      var timeout: Int32 = -1
      if let deadline {
        let left = (deadline - system.monotonicTime()).nanoseconds
        // Rounded up, so that the last millisecond is no loop.
        timeout = left > 0 ? Int32(clamping: (left - 1) / 1_000_000 + 1) : 0
      }
      var wanted = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      let ready = withUnsafeMutablePointer(to: &wanted) {
        system.poll(UnsafeMutableBufferPointer(start: $0, count: 1), timeout)
      }
      if ready == 0, timeout == 0 { return false }
      if ready != 0, ready != -Errno.interrupted { return true }
    }
  }

  /// Releases ownership; the caller must close the number.
  public consuming func release() -> Int32 {
    let released = number
    number = -1  // `deinit` runs at the end of this function, and must not close it.
    return released
  }

  deinit {
    if number >= 0 { _ = system.close(number) }
  }
}
