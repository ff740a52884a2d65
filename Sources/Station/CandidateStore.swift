import ImagePicker
import Imaging
import PhotoLibrary
import Platform
import Synchronization

/// One exposure, as the station's loop asks for it.
struct Exposure: Sendable {
  var candidate: CandidateID
  var session: SessionID
  /// When the shutter was pressed.
  var press: MonotonicTime
  /// The moment that is wanted.
  var moment: MonotonicTime
}

/// Everything between the chosen moment and the durable file: frame, still, unnamed file, commit.
///
/// All of it may block, so it runs on a thread of its own, one job after another; the answers come
/// on that thread. A candidate's bytes are nowhere else, and are gone when it is discarded.
protocol CandidateStoring: Sendable {
  /// Chooses the frame and makes the still; then, after the answer, writes and syncs it.
  func make(
    _ exposure: Exposure, answer: @escaping @Sendable (Result<Void, PickerReason>) -> Void)
  /// Makes the candidate durable.
  func save(
    _ candidate: CandidateID, answer: @escaping @Sendable (Result<PhotoReport, PickerReason>) -> Void)
  /// Leaves nothing of it behind.
  func discard(_ candidate: CandidateID)
}
