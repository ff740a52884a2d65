extension PickerMachine {
  /// An action for the station after an event; the station performs the effects in the order given.
  public enum Effect: Equatable, Sendable {
    /// A session began.
    case began(SessionID, Request)
    /// Send `timer(token)` at `deadline`, or at once if that has passed; start no second timer for
    /// a token that is already running.
    case startTimer(TimerToken, deadline: PickerInstant)
    /// The timer is no longer needed; the machine ignores it if it fires anyway.
    case cancelTimer(TimerToken)
    /// Choose the frame nearest to `moment`, make its still and keep the bytes outside the visible
    /// library; answer with `captured` or `captureFailed`.
    case capture(CandidateID, session: SessionID, moment: PickerInstant)
    /// Record a movie whose press was at `moment`, for at most `maximum`, and keep its bytes
    /// outside the visible library; answer with `recordingEnded`, also when the recording ends
    /// without `stopRecording`, or with `captureFailed`.
    case record(CandidateID, session: SessionID, moment: PickerInstant, maximum: Duration)
    /// End the movie with the last frame before `moment`; answer with `recordingEnded` or
    /// `captureFailed`.
    case stopRecording(CandidateID, moment: PickerInstant)
    /// Make a still of `moment` while the recording continues; it is saved or discarded together
    /// with the movie.
    case addStill(CandidateID, session: SessionID, moment: PickerInstant)
    /// Stop the work on the candidate and delete its files, because no guest will accept it; does
    /// nothing for an unknown candidate or one whose photo is durable.
    case discard(CandidateID)
    /// Make the still of the offered frame at index `frame` and replace the candidate's still by
    /// it; answer with `frameReady` or `frameFailed`.
    case useFrame(CandidateID, session: SessionID, frame: Int)
    /// Make the candidate durable, with its edit; answer with `saved` or `saveFailed`.
    ///
    /// `frame` is the index of the offered frame to save; nil if no frames are offered.
    case save(CandidateID, session: SessionID, edit: PickerEdit?, frame: Int?)
    /// Read the chosen photos and apply their edits; answer with `saved` or `saveFailed`.
    case collect(CandidateID, session: SessionID, choices: [PickerChoice])
    /// Show this snapshot on the page, the lamps and the terminal.
    case changed(Snapshot)
    /// Tell the guest why the request was refused; the state is unchanged.
    case refuse(PickerReason)
    /// Show the guest a notice; the state is unchanged.
    case announce(Notice)
    /// Report the session's outcome; emitted once for each session that began.
    case deliver(SessionID, Outcome)
  }

  /// A message to the guest that leaves the state unchanged.
  public enum Notice: String, Hashable, Sendable {
    /// The disk delays the save, which continues.
    case saveIsSlow
    /// The recording ended early; the guest can keep the part that was recorded.
    case movieCutShort
  }

  /// How a session ended.
  public enum Outcome: Hashable, Sendable {
    /// The candidate is a durable photo, or the library's results are read.
    case finished(CandidateID)
    /// The guest or the program cancelled, or the guest had left.
    case cancelled
    /// The session failed, and nothing of it was kept.
    case failed(PickerReason)
  }

  /// The running timer.
  public struct Timer: Hashable, Sendable {
    /// The identifier of the timer.
    public let token: TimerToken
    /// The time at which the timer is due.
    public let deadline: PickerInstant
  }
}
