extension PickerMachine {
  /// Where a picker can be, with what belongs to it there.
  public enum State: Hashable, Sendable {
    /// Nobody is there.
    case idle
    /// The guest sees the live picture.
    case live
    /// The exposure is at `moment`.
    case countdown(moment: PickerInstant)
    /// A movie is recorded, since `since`; what is from before the press belongs to it, too.
    case recording(CandidateID, since: PickerInstant)
    /// The still of the frame nearest to `moment` is being made, or the movie that ended then.
    case capturing(CandidateID, moment: PickerInstant)
    /// The guest decides.
    case reviewing(Review)
    /// What was accepted is being made durable; `slow` once the guest was told to wait.
    case saving(CandidateID, slow: Bool)
    /// The guest chooses; the choices are in the order chosen.
    case browsing([PickerChoice])
    /// The guest crops `item`; `choices` are those of the library behind it.
    case editing(item: ItemID, edit: PickerEdit?, choices: [PickerChoice])
    /// The photo is durable, or the results are read; an end screen.
    case finished(CandidateID)
    /// An end screen.
    case cancelled
    /// An end screen.
    case failed(PickerReason)

    /// The names of the states, as the page, the log and the API call them.
    public enum Name: String, Hashable, Sendable, CaseIterable {
      /// Nobody is there.
      case idle
      /// The live picture.
      case live
      /// Counting down to the exposure.
      case countdown
      /// A movie is being recorded.
      case recording
      /// The still is being made, or the movie's file is finished.
      case capturing
      /// The guest decides.
      case reviewing
      /// The photo is being made durable.
      case saving
      /// The guest chooses from a library.
      case browsing
      /// The guest crops.
      case editing
      /// Done.
      case finished
      /// Given up.
      case cancelled
      /// Could not go on.
      case failed
    }

    /// The name of the state.
    public var name: Name {
      switch self {
      case .idle: .idle
      case .live: .live
      case .countdown: .countdown
      case .recording: .recording
      case .capturing: .capturing
      case .reviewing: .reviewing
      case .saving: .saving
      case .browsing: .browsing
      case .editing: .editing
      case .finished: .finished
      case .cancelled: .cancelled
      case .failed: .failed
      }
    }

    /// Whether the session's outcome has been delivered and only its screen is left.
    public var isEnd: Bool {
      switch self {
      case .finished, .cancelled, .failed: true
      default: false
      }
    }

    /// The frames that the photo under review can be made of; nil: none are offered.
    public var frames: ReviewFrames? {
      if case .reviewing(let review) = self { review.frames } else { nil }
    }

    /// The candidate that nobody has decided about or that is being saved.
    public var candidate: CandidateID? {
      switch self {
      case .capturing(let candidate, _), .recording(let candidate, _), .saving(let candidate, _):
        candidate
      case .reviewing(let review): review.candidate
      default: nil
      }
    }
  }

  /// A still or a movie that the guest decides about.
  public struct Review: Hashable, Sendable {
    /// The still, or the movie.
    public let candidate: CandidateID
    /// Whether it is a movie.
    public internal(set) var isMovie = false
    /// When it came on show.
    public let shown: PickerInstant
    /// What the guest did to it so far; nil: nothing.
    public internal(set) var edit: PickerEdit?
    /// The frames around the press that can be chosen; nil: none are offered, or not yet.
    public internal(set) var frames: ReviewFrames?
  }

  /// What page, lamps and terminal show; cheap to copy and to compare.
  public struct Snapshot: Hashable, Sendable {
    /// The present session; its page must name it in what it sends.
    public let session: SessionID?
    /// What the session is for.
    public let request: Request?
    /// Where it is.
    public let state: State
    /// When the state ends by itself, or is looked after; nil in `idle`.
    public let deadline: PickerInstant?
  }
}
