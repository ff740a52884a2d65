import Platform

/// The delays between looks for a missing device: short at first, then two seconds.
///
/// While nothing is missing, the delay is the interval of the checks for that, because on some
/// kernels a chip that disappears causes no event.
struct RetryTimer: Equatable {
  static let longest = Duration.seconds(2)

  private var next = Duration.milliseconds(100)

  /// Returns the delay before the next look.
  mutating func wait(isComplete: Bool) -> Duration {
    guard !isComplete else {
      next = .milliseconds(100)
      return RetryTimer.longest
    }
    defer { next = min(next * 2, RetryTimer.longest) }
    return next
  }
}
