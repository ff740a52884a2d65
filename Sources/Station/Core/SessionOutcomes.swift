import ImagePicker

/// The outcomes of the last few sessions, each for one caller.
///
/// A caller may wait for the outcome of a running session, or fetch it shortly after the end.
struct SessionOutcomes {
  /// The number of sessions for which an outcome is kept until a caller fetches it.
  private static let keptSessions: UInt64 = 8

  private var waiters: [SessionID: CheckedContinuation<PickerMachine.Outcome, Never>] = [:]
  private var outcomes: [SessionID: PickerMachine.Outcome] = [:]

  /// Removes and returns the outcome of a session that has ended.
  mutating func take(_ session: SessionID) -> PickerMachine.Outcome? {
    outcomes.removeValue(forKey: session)
  }

  /// Registers `waiter` for the outcome of a session that has not ended yet.
  mutating func add(
    _ waiter: CheckedContinuation<PickerMachine.Outcome, Never>, for session: SessionID
  ) {
    waiters[session] = waiter
  }

  /// Resumes the waiter with the outcome, or keeps the outcome for a later caller.
  mutating func deliver(_ outcome: PickerMachine.Outcome, of session: SessionID) {
    if let waiter = waiters.removeValue(forKey: session) {
      waiter.resume(returning: outcome)
    } else {
      outcomes = outcomes.filter { $0.key.rawValue + Self.keptSessions > session.rawValue }
      outcomes[session] = outcome
    }
  }
}
