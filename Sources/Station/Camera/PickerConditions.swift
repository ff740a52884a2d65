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
          problem: PickerMachine.Condition.problem(state, "the camera \(label)", error)))
    }
  }
}

extension PickerMachine.Condition {
  private static func problem(
    _ state: CameraState, _ camera: String, _ error: CaptureError?
  ) -> AccessProblem {
    guard let error else {
      return AccessProblem(
        subject: currentUser(), object: camera, cause: state.description,
        fix: "plug the camera in; 'retake cameras' lists those there are")
    }
    // The error has the reason of a failure already.
    let cause = if case .failed = state { "it failed" } else { state.description }
    return AccessProblem(object: camera, cause: cause, error)
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
