import Platform

/// The signs of life of the station's parts.
struct Heartbeats {
  /// Asks a part for a sign of life; the part calls `answer` from any thread.
  typealias Question = @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void

  private struct Part {
    let patience: Duration
    var last: MonotonicTime
    var isAsked = false
  }

  private var parts: [String: Part] = [:]

  /// Expects signs of life of `name` from now on, the first within `patience`.
  mutating func expect(_ name: String, patience: Duration, now: MonotonicTime) {
    parts[name] = Part(patience: patience, last: now)
  }

  /// Restarts the patience of every part at `now`.
  mutating func begin(now: MonotonicTime) {
    for name in parts.keys { parts[name]?.last = now }
  }

  /// Records a sign of life.
  mutating func beat(_ name: String, now: MonotonicTime) {
    parts[name]?.last = now
    parts[name]?.isAsked = false
  }

  /// Returns whether the part must be asked now, since no question to it is open.
  mutating func shouldAsk(_ name: String) -> Bool {
    guard let part = parts[name], !part.isAsked else { return false }
    parts[name]?.isAsked = true
    return true
  }

  /// Returns the names of the parts that were silent for longer than their patience.
  func silent(now: MonotonicTime) -> [String] {
    parts.filter { now - $0.value.last > $0.value.patience }.keys.sorted()
  }

  /// Returns how long each part has been silent.
  func ages(now: MonotonicTime) -> [String: Duration] { parts.mapValues { now - $0.last } }
}
