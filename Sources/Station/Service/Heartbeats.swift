import Platform

/// Which parts of the station have shown that they live, and which have not for too long.
struct Heartbeats {
  /// Asks a part for a sign of life; it calls the closure, from any thread, when it lives.
  typealias Question = @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void

  private struct Part {
    let patience: Duration
    var last: MonotonicTime
    var isAsked = false
  }

  private var parts: [String: Part] = [:]

  /// Expects signs of `name` from now on, the first within `patience`.
  mutating func expect(_ name: String, patience: Duration, now: MonotonicTime) {
    parts[name] = Part(patience: patience, last: now)
  }

  /// Counts every part's patience from now.
  mutating func begin(now: MonotonicTime) {
    for name in parts.keys { parts[name]?.last = now }
  }

  /// Notes a sign of life.
  mutating func beat(_ name: String, now: MonotonicTime) {
    parts[name]?.last = now
    parts[name]?.isAsked = false
  }

  /// Whether the part is to be asked now: nobody waits for an answer of it already.
  mutating func shouldAsk(_ name: String) -> Bool {
    guard let part = parts[name], !part.isAsked else { return false }
    parts[name]?.isAsked = true
    return true
  }

  /// The parts that have been silent for longer than their patience, by name.
  func silent(now: MonotonicTime) -> [String] {
    parts.filter { now - $0.value.last > $0.value.patience }.keys.sorted()
  }

  /// For how long each part has been silent.
  func ages(now: MonotonicTime) -> [String: Duration] { parts.mapValues { now - $0.last } }
}
