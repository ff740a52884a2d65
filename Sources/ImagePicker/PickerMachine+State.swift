extension PickerMachine {
  /// A state of a picker, with the values that belong to it.
  public enum State: Hashable, Sendable {
    /// No session is under way.
    case idle
    /// The guest sees the live picture.
    case live
    /// The exposure is at `moment`.
    case countdown(moment: PickerInstant)
    /// A movie is being recorded since the press at `since`; it also includes frames from before
    /// the press.
    case recording(CandidateID, since: PickerInstant)
    /// The still of the frame nearest to `moment` is being made, or the movie that ended at
    /// `moment` is being finished.
    case capturing(CandidateID, moment: PickerInstant)
    /// The guest decides about the photo or movie.
    case reviewing(Review)
    /// The accepted photo or movie is being made durable, or chosen items are being read; `slow` is
    /// true once the guest was told to wait.
    case saving(CandidateID, slow: Bool)
    /// The guest chooses items of the library; the choices are in the order chosen.
    case browsing([PickerChoice])
    /// The guest crops `item`; `choices` are the items chosen in the library so far.
    case editing(item: ItemID, edit: PickerEdit?, choices: [PickerChoice])
    /// The end screen after the photo is durable or the library's results are read.
    case finished(CandidateID)
    /// The end screen of a cancelled session.
    case cancelled
    /// The end screen of a failed session.
    case failed(PickerReason)

    /// The names of the states, as the page, the log and the API call them.
    public enum Name: String, Hashable, Sendable, CaseIterable {
      /// No session is under way.
      case idle
      /// The guest sees the live picture.
      case live
      /// The countdown to the exposure runs.
      case countdown
      /// A movie is being recorded.
      case recording
      /// The still is being made, or the movie's file is finished.
      case capturing
      /// The guest decides about the photo or movie.
      case reviewing
      /// The photo or movie is being made durable.
      case saving
      /// The guest chooses from a library.
      case browsing
      /// The guest crops an item.
      case editing
      /// The session finished.
      case finished
      /// The session was cancelled.
      case cancelled
      /// The session failed.
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

    /// The frames that the guest can choose among for the photo under review; nil if none are
    /// offered.
    public var frames: ReviewFrames? {
      if case .reviewing(let review) = self { review.frames } else { nil }
    }

    /// The candidate that is being made, reviewed or saved; nil in the other states.
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
    /// Whether the candidate is a movie.
    public internal(set) var isMovie = false
    /// The time at which the review began.
    public let shown: PickerInstant
    /// The guest's edit so far; nil if there is none.
    public internal(set) var edit: PickerEdit?
    /// The frames around the press that the guest can choose among; nil until they are offered.
    public internal(set) var frames: ReviewFrames?
  }

  /// The values that the page, the lamps and the terminal show.
  public struct Snapshot: Hashable, Sendable {
    /// The current session; a page sends this identifier with each of its inputs.
    public let session: SessionID?
    /// The request that began the session.
    public let request: Request?
    /// The state of the machine.
    public let state: State
    /// The time at which the state's timer fires; nil in `idle`.
    public let deadline: PickerInstant?
  }
}
