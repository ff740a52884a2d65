import Capture
import Platform
import Shots

/// Copies the frames around a moment out of a camera's ring, before newer frames displace them.
///
/// The copies hold no buffer of the camera, so the camera has all its buffers during the review.
struct FrameCollector {
  /// The maximum distance of a frame from the nearest one, beyond which it shows another moment.
  static let reach = Duration.milliseconds(400)
  var ring: FrameRing
  var system: any SystemCalls
  /// The time to wait for the first frame after the moment.
  var patience = FrameChooser.defaultPatience
  /// The maximum number of bytes of all copies together.
  var budget = MemoryBudget.reviewFrames

  /// Copies up to `count` frames around `moment`, the oldest first.
  ///
  /// The frame nearest to the moment is in the middle.
  ///
  /// Blocks until the last of them has arrived, usually two frames after the moment. When a frame
  /// does not arrive in time, the result has fewer frames. When the copies exceed the budget, the
  /// frames nearest to the moment are kept.
  func collect(
    around moment: MonotonicTime, count: Int, isWanted: () -> Bool
  ) -> [FrameCopy] {
    let deadline = max(moment, system.monotonicTime()) + patience
    guard let nearest = nearest(to: moment, until: deadline, isWanted) else { return [] }
    let others = max(0, count - 1)
    let after = others / 2
    let before = FrameID(others - after)
    let last = nearest.id + FrameID(after)
    var copies = Copies(nearest: nearest.id, budget: budget)
    var previous = nearest.id > before ? nearest.id - before - 1 : 0
    let end = nearest.time + Self.reach
    while previous < last, isWanted() {
      let left = end - system.monotonicTime()
      // Frames that are in the ring already are taken even after the time limit.
      guard let lease = ring.frame(following: previous, timeout: max(.zero, left)) else { break }
      previous = lease.frame.id
      guard previous <= last else { break }
      guard (lease.frame.timestamp - nearest.time).magnitude <= Self.reach else { continue }
      copies.add(lease.frame)
    }
    return isWanted() ? copies.all : []
  }

  private func nearest(
    to moment: MonotonicTime, until deadline: MonotonicTime, _ isWanted: () -> Bool
  ) -> (id: FrameID, time: MonotonicTime)? {
    while isWanted() {
      let left = deadline - system.monotonicTime()
      guard left > .zero else { return nil }
      guard let lease = ring.frame(nearest: moment, timeout: left) else { continue }
      let (id, time) = (lease.frame.id, lease.frame.timestamp)
      // A frame that is too old is the nearest only until a newer frame arrives.
      if time >= moment - FrameChooser.defaultEarliest { return (id, time) }
    }
    return nil
  }

  /// The copies so far, limited to the budget.
  private struct Copies {
    let nearest: FrameID
    let budget: Int
    var all: [FrameCopy] = []
    var used = 0

    mutating func add(_ frame: Frame) {
      let bytes = FrameCopy.byteCount(of: frame)
      // Earlier copies that are farther from the nearest frame give way.
      while used + bytes > budget, let first = all.first, distance(first.id) > distance(frame.id) {
        used -= first.byteCount
        all.removeFirst()
      }
      guard used + bytes <= budget else { return }
      all.append(FrameCopy(frame))
      used += bytes
    }

    private func distance(_ id: FrameID) -> FrameID { id > nearest ? id - nearest : nearest - id }
  }
}
