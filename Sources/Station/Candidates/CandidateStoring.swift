import ImagePicker
import Platform

/// One exposure, as the station's loop asks for it.
struct Exposure: Sendable {
  var candidate: CandidateID
  var session: SessionID
  /// When the shutter was pressed.
  var press: MonotonicTime
  /// The moment that is wanted.
  var moment: MonotonicTime
  /// How many frames around the moment are offered to choose from; 1: only the nearest.
  var frames = 1
}

/// Everything between the chosen moment and the durable file: frame, still, unnamed file, commit.
///
/// All of it may block, so it runs on a thread of its own, one job after another; the answers come
/// on that thread. Each job works with the studio that it was asked with. A candidate's bytes are
/// nowhere else, and are gone when it is discarded.
protocol CandidateStoring: Sendable {
  /// Chooses the frame and makes the still; then, after the answer, writes and syncs it.
  ///
  /// After the answer `offer` is told which frames can be chosen, unless there is no other one.
  func make(
    _ exposure: Exposure, in studio: Studio, offer: @escaping @Sendable (ReviewFrames) -> Void,
    answer: @escaping @Sendable (Result<Void, PickerReason>) -> Void)
  /// Lets another of the frames that are offered take the place of the candidate's.
  ///
  /// There is no answer where a later call has taken the place of this one.
  func useFrame(
    _ candidate: CandidateID, _ frame: Int, in studio: Studio,
    answer: @escaping @Sendable (Result<Void, PickerReason>) -> Void)
  /// Makes the candidate durable, and beside it the picture that `edit` makes of it.
  ///
  /// `frame` is the one that was accepted of those that are offered.
  func save(
    _ candidate: CandidateID, edit: PickerEdit?, frame: Int?, in studio: Studio,
    answer: @escaping @Sendable (Result<Picked, PickerReason>) -> Void)
  /// Reads the chosen pictures of the library and makes their edits.
  func collect(
    _ candidate: CandidateID, _ choices: [PickerChoice], allowsMovies: Bool, in studio: Studio,
    answer: @escaping @Sendable (Result<[PickedMedia], PickerReason>) -> Void)
  /// Makes a still that shares the fate of the movie that the exposure names.
  func addStill(
    _ exposure: Exposure, in studio: Studio,
    answer: @escaping @Sendable (Result<Void, PickerReason>) -> Void)
  /// Leaves nothing of it behind.
  func discard(_ candidate: CandidateID, in studio: Studio)
}

extension CandidateStoring {
  /// Makes none.
  func addStill(
    _ exposure: Exposure, in studio: Studio,
    answer: @escaping @Sendable (Result<Void, PickerReason>) -> Void
  ) { answer(.failure(PickerReason(.captureFailed))) }
}
