extension PickerMachine {
  /// What is to be done after an event; performed in the order given.
  public enum Effect: Equatable, Sendable {
    /// A session began.
    case began(SessionID, Request)
    /// `timer(token)` is to be sent at `deadline`, or at once if that has passed; a token that is
    /// running already keeps its one timer.
    case startTimer(TimerToken, deadline: PickerInstant)
    /// The timer is no longer wanted; it does no harm if it fires all the same.
    case cancelTimer(TimerToken)
    /// Choose the frame nearest to `moment`, make the still of it and keep its bytes where nobody
    /// can find them; answer with `captured` or `captureFailed`.
    case capture(CandidateID, session: SessionID, moment: PickerInstant)
    /// Record a movie whose press was at `moment`, for at most `maximum`, and keep its bytes where
    /// nobody can find them; answer with `recordingEnded`, also when it ends by itself, or with
    /// `captureFailed`.
    case record(CandidateID, session: SessionID, moment: PickerInstant, maximum: Duration)
    /// End the movie with the last frame from before `moment`, and answer.
    case stopRecording(CandidateID, moment: PickerInstant)
    /// Make a still of `moment` that shares the fate of the movie, which goes on.
    case addStill(CandidateID, session: SessionID, moment: PickerInstant)
    /// Nobody will accept it: stop working on it, leave nothing of it behind. Does nothing for a
    /// name that is unknown, or whose photo is durable.
    case discard(CandidateID)
    /// Make the still of that frame, of those that are offered, and let it take the place of the
    /// candidate's; answer with `frameReady` or `frameFailed`.
    case useFrame(CandidateID, session: SessionID, frame: Int)
    /// Make the candidate durable, with its edit; answer with `saved` or `saveFailed`.
    ///
    /// `frame` is the one to save of those that are offered; nil where none are.
    case save(CandidateID, session: SessionID, edit: PickerEdit?, frame: Int?)
    /// Read the chosen photos and apply their edits; answer with `saved` or `saveFailed`.
    case collect(CandidateID, session: SessionID, choices: [PickerChoice])
    /// Page, lamps and terminal show this now.
    case changed(Snapshot)
    /// The guest asked for what cannot be; the state stays as it is.
    case refuse(PickerReason)
    /// The guest is told something; the state stays as it is.
    case announce(Notice)
    /// The session's outcome, once for each session that began.
    case deliver(SessionID, Outcome)
  }

  /// What a guest is told while the state stays.
  public enum Notice: String, Hashable, Sendable {
    /// The disk holds up the save; it goes on.
    case saveIsSlow
    /// The movie ended before anybody wanted it to; what there is can be kept.
    case movieCutShort
  }

  /// How a session ended.
  public enum Outcome: Hashable, Sendable {
    /// The candidate is a durable photo, or the library's results are read.
    case finished(CandidateID)
    /// The guest or the program gave up, or nobody was there any more.
    case cancelled
    /// It could not go on; nothing of it was kept.
    case failed(PickerReason)
  }

  /// The running timer.
  public struct Timer: Hashable, Sendable {
    /// Its name.
    public let token: TimerToken
    /// When it is due.
    public let deadline: PickerInstant
  }
}
