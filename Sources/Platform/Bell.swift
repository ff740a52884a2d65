/// Wakes a thread that polls, from one that must neither wait nor allocate.
///
/// Source: eventfd(2).
public final class Bell: Sendable {
  /// What is polled for input, for as long as the bell lives.
  public let number: Int32
  private let system: any SystemCalls

  /// Makes one that has not rung.
  public init(system: any SystemCalls = LinuxSystemCalls()) throws(SystemError) {
    number = try system.check(system.eventfd(), "eventfd")
    self.system = system
  }

  deinit { _ = system.close(number) }

  /// Wakes whoever polls; from any thread.
  public func ring() {
    var one: UInt64 = 1
    withUnsafeBytes(of: &one) { bytes in
      // Fails only when it has rung so often that it rings anyway.
      _ = system.retrying { $0.write(number, bytes) }
    }
  }

  /// Stops it ringing; for who heard it.
  public func answer() {
    var count: UInt64 = 0
    withUnsafeMutableBytes(of: &count) { bytes in
      _ = system.retrying { $0.read(number, bytes) }
    }
  }
}
