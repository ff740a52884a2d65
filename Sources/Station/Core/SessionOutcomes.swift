import ImagePicker

/// The outcomes of the last few sessions, each for one caller.
///
/// A caller may wait for the outcome before it is there, or ask for it shortly afterwards.
struct SessionOutcomes {
  /// How many sessions back an outcome is kept that no caller has asked for.
  private static let keptSessions: UInt64 = 8

  private var waiters: [SessionID: CheckedContinuation<PickerMachine.Outcome, Never>] = [:]
  private var outcomes: [SessionID: PickerMachine.Outcome] = [:]

  /// Returns an outcome that is there already, and forgets it.
  mutating func take(_ session: SessionID) -> PickerMachine.Outcome? {
    outcomes.removeValue(forKey: session)
  }

  /// Resumes `waiter` with the outcome of a session that is still to end.
  mutating func add(
    _ waiter: CheckedContinuation<PickerMachine.Outcome, Never>, for session: SessionID
  ) {
    waiters[session] = waiter
  }

  /// Hands the outcome to its waiter, or keeps it.
  mutating func deliver(_ outcome: PickerMachine.Outcome, of session: SessionID) {
    if let waiter = waiters.removeValue(forKey: session) {
      waiter.resume(returning: outcome)
    } else {
      outcomes = outcomes.filter { $0.key.rawValue + Self.keptSessions > session.rawValue }
      outcomes[session] = outcome
    }
  }
}
