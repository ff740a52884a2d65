import ImagePicker
import Trigger

extension TriggerReply {
  /// Creates the reply to `action` from the picker's states before and after it.
  init(
    _ action: TriggerAction, before: PickerMachine.Snapshot, after: PickerMachine.Snapshot,
    refusal: PickerReason?
  ) {
    if let refusal {
      self.init(isAccepted: false, text: refusal.operatorMessage)
    } else if before == after {
      self.init(isAccepted: false, text: action.nothingToDo(in: after.state))
    } else {
      let session = after.session.map { ", session \($0.rawValue)" } ?? ""
      let frame = after.state.frames.map { ", frame \($0.chosen + 1) of \($0.count)" } ?? ""
      self.init(isAccepted: true, text: after.state.name.rawValue + session + frame)
    }
  }
}

extension TriggerAction {
  /// Whether the picker handles the action; the station handles the others.
  var isForPicker: Bool {
    switch self {
    case .shutter, .record, .accept, .retake, .next, .previous, .cancel: true
    case .reload, .status, .quit, .shutdown: false
    }
  }

  /// Returns the picker's event for this action.
  ///
  /// `recording` returns what the one button for movies means now. An action that is not the
  /// picker's counts as a press of the shutter.
  func event(recording: () -> PickerMachine.Event) -> PickerMachine.Event {
    switch self {
    case .accept: .accept
    case .retake: .retake
    case .cancel: .cancel
    case .next: .chooseFrame(.next)
    case .previous: .chooseFrame(.previous)
    case .record: recording()
    case .shutter, .reload, .status, .quit, .shutdown: .shutter
    }
  }

  /// Why a press of this kind changed nothing in a state of the picker.
  func nothingToDo(in state: PickerMachine.State) -> String {
    let reason: String
    switch self {
    case .accept:
      if case .reviewing = state {
        return "too early: the photo has not been on show long enough to be seen"
      }
      reason = "no photo to accept"
    case .retake: reason = "no photo to retake"
    case .cancel: reason = "no session to cancel"
    case .shutter:
      if case .reviewing = state {
        return "the photo on show is to be accepted, retaken or cancelled first; a button with the "
          + "role \"one\" takes photos and accepts them"
      }
      reason = "no photo can be taken now"
    case .next, .previous:
      if case .reviewing = state {
        return "this review offers no other frame: [review] frames says how many"
      }
      reason = "no photo whose frame could be chosen"
    case .record: reason = "no movie can begin or end now"
    case .reload, .status, .quit, .shutdown: reason = "nothing to do"
    }
    return "\(reason): the state is \(state.name.rawValue)"
  }
}
