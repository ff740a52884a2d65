import Capture
import ImagePicker
import Imaging

// The pictures and states for a user interface of the caller's own.
extension Station {
  /// The number of states that wait for a consumer of ``snapshots``; further ones replace the
  /// oldest.
  private static let snapshotLimit = 64

  /// The picker's states as an asynchronous sequence: the present state, then each change.
  ///
  /// Each use of the property makes a sequence of its own, for one consumer. The sequence ends with
  /// the station.
  public var snapshots: AsyncStream<PickerMachine.Snapshot> {
    let (states, queue) = AsyncStream.makeStream(
      of: PickerMachine.Snapshot.self, bufferingPolicy: .bufferingNewest(Self.snapshotLimit))
    Task { [core, life] in
      await core.listen { queue.yield($0) }
      await life.waitForEnd()
      queue.finish()
    }
    return states
  }

  /// The live pictures of the open camera; nil while no camera is open.
  ///
  /// A reload may open another camera, whose pictures are then in this property. The pictures are
  /// not turned.
  public var preview: PreviewCopier? { camera.current.camera?.preview }

  /// Returns the upright still of a candidate that is under review or being saved; nil for any
  /// other.
  ///
  /// The candidate is in the review of ``snapshots``. The call does not block.
  public func still(of candidate: CandidateID) -> Still? { store.still(of: candidate)?.still }
}
