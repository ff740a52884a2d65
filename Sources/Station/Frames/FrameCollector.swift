import Capture
import Platform

/// Copies the frames around a moment out of a camera's ring, before they are pushed out of it.
///
/// The copies hold no buffer of the camera, which would starve of them while a guest decides.
struct FrameCollector {
  /// A frame that is farther from the nearest one than this is not of the same moment any more.
  static let reach = Duration.milliseconds(400)
  var ring: FrameRing
  var system: any SystemCalls
  /// How long the first frame after the moment is waited for.
  var patience = FrameChooser.defaultPatience
  /// The most bytes of all copies.
  var budget = MemoryBudget.reviewFrames

  /// Copies up to `count` frames around `moment`, the nearest in their middle, oldest first.
  ///
  /// It blocks until the last of them has come, as a rule two frames after the moment, and gives
  /// those there are where one does not come in time. Where the copies would be too large together,
  /// those nearest to the moment are kept.
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
      // What is in the ring already is taken in any case.
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
      // An old frame is nearest only until a newer one has come.
      if time >= moment - FrameChooser.defaultEarliest { return (id, time) }
    }
    return nil
  }

  /// The copies so far, held to their budget.
  private struct Copies {
    let nearest: FrameID
    let budget: Int
    var all: [FrameCopy] = []
    var used = 0

    mutating func add(_ frame: Frame) {
      let bytes = FrameCopy.byteCount(of: frame)
      // Those farther from the nearest one give way.
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
