import ImagePicker
import Platform

extension Station {
  /// Sends what a guest did on a page or in a terminal to the picker's machine, dated now.
  ///
  /// `session` is the one that they saw; nil: whatever is present. What it led to is told to those
  /// who ``observe(_:)``.
  public func send(_ event: PickerMachine.Event, session: SessionID? = nil) {
    core.perform { $0.send(event, session: session) }
  }

  /// Calls `listener` with every change of what is shown, and now with what is.
  ///
  /// It is called on the station's loop, in the order of the changes, and must not block; it stays
  /// until the station ends.
  public func observe(_ listener: @escaping @Sendable (PickerMachine.Snapshot) -> Void) async {
    await core.listen(listener)
  }

  /// What was last asked for and could not be had; nil: nothing yet.
  public var lastRefusal: PickerReason? {
    get async { await core.lastRefusal }
  }
}
