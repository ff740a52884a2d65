import ImagePicker
import Platform

extension PickerInstant {
  init(_ time: MonotonicTime) { self.init(nanoseconds: time.nanoseconds) }
}

extension MonotonicTime {
  init(_ instant: PickerInstant) { self.init(nanoseconds: instant.nanoseconds) }
}

extension PickerReason {
  /// The operator's text: the problem with its fix where it is known, else the guest's words.
  var operatorMessage: String { problem.map(\.description) ?? guestMessage }
}
