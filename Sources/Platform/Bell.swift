/// Wakes a thread that polls, from a thread that must neither wait nor allocate.
///
/// Source: eventfd(2).
public final class Bell: Sendable {
  /// The descriptor to poll for input, valid while the bell lives.
  public let number: Int32
  private let system: any SystemCalls

  /// Creates a bell that has not rung.
  public init(system: any SystemCalls = LinuxSystemCalls()) throws(SystemError) {
    number = try system.check(system.eventfd(), "eventfd")
    self.system = system
  }

  deinit { _ = system.close(number) }

  /// Wakes the polling thread; callable from any thread.
  public func ring() {
    var one: UInt64 = 1
    withUnsafeBytes(of: &one) { bytes in
      // The write fails only if the counter is at its maximum, and then the bell rings anyway.
      _ = system.retrying { $0.write(number, bytes) }
    }
  }

  /// Resets the bell; the polling thread calls it after waking.
  public func answer() {
    var count: UInt64 = 0
    withUnsafeMutableBytes(of: &count) { bytes in
      _ = system.retrying { $0.read(number, bytes) }
    }
  }
}
