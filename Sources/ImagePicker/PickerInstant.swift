/// An instant of the clock that dates presses, frames and timers, which is CLOCK_MONOTONIC.
///
/// The module reads no clock; whoever drives it gives the readings. Unit: nanoseconds since an
/// arbitrary start. Arithmetic is held at the ends of the range and never traps.
public struct PickerInstant: Hashable, Comparable, Sendable, InstantProtocol {
  /// The reading of the clock in nanoseconds.
  public var nanoseconds: Int64

  /// Makes the instant with that reading of the clock.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Earlier than every other instant.
  public static let distantPast = PickerInstant(nanoseconds: .min)

  /// Whether `lhs` comes first.
  public static func < (lhs: PickerInstant, rhs: PickerInstant) -> Bool {
    lhs.nanoseconds < rhs.nanoseconds
  }

  /// The instant `duration` later.
  public func advanced(by duration: Duration) -> PickerInstant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
    guard overflow else { return PickerInstant(nanoseconds: sum) }
    return PickerInstant(nanoseconds: duration < .zero ? .min : .max)
  }

  /// How much later `other` is.
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
