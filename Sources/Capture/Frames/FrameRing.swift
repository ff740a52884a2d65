import Platform

/// A ring of a camera's last usable frames, to choose the one nearest to an instant that has just
/// passed.
///
/// The ring holds a use of each frame until newer frames replace it. All public members may be used
/// from any thread; only those with a `timeout` wait.
public final class FrameRing: @unchecked Sendable {
  // Unchecked because `frames`, `capacity` and `asker` are accessed only under the monitor's lock.
  private let monitor = Monitor()
  private let system: any SystemCalls
  private var frames: [Frame] = []
  private var capacity = 1
  private var asker: (@Sendable () -> Void)?

  init(system: any SystemCalls) {
    self.system = system
    frames.reserveCapacity(33)
  }

  /// The number of frames in the ring.
  public var count: Int {
    monitor.lock()
    defer { monitor.unlock() }
    return frames.count
  }

  /// Returns the newest usable frame, or nil if there is none.
  public func newest() -> FrameLease? {
    monitor.lock()
    defer { monitor.unlock() }
    return frames.last?.lease()
  }

  /// The number of the newest usable frame; nil if there is none.
  public var newestID: FrameID? {
    monitor.lock()
    defer { monitor.unlock() }
    return frames.last?.id
  }

  /// Returns the frame whose timestamp is nearest to `moment` and whose number is not in
  /// `excluded`, or nil if there is none.
  public func nearest(to moment: MonotonicTime, excluding excluded: Set<FrameID> = [])
    -> FrameLease?
  {
    monitor.lock()
    defer { monitor.unlock() }
    return best(moment, excluded)?.lease()
  }

  /// Waits until a frame from `moment` or later has arrived, or until `timeout` is over, and
  /// returns the nearest frame, or nil if there is none.
  ///
  /// The call blocks its thread, so it belongs on a worker. A caller that finds a frame unusable
  /// adds its number to `excluded` and tries again. With `period`, the shortest time from one frame
  /// to the next, a frame from before the moment is returned without waiting if the next one cannot
  /// be nearer.
  @available(*, noasync, message: "this call blocks its thread")
  public func frame(
    nearest moment: MonotonicTime, timeout: Duration, excluding excluded: Set<FrameID> = [],
    period: Duration? = nil
  ) -> FrameLease? {
    let deadline = system.monotonicTime() + timeout
    monitor.lock()
    defer { monitor.unlock() }
    while !reaches(moment, excluded, period) {
      if system.monotonicTime() >= deadline { break }
      if !monitor.wait(until: deadline) { break }
    }
    return best(moment, excluded)?.lease()
  }

  /// Waits until there is a frame newer than `last` and returns it, or returns nil after `timeout`.
  ///
  /// The call blocks its thread, so it belongs on a worker.
  @available(*, noasync, message: "this call blocks its thread")
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

  /// Waits until there is a frame whose number is above `last`, or until `timeout` is over, and
  /// returns the oldest of those, or nil if there is none.
  ///
  /// The call blocks its thread, so it belongs on a worker.
  @available(*, noasync, message: "this call blocks its thread")
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

  /// Calls `body` once when there is a frame newer than `last`, either at once or later on the
  /// capture thread, which `body` must not block.
  ///
  /// Holds at most one waiter; registering another replaces it.
  public func whenNewer(than last: FrameID?, _ body: @escaping @Sendable () -> Void) {
    monitor.lock()
    let isThere = frames.last.map { $0.id != last } ?? false
    asker = isThere ? nil : body
    monitor.unlock()
    if isThere { body() }
  }

  /// Returns whether the frame nearest to the moment can be chosen without waiting.
  func isReached(
    _ moment: MonotonicTime, _ excluded: Set<FrameID>, _ period: Duration?
  ) -> Bool {
    monitor.lock()
    defer { monitor.unlock() }
    return reaches(moment, excluded, period)
  }

  private func reaches(
    _ moment: MonotonicTime, _ excluded: Set<FrameID>, _ period: Duration?
  ) -> Bool {
    frames.contains { frame in
      guard !excluded.contains(frame.id) else { return false }
      let before = moment - frame.timestamp
      guard before > .zero else { return true }
      // Frames may arrive up to an eighth of a period early.
      return period.map { before * 2 <= $0 - $0 / 8 } ?? false
    }
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

  /// Sets the maximum number of frames in the ring.
  func resize(to capacity: Int) {
    monitor.lock()
    self.capacity = max(capacity, 1)
    monitor.unlock()
    trim(to: self.capacity)
  }

  /// Appends `frame` and takes over the caller's use of it.
  func push(_ frame: Frame) {
    trim(to: capacity - 1)
    monitor.lock()
    frames.append(frame)
    let body = asker
    asker = nil
    monitor.unlock()
    // Notify after unlocking, so the woken thread does not contend for the lock.
    monitor.broadcast()
    body?()
  }

  /// Releases the oldest frame; returns false if there is none.
  @discardableResult
  func dropOldest() -> Bool {
    monitor.lock()
    let frame = frames.isEmpty ? nil : frames.remove(at: 0)
    monitor.unlock()
    frame?.release()
    return frame != nil
  }

  /// Releases the oldest frame if the ring is full.
  func makeRoom() { trim(to: capacity - 1) }

  /// Releases all frames.
  func clear() { trim(to: 0) }

  private func trim(to count: Int) {
    while self.count > count { dropOldest() }
  }
}
