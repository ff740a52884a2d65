import Platform

/// How far apart frames come, as observed; a camera in the dark sends fewer than it was told to.
struct FrameRhythm: Equatable {
  /// The longest time between frames, which is forgotten while frames come faster.
  private(set) var slowest = Duration.zero
  /// The mean time between frames, those that the driver lost counted.
  private(set) var mean = Duration.zero
  private var intervals = 0

  /// Longer than this is no rhythm.
  static let longest = Duration.seconds(3)

  /// Whether enough of the present stream was seen.
  var isKnown: Bool { intervals >= 3 }

  /// Takes the time from the frame before, with how many frames of the driver's count lie in it.
  mutating func note(_ interval: Duration, frames: Int) {
    intervals = min(intervals + 1, 1 << 20)
    let interval = max(.zero, min(interval, FrameRhythm.longest))
    slowest = interval > slowest ? interval : slowest - (slowest - interval) / 32
    let single = interval / max(frames, 1)
    mean = intervals == 1 ? single : mean + (single - mean) / 8
  }

  /// Begins a new stream of the same camera, which is probably still in the dark.
  mutating func restart() { intervals = 0 }
}
