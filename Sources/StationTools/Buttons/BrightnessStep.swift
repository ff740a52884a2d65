import Platform

/// The step from dark to bright in a series of frames.
struct BrightnessStep: Equatable {
  /// The time of the first frame that shows the lamp, and of the last dark frame before it.
  var lit: MonotonicTime
  var dark: MonotonicTime

  /// Finds the step in the frames' brightness after the lamp was lit.
  ///
  /// The result is `nil` when no step rises above the noise.
  ///
  /// - Parameters:
  ///   - frames: The frames' times and mean brightness, in order.
  ///   - switched: The time when the lamp was lit.
  init?(_ frames: [(time: MonotonicTime, brightness: Double)], switched: MonotonicTime) {
    let before = frames.filter { $0.time <= switched }.map(\.brightness)
    let after = frames.filter { $0.time > switched }
    guard before.count >= 3, after.count >= 3 else { return nil }
    let base = before.reduce(0, +) / Double(before.count)
    let noise = before.map { ($0 - base).magnitude }.max() ?? 0
    // The peak is used, since a camera's exposure control lowers the brightness again later.
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
