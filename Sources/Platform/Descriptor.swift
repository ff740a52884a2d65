/// The single owner of a file descriptor.
///
/// The descriptor is closed when the owner ends.
public struct Descriptor: ~Copyable {
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
