import Platform

/// Where a series of frames goes from dark to bright.
struct BrightnessStep: Equatable {
  /// The first frame that shows the lamp, and the last one that does not.
  var lit: MonotonicTime
  var dark: MonotonicTime

  /// Finds the step in the frames' brightness around the instant at which the lamp was lit; nil
  /// where there is none that stands out from the noise.
  ///
  /// - Parameters:
  ///   - frames: Dates and mean brightness, in order.
  ///   - switched: When the lamp was lit.
  init?(_ frames: [(time: MonotonicTime, brightness: Double)], switched: MonotonicTime) {
    let before = frames.filter { $0.time <= switched }.map(\.brightness)
    let after = frames.filter { $0.time > switched }
    guard before.count >= 3, after.count >= 3 else { return nil }
    let base = before.reduce(0, +) / Double(before.count)
    let noise = before.map { ($0 - base).magnitude }.max() ?? 0
    // The brightest that follows: a camera's exposure control takes it back later.
    guard let peak = after.map(\.brightness).max(), peak - base > max(4, noise * 3) else {
      return nil
    }
    let threshold = base + (peak - base) / 2
    guard
      let index = frames.firstIndex(where: { $0.time > switched && $0.brightness >= threshold }),
      index > 0
    else { return nil }
    (lit, dark) = (frames[index].time, frames[index - 1].time)
  }
}
