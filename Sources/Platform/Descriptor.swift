/// The one owner of a file descriptor.
///
/// It is closed when the owner goes.
public struct Descriptor: ~Copyable {
  /// The number, for the calls that take one.
  ///
  /// Valid as long as the owner lives.
  public private(set) var number: Int32
  /// Where calls on it are made.
  public let system: any SystemCalls

  /// Takes over an open descriptor.
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

  /// Closes it now and reports what `close(2)` says, which on some file systems is the first word
  /// of a failed write.
  public consuming func close() throws(SystemError) {
    let closing = number
    number = -1  // `deinit` runs at the end of this function, and must not close it again.
    // Not repeated after EINTR: Linux has released the number by then.
    let result = system.close(closing)
    if result != -Errno.interrupted { try system.check(result, "close") }
  }

  /// Gives the open number up to the caller, who closes it.
  public consuming func release() -> Int32 {
    let released = number
    number = -1  // `deinit` runs at the end of this function, and must not close it.
    return released
  }

  deinit {
    if number >= 0 { _ = system.close(number) }
  }
}
