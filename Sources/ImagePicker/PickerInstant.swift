/// An instant of CLOCK_MONOTONIC, the clock for presses, frames and timers.
///
/// The module reads no clock; its caller supplies the readings. The unit is nanoseconds since an
/// arbitrary start. Arithmetic saturates at the ends of the range and never traps.
public struct PickerInstant: Hashable, Comparable, Sendable, InstantProtocol {
  /// The reading of the clock in nanoseconds.
  public var nanoseconds: Int64

  /// Creates the instant with that reading of the clock.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The earliest instant that can be represented.
  public static let distantPast = PickerInstant(nanoseconds: .min)

  /// Returns whether `lhs` is earlier than `rhs`.
  public static func < (lhs: PickerInstant, rhs: PickerInstant) -> Bool {
    lhs.nanoseconds < rhs.nanoseconds
  }

  /// Returns the instant `duration` later.
  public func advanced(by duration: Duration) -> PickerInstant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
    guard overflow else { return PickerInstant(nanoseconds: sum) }
    return PickerInstant(nanoseconds: duration < .zero ? .min : .max)
  }

  /// Returns the time from this instant to `other`, which is negative if `other` is earlier.
  public func duration(to other: PickerInstant) -> Duration {
    let (difference, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
    guard overflow else { return .nanoseconds(difference) }
    return .nanoseconds(other < self ? Int64.min : Int64.max)
  }
}

extension Duration {
  fileprivate var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, first) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, second) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
    guard first || second else { return sum }
    return seconds < 0 ? .min : .max
  }
}
