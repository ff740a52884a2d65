import ImagePicker
import Testing

@testable import KioskServer

@Suite("The frames that a review offers")
struct FrameTests {
  private func rig() async throws -> ServerRig {
    let rig = try await ServerRig { _ in }
    rig.station.review(7, Array("still".utf8))
    rig.station.offer(7, ["a", "b", "c"].map { Array($0.utf8) }, shown: 1)
    return rig
  }

  @Test("have small pictures of their own, by their index")
  func thumbnails() async throws {
    let rig = try await rig()
    for (index, text) in ["a", "b", "c"].enumerated() {
      let answer = await rig.get("/api/v1/review/7/\(index).jpg")
      #expect(answer.status == 200)
      #expect(answer.text == text)
      #expect(answer.headers["content-type"] == "image/jpeg")
    }
    for name in [
      "7/3.jpg", "7/-1.jpg", "7/01.jpg", "7/1.png", "7/.jpg", "7/1", "8/0.jpg", "07/0.jpg",
      "7/0.jpg/0", "x/0.jpg", "7/99999999999999999999.jpg", "7/+1.jpg",
    ] {
      #expect(await rig.get("/api/v1/review/\(name)").status == 404, "\(name)")
    }
  }

  @Test(
    "are shown whole only while they are the one that is under review",
    arguments: [
      ("", 200), ("?frame=1", 200), ("?frame=0", 404), ("?frame=5", 400), ("?frame=x", 400),
      ("?candidate=3&frame=1", 200),
    ])
  func shown(query: String, status: Int) async throws {
    let rig = try await rig()
    #expect(await rig.get("/api/v1/review/7.jpg\(query)").status == status)
  }

  struct Asked: Sendable {
    var body: String
    var choice: FrameChoice?
  }

  @Test(
    "are chosen by their index or by a step, and by nothing else",
    arguments: [
      Asked(body: #"{"frame": 0}"#, choice: .index(0)),
      Asked(body: #"{"frame": 4, "session": 7}"#, choice: .index(4)),
      Asked(body: #"{"step": "next"}"#, choice: .next),
      Asked(body: #"{"step": "previous", "frame": null}"#, choice: .previous),
      Asked(body: #"{}"#), Asked(body: #"{"frame": 5}"#), Asked(body: #"{"frame": -1}"#),
      Asked(body: #"{"frame": 1.5}"#), Asked(body: #"{"frame": "1"}"#),
      Asked(body: #"{"step": "first"}"#), Asked(body: #"{"step": "next", "frame": 1}"#),
      Asked(body: #"{"frame": 1, "other": 1}"#), Asked(body: #"{"frame": 1e400}"#),
    ])
  func command(asked: Asked) async throws {
    let rig = try await rig()
    let answer = await rig.ask("POST", "/api/v1/frame", body: asked.body)
    #expect(answer.status == (asked.choice == nil ? 400 : 200))
    #expect(rig.station.events == (asked.choice.map { [.chooseFrame($0)] } ?? []))
  }

  @Test("are in the state's document, and null where there are none")
  func document() async throws {
    let rig = try await rig()
    let answer = await rig.get("/api/v1/state")
    #expect(answer.text.contains(#""frames":null"#))

    var booth = PickerMachine(conditions: .ready)
    let time = PickerInstant(nanoseconds: 1_000_000_000)
    _ = booth.handle(.begin(PickerMachine.Request()), at: time)
    _ = booth.handle(.shutter, at: time)
    guard let timer = booth.timer else { return }
    _ = booth.handle(.timer(timer.token), at: timer.deadline)
    guard let candidate = booth.state.candidate else { return }
    _ = booth.handle(.captured(candidate), at: timer.deadline)
    let frames = try #require(
      ReviewFrames(offsets: [.microseconds(-33_300), .milliseconds(1)], nearest: 1))
    _ = booth.handle(.framesOffered(candidate, frames), at: timer.deadline)
    let camera = KioskState.Camera(name: "demo", state: "streaming", width: 1, height: 1)
    rig.server.publish(
      KioskState(snapshot: booth.snapshot, began: .init(nanoseconds: 0), camera: camera))
    let shown = await rig.get("/api/v1/state")
    guard case .object(let members)? = JSONValue(shown.body),
      case .object(let offered)? = members["frames"]
    else {
      Issue.record("no frames: \(shown.text)")
      return
    }
    #expect(offered["offsetsMs"] == .array([.number(-33.3), .number(1)]))
    #expect(offered["nearest"] == .number(1))
    #expect(offered["chosen"] == .number(1))
    #expect(offered["ready"] == .boolean(true))
  }
}
