import Platform

/// The last usable frames of a camera, for choosing the one of an instant that has just passed.
///
/// It holds a use of each, which the next frames push out. Safe from any thread; nothing but
/// ``frame(nearest:timeout:excluding:)`` waits.
public final class FrameRing: @unchecked Sendable {
  // Unchecked: `frames`, `capacity` and `asker` are touched under the monitor's lock only.
  private let monitor = Monitor()
  private let system: any SystemCalls
  private var frames: [Frame] = []
  private var capacity = 1
  private var asker: (@Sendable () -> Void)?

  init(system: any SystemCalls) {
    self.system = system
    frames.reserveCapacity(33)
  }

  /// How many frames are held.
  public var count: Int {
    monitor.lock()
    defer { monitor.unlock() }
    return frames.count
  }

  /// The newest usable frame; nil when there is none.
  public func newest() -> FrameLease? {
    monitor.lock()
    defer { monitor.unlock() }
    return frames.last?.lease()
  }

  /// The number of the newest usable frame; nil when there is none.
  public var newestID: FrameID? {
    monitor.lock()
    defer { monitor.unlock() }
    return frames.last?.id
  }

  /// The frame whose timestamp is nearest to `moment` and whose number is not in `excluded`; nil
  /// when there is none.
  public func nearest(to moment: MonotonicTime, excluding excluded: Set<FrameID> = [])
    -> FrameLease?
  {
    monitor.lock()
    defer { monitor.unlock() }
    return best(moment, excluded)?.lease()
  }

  /// Waits until a frame from `moment` or later has arrived, or until `timeout` is over, and gives
  /// the nearest; nil when there is none.
  ///
  /// It blocks its thread: call it from a worker. A frame that turned out unusable goes into
  /// `excluded` for the next try.
  public func frame(
    nearest moment: MonotonicTime, timeout: Duration, excluding excluded: Set<FrameID> = []
  ) -> FrameLease? {
    let deadline = system.monotonicTime() + timeout
    monitor.lock()
    defer { monitor.unlock() }
    while !reaches(moment, excluded) {
      if system.monotonicTime() >= deadline { break }
      if !monitor.wait(until: deadline) { break }
    }
    return best(moment, excluded)?.lease()
  }

  /// Waits until there is a frame newer than `last`, or until `timeout` is over.
  ///
  /// It blocks its thread: call it from a worker.
  public func frame(after last: FrameID?, timeout: Duration) -> FrameLease? {
    let deadline = system.monotonicTime() + timeout
    monitor.lock()
    defer { monitor.unlock() }
    while true {
      if let newest = frames.last, newest.id != last { return newest.lease() }
      if system.monotonicTime() >= deadline { return nil }
      if !monitor.wait(until: deadline) { return nil }
    }
  }

  /// Waits until there is a frame whose number is above `last`, or until `timeout` is over, and gives
  /// the oldest of those; nil when there is none.
  ///
  /// It blocks its thread: call it from a worker.
  public func frame(following last: FrameID, timeout: Duration) -> FrameLease? {
    let deadline = system.monotonicTime() + timeout
    monitor.lock()
    defer { monitor.unlock() }
    while true {
      if let frame = frames.first(where: { $0.id > last }) { return frame.lease() }
      if system.monotonicTime() >= deadline { return nil }
      if !monitor.wait(until: deadline) { return nil }
    }
  }

  /// Calls `body` once when there is a frame newer than `last`: at once if there is, else on the
  /// capture thread, which it must not hold up.
  ///
  /// There is one who asks: the next takes the place of the last.
  public func whenNewer(than last: FrameID?, _ body: @escaping @Sendable () -> Void) {
    monitor.lock()
    let isThere = frames.last.map { $0.id != last } ?? false
    asker = isThere ? nil : body
    monitor.unlock()
    if isThere { body() }
  }

  private func reaches(_ moment: MonotonicTime, _ excluded: Set<FrameID>) -> Bool {
    frames.contains { $0.timestamp >= moment && !excluded.contains($0.id) }
  }

  private func best(_ moment: MonotonicTime, _ excluded: Set<FrameID>) -> Frame? {
    var best: (frame: Frame, distance: Duration)?
    for frame in frames where !excluded.contains(frame.id) {
      let distance = (frame.timestamp - moment).magnitude
      if let found = best, found.distance <= distance { continue }
      best = (frame, distance)
    }
    return best?.frame
  }

  // MARK: Capture thread only

  /// Sets how many frames are kept.
  func resize(to capacity: Int) {
    monitor.lock()
    self.capacity = max(capacity, 1)
    monitor.unlock()
    trim(to: self.capacity)
  }

  /// Takes over the caller's use of `frame`.
  func push(_ frame: Frame) {
    trim(to: capacity - 1)
    monitor.lock()
    frames.append(frame)
    let body = asker
    asker = nil
    monitor.unlock()
    // Afterwards: who wakes finds the lock free.
    monitor.broadcast()
    body?()
  }

  /// Lets the oldest frame go; false when there is none.
  @discardableResult
  func dropOldest() -> Bool {
    monitor.lock()
    let frame = frames.isEmpty ? nil : frames.remove(at: 0)
    monitor.unlock()
    frame?.release()
    return frame != nil
  }

  /// Lets the oldest frame go if the next would push it out.
  func makeRoom() { trim(to: capacity - 1) }

  /// Lets all frames go.
  func clear() { trim(to: 0) }

  private func trim(to count: Int) {
    while self.count > count { dropOldest() }
  }
}
