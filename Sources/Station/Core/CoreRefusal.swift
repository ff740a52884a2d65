import ImagePicker

/// Why the station's core did not do what a page asked for; nothing has changed then.
enum CoreRefusal: Error, Equatable, Sendable {
  /// The session that the guest saw is over.
  case sessionOver
  /// The session cannot take it.
  case refused(PickerReason)
  /// No session could begin.
  case notBegun(PickerError)
  /// The event changes nothing in that state.
  case meaningless(PickerMachine.State.Name)
}

/// What a guest is told while the picker's state stays.
enum GuestNotice: Equatable, Sendable {
  /// The guest's last wish was refused.
  case refused(PickerReason)
  /// A save takes longer than usual.
  case saveIsSlow
  /// The movie under review ended before anybody wanted it to.
  case movieCutShort
}

/// How the page shows a session.
struct PageLook: Sendable {
  var style = ImagePickerController.PresentationStyle.fullScreen
  var showsCameraControls = true
}
