import ImagePicker
import Platform

extension Station {
  /// Sends a guest's action on a page or in a terminal to the picker's machine, with the present
  /// time.
  ///
  /// `session` is the session that the guest saw, or `nil` for the present one. Listeners of
  /// ``observe(_:)`` receive the resulting states.
  public func send(_ event: PickerMachine.Event, session: SessionID? = nil) {
    core.perform { $0.send(event, session: session) }
  }

  /// Calls `listener` with the present state, and then with every change.
  ///
  /// The station's loop calls `listener` in the order of the changes. The listener must not block,
  /// and is kept until the station ends.
  public func observe(_ listener: @escaping @Sendable (PickerMachine.Snapshot) -> Void) async {
    await core.listen(listener)
  }

  /// The reason for the last refusal, or `nil` when no request was refused.
  public var lastRefusal: PickerReason? {
    get async { await core.lastRefusal }
  }
}
