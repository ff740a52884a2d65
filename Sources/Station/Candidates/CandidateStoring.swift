import ImagePicker
import Platform

/// An exposure, as the station's loop requests it.
struct Exposure: Sendable {
  var candidate: CandidateID
  var session: SessionID
  /// The time of the press.
  var press: MonotonicTime
  /// The requested moment.
  var moment: MonotonicTime
  /// The number of frames around the moment that are offered; 1 offers only the nearest frame.
  var frames = 1
}

/// Makes stills and durable files of exposures.
///
/// The calls may block, so they run one after another on a thread of the store, which also calls
/// `answer`. Each job works with the studio that its caller passed. Only the store holds a
/// candidate's bytes, and discarding the candidate deletes them.
protocol CandidateStoring: Sendable {
  /// Chooses the frame and makes the still, answers, and then writes and syncs the file.
  ///
  /// After the answer, `offer` receives the frames that can be chosen, unless there is only one
  /// frame.
  func make(
    _ exposure: Exposure, in studio: Studio, offer: @escaping @Sendable (ReviewFrames) -> Void,
    answer: @escaping @Sendable (Result<Void, PickerReason>) -> Void)
  /// Replaces the candidate's frame by another of the offered frames.
  ///
  /// A call that a later call replaced gets no answer.
  func useFrame(
    _ candidate: CandidateID, _ frame: Int, in studio: Studio,
    answer: @escaping @Sendable (Result<Void, PickerReason>) -> Void)
  /// Makes the candidate durable, and beside it the picture that `edit` describes.
  ///
  /// `frame` is the accepted one of the offered frames.
  func save(
    _ candidate: CandidateID, edit: PickerEdit?, frame: Int?, in studio: Studio,
    answer: @escaping @Sendable (Result<Picked, PickerReason>) -> Void)
  /// Reads the chosen pictures of the library and applies their edits.
  func collect(
    _ candidate: CandidateID, _ choices: [PickerChoice], allowsMovies: Bool, in studio: Studio,
    answer: @escaping @Sendable (Result<[PickedMedia], PickerReason>) -> Void)
  /// Makes a still that is saved or discarded together with the movie that the exposure names.
  func addStill(
    _ exposure: Exposure, in studio: Studio,
    answer: @escaping @Sendable (Result<Void, PickerReason>) -> Void)
  /// Discards the candidate with all its files.
  func discard(_ candidate: CandidateID, in studio: Studio)
}

extension CandidateStoring {
  /// Answers with a failure, since this store makes no stills beside movies.
  func addStill(
    _ exposure: Exposure, in studio: Studio,
    answer: @escaping @Sendable (Result<Void, PickerReason>) -> Void
  ) { answer(.failure(PickerReason(.captureFailed))) }
}
