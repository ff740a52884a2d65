import Capture
import ImagePicker
import Imaging
import Platform

/// Finds the frame that a photo is made of: the clean one nearest to the moment, never an old one.
struct FrameChooser {
  /// A still and what is known of its frame.
  struct Choice {
    var still: Still
    var frameTime: MonotonicTime
    var clock: String
    var sequence: UInt32
    /// Nearer frames that only their decoding showed to be damaged.
    var rejected: Int
  }

  var ring: FrameRing
  var system: any SystemCalls
  /// A frame from so long before the moment is an old one.
  var earliest: Duration
  /// How long frames are waited for after the moment.
  var patience: Duration

  /// Tries frames, the nearest first, until one gives a still.
  ///
  /// It blocks until the moment has passed and a frame from after it is there to compare.
  func choose(
    nearest moment: MonotonicTime, isWanted: () -> Bool,
    make: (Frame) throws(StillError) -> Still
  ) throws(PickerReason) -> Choice {
    let deadline = max(moment, system.monotonicTime()) + patience
    var excluded: Set<FrameID> = []
    var rejected = 0
    while isWanted() {
      let left = deadline - system.monotonicTime()
      guard left > .zero else { break }
      guard let lease = ring.frame(nearest: moment, timeout: left, excluding: excluded) else {
        continue
      }
      let frame = lease.frame
      guard frame.timestamp >= moment - earliest else {
        excluded.insert(frame.id)
        continue
      }
      do {
        let still = try make(frame)
        return Choice(
          still: still, frameTime: frame.timestamp, clock: frame.timestampSource.rawValue,
          sequence: frame.sequence, rejected: rejected)
      } catch {
        guard error.isAboutThisFrame else { throw PickerReason(.captureFailed, error) }
        rejected += 1
        excluded.insert(frame.id)
      }
    }
    throw PickerReason(.captureFailed)
  }
}

extension PickerReason {
  init(_ code: Code, _ error: StillError) {
    self.init(
      code,
      problem: AccessProblem(
        who: "the station", what: "the frame", why: error.description, fix: error.message))
  }
}
