import ImagePicker
import KioskServer
import Testing

@testable import Station

@Suite("The page's words for the core's refusals") struct CoreRefusalTests {
  @Test("have the status of a conflict, and the code that the page knows") func problems() {
    let problem = AccessProblem(
      subject: "booth", object: "the camera", cause: "absent", fix: "plug it in")
    let reason = PickerReason(.cameraUnavailable, problem: problem)
    let cases: [(CoreRefusal, code: String, fix: String?)] = [
      (.sessionOver, "stale", nil), (.refused(reason), "cameraUnavailable", "plug it in"),
      (.notBegun(.sessionFailed(reason)), "cameraUnavailable", "plug it in"),
      (.notBegun(.alreadyPresenting), "alreadyPresenting", PickerError.alreadyPresenting.fix),
      (.meaningless(.live), "meaningless", nil),
    ]
    for (refusal, code, fix) in cases {
      let problem = KioskProblem(refusal)
      #expect(problem.status == 409)
      #expect(problem.code == code)
      #expect(problem.fix == fix)
    }
    let stuck = KioskProblem(CoreRefusal.meaningless(.live))
    #expect(stuck.detail == "that is not possible in the state live")
  }
}
