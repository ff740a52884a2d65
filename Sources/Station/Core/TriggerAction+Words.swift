import ImagePicker
import Trigger

extension TriggerAction {
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
