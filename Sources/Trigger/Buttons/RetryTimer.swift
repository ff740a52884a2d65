import Platform

/// When something that is not there is looked for again: soon at first, then every two seconds.
///
/// While all is well it is the interval at which that is made sure of: a chip that goes away wakes
/// nobody on some kernels.
struct RetryTimer: Equatable {
  static let longest = Duration.seconds(2)

  private var next = Duration.milliseconds(100)

  /// How long to wait now.
  mutating func wait(isComplete: Bool) -> Duration {
    guard !isComplete else {
      next = .milliseconds(100)
      return RetryTimer.longest
    }
    defer { next = min(next * 2, RetryTimer.longest) }
    return next
  }
}
