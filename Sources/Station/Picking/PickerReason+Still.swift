import ImagePicker
import Imaging

extension PickerReason {
  /// Creates the reason for which no still could be made.
  init(_ code: Code, _ error: StillError) {
    // The page has its own words for a frame that did not come.
    let problem =
      error.code == .noFrame
      ? nil
      : AccessProblem(
        who: "the station", what: "the frame", why: error.description, fix: error.message)
    self.init(code, problem: problem)
  }
}
