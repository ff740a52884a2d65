import Capture
import Glibc
import ImagePicker
import Platform

extension PickerMachine.Condition {
  /// Creates the condition that a guest's press meets in a camera state.
  init(_ state: CameraState, label: String, error: CaptureError?) {
    switch state {
    case .streaming:
      self = .ready
    case .starting:
      self = .unavailable(PickerReason(.starting))
    default:
      self = .unavailable(
        PickerReason(
          .cameraUnavailable,
          problem: AccessProblem(
            who: currentUser(), what: "the camera \(label)",
            why: PickerMachine.Condition.why(state),
            fix: error?.message ?? "plug the camera in; 'retake cameras' lists those there are")))
    }
  }
}

extension PickerMachine.Condition {
  // The reason of a failure is part of the fix already.
  private static func why(_ state: CameraState) -> String {
    if case .failed = state { "it failed" } else { state.description }
  }
}

/// Returns the name of the user that the program runs as.
package func currentUser() -> String {
  let uid = geteuid()
  var entry = passwd()
  var result: UnsafeMutablePointer<passwd>?
  return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
    guard let start = buffer.baseAddress,
      getpwuid_r(uid, &entry, start, buffer.count, &result) == 0, result != nil,
      let name = entry.pw_name
    else { return "user \(uid)" }
    return String(cString: name)
  }
}
