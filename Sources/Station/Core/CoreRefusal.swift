import ImagePicker

/// The reason for which the station's core refused a page's request without changing anything.
enum CoreRefusal: Error, Equatable, Sendable {
  /// The session that the guest saw is over.
  case sessionOver
  /// The session refused the request.
  case refused(PickerReason)
  /// No session could begin.
  case notBegun(PickerError)
  /// The event changes nothing in that state.
  case meaningless(PickerMachine.State.Name)
}

/// A message to the guest that does not change the picker's state.
enum GuestNotice: Equatable, Sendable {
  /// The guest's last request was refused.
  case refused(PickerReason)
  /// A save takes longer than usual.
  case saveIsSlow
  /// The movie under review ended before the guest or the time limit ended it.
  case movieCutShort
}

/// The look of the page during a session.
struct PageLook: Sendable {
  var style = ImagePickerController.PresentationStyle.fullScreen
  var showsCameraControls = true
}
