import Platform

/// The observed time between frames, which in the dark is longer than the granted period.
struct FrameRhythm: Equatable {
  /// The longest time between frames, which decays while frames come faster.
  private(set) var slowest = Duration.zero
  /// The mean time between frames, including those that the driver lost.
  private(set) var mean = Duration.zero
  private var intervals = 0

  /// The maximum interval that is taken into account.
  static let longest = Duration.seconds(3)

  /// Whether enough frames of the current stream have arrived.
  var isKnown: Bool { intervals >= 3 }

  /// Adds the time since the frame before, with the number of frames by the driver's sequence
  /// numbers.
  mutating func note(_ interval: Duration, frames: Int) {
    intervals = min(intervals + 1, 1 << 20)
    let interval = max(.zero, min(interval, FrameRhythm.longest))
    slowest = interval > slowest ? interval : slowest - (slowest - interval) / 32
    let single = interval / max(frames, 1)
    mean = intervals == 1 ? single : mean + (single - mean) / 8
  }

  /// Begins a new stream of the same camera and keeps the observed times, because the light is
  /// probably the same.
  mutating func restart() { intervals = 0 }
}
