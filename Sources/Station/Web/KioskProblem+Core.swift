import ImagePicker
import KioskServer

extension KioskProblem {
  /// Creates the page's answer to a refusal of the core.
  init(_ refusal: CoreRefusal) {
    switch refusal {
    case .sessionOver: self.init(409, "that session is over", code: "stale")
    case .refused(let reason):
      self.init(409, reason.guestMessage, fix: reason.problem?.fix, code: reason.code.rawValue)
    case .notBegun(let error):
      self.init(
        409, error.reason?.guestMessage ?? error.message, fix: error.fix,
        code: error.reason?.code.rawValue ?? error.code.rawValue)
    case .meaningless(let state):
      self.init(409, "that is not possible in the state \(state.rawValue)", code: "meaningless")
    }
  }
}

extension KioskNotice {
  /// Creates the page's message for a notice to the guest.
  init(_ notice: GuestNotice) {
    switch notice {
    case .refused(let reason):
      self.init(kind: "refused", code: reason.code.rawValue, message: reason.guestMessage)
    case .saveIsSlow:
      self.init(
        kind: "saveIsSlow", code: nil, message: "Saving takes a little longer. Please wait.")
    case .movieCutShort:
      self.init(
        kind: "movieCutShort", code: PickerReason.Code.movieCutShort.rawValue,
        message: PickerReason(.movieCutShort).guestMessage)
    }
  }
}
