/// An instant of the kernel's CLOCK_MONOTONIC, the clock that dates buffers, edges and timers.
///
/// The clock stops while the machine is suspended and is never set back. Unit: nanoseconds.
public struct MonotonicTime: Hashable, Comparable, Sendable, InstantProtocol {
  /// The nanoseconds since an arbitrary start, on Linux the boot.
  public var nanoseconds: Int64

  /// Creates the instant of a reading of the clock.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The present reading of the clock.
  public static var now: MonotonicTime { LinuxSystemCalls().monotonicTime() }

  /// Returns whether `lhs` comes first.
  public static func < (lhs: MonotonicTime, rhs: MonotonicTime) -> Bool {
    lhs.nanoseconds < rhs.nanoseconds
  }

  /// Returns the instant that is `duration` later, clamped to the range.
  public func advanced(by duration: Duration) -> MonotonicTime {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.nanoseconds)
    guard overflow else { return MonotonicTime(nanoseconds: sum) }
    return MonotonicTime(nanoseconds: duration < .zero ? .min : .max)
  }

  /// Returns the time from this instant to `other`.
  public func duration(to other: MonotonicTime) -> Duration {
    let (difference, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
    guard overflow else { return .nanoseconds(difference) }
    return .nanoseconds(other < self ? Int64.min : Int64.max)
  }

  /// Returns the time from `rhs` to `lhs`.
  public static func - (lhs: MonotonicTime, rhs: MonotonicTime) -> Duration {
    rhs.duration(to: lhs)
  }

  /// Returns the instant that is `duration` later.
  public static func + (lhs: MonotonicTime, duration: Duration) -> MonotonicTime {
    lhs.advanced(by: duration)
  }

  /// Returns the instant that is `duration` earlier.
  public static func - (lhs: MonotonicTime, duration: Duration) -> MonotonicTime {
    lhs.advanced(by: .zero - duration)
  }
}

extension Duration {
  /// The duration in whole nanoseconds, clamped to the range of `Int64`.
  public var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, first) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, second) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
    guard first || second else { return sum }
    return seconds < 0 ? .min : .max
  }

  /// The duration in milliseconds, for people to read.
  public var milliseconds: Double { Double(nanoseconds) / 1e6 }

  /// The duration without its sign.
  public var magnitude: Duration { self < .zero ? .zero - self : self }
}
