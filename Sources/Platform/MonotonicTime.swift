/// An instant of the kernel's CLOCK_MONOTONIC, the clock that dates buffers, edges and timers.
///
/// It does not run while the machine is suspended and is never set back. Unit: nanoseconds.
public struct MonotonicTime: Hashable, Comparable, Sendable, InstantProtocol {
  /// Nanoseconds since an arbitrary start, for Linux the boot.
  public var nanoseconds: Int64

  /// Makes the instant with that reading of the clock.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Whether `lhs` comes first.
  public static func < (lhs: MonotonicTime, rhs: MonotonicTime) -> Bool {
    lhs.nanoseconds < rhs.nanoseconds
  }

  /// The instant `duration` later; held at the ends of the range.
  public func advanced(by duration: Duration) -> MonotonicTime {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.nanoseconds)
    guard overflow else { return MonotonicTime(nanoseconds: sum) }
    return MonotonicTime(nanoseconds: duration < .zero ? .min : .max)
  }

  /// How much later `other` is.
  public func duration(to other: MonotonicTime) -> Duration {
    let (difference, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
    guard overflow else { return .nanoseconds(difference) }
    return .nanoseconds(other < self ? Int64.min : Int64.max)
  }

  /// How much later `lhs` is than `rhs`.
  public static func - (lhs: MonotonicTime, rhs: MonotonicTime) -> Duration {
    rhs.duration(to: lhs)
  }

  /// The instant `duration` later.
  public static func + (lhs: MonotonicTime, duration: Duration) -> MonotonicTime {
    lhs.advanced(by: duration)
  }

  /// The instant `duration` earlier.
  public static func - (lhs: MonotonicTime, duration: Duration) -> MonotonicTime {
    lhs.advanced(by: .zero - duration)
  }
}

extension Duration {
  /// The whole nanoseconds of it; held at the ends of `Int64`.
  public var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, first) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, second) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
    guard first || second else { return sum }
    return seconds < 0 ? .min : .max
  }

  /// It as a number of milliseconds, for people to read.
  public var milliseconds: Double { Double(nanoseconds) / 1e6 }

  /// It without its sign.
  public var magnitude: Duration { self < .zero ? .zero - self : self }
}
