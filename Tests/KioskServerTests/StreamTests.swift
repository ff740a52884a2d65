import ImagePicker
import Platform
import Testing

@testable import KioskServer

@Suite("Streams")
struct StreamTests {
  private func listen(_ rig: ServerRig, _ headers: String = "") -> Client {
    let client = rig.client
    client.send("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n")
    return client
  }

  @Test("a page that listens gets the whole state at once, and each new one")
  func events() async throws {
    let rig = try await ServerRig()
    let client = listen(rig)
    let first = await client.read(through: "\n\n\r\n")
    #expect(first.contains("text/event-stream"))
    #expect(first.contains("event: state\nid: 1\ndata: {"))
    rig.server.publish(ServerRig.state(.live, session: 1))
    let second = await client.read(through: "\n\n")
    #expect(second.contains("event: state\nid: 2\ndata: {"))
    #expect(second.contains(#""state":"live""#))
    rig.server.announce(KioskNotice(kind: "refused", code: "storageFull", message: "No room."))
    let third = await client.read(through: "\n\n")
    #expect(third.contains("event: notice\ndata: {"))
    #expect(third.contains(#""code":"storageFull""#))
  }

  @Test("a page that comes back gets the newest state, whatever it saw last")
  func resume() async throws {
    let rig = try await ServerRig()
    rig.server.publish(ServerRig.state(.live, session: 1))
    let client = listen(rig, "Last-Event-ID: 1\r\n")
    #expect(await client.read(through: "\n\n").contains("id: 2\n"))
  }

  @Test("a state that is the same as before is not sent again")
  func sameState() async throws {
    let rig = try await ServerRig()
    rig.server.publish(ServerRig.state())
    rig.server.publish(ServerRig.state(.live, session: 1))
    let client = listen(rig)
    #expect(await client.read(through: "\n\n").contains("id: 2\n"))
  }

  @Test("a heartbeat says that the station is alive")
  func heartbeat() async throws {
    let rig = try await ServerRig { $0.limits.heartbeat = .milliseconds(1) }
    let client = listen(rig)
    #expect(await client.read(through: "event: heartbeat\ndata: {}\n\n").contains("heartbeat"))
  }

  @Test("one page too many is refused, and one that leaves makes room")
  func tooManyPages() async throws {
    let rig = try await ServerRig {
      $0.limits.eventStreams = 1
      $0.limits.heartbeat = .milliseconds(1)
    }
    var client: Client? = listen(rig)
    _ = await client?.read(through: "event: state")
    #expect(await rig.get("/api/v1/events").status == 503)
    client = nil
    // It is noticed with the next heartbeat.
    let other = await onceServed { listen(rig) }
    #expect(other.contains("event: state"))
  }

  private func onceServed(_ listen: () -> Client) async -> String {
    var text = ""
    for _ in 0..<1000 where !text.contains("event: state") {
      let client = listen()
      let bytes = await client.read { bytes in
        Client.contains(bytes, Array("event: state".utf8))
          || Client.contains(bytes, Array(" 503 ".utf8))
      }
      text = String(decoding: bytes, as: UTF8.self)
    }
    return text
  }

  @Test("the preview is the newest picture, with its number and age")
  func picture() async throws {
    let rig = try await ServerRig()
    rig.station.show(7, Array("picture seven".utf8))
    let answer = await rig.get("/api/v1/preview")
    #expect(answer.status == 200)
    #expect(answer.text == "picture seven")
    #expect(answer.headers["x-retake-frame"] == "7")
    #expect(answer.headers["x-retake-age-ms"].flatMap { Int($0) } != nil)
    #expect(answer.headers["content-type"] == "image/jpeg")
  }

  @Test(
    "who has a picture waits for the next one, also where pictures are made of frames",
    arguments: [false, true])
  func nextPicture(isRaw: Bool) async throws {
    let rig = try await ServerRig()
    if isRaw { rig.station.sendRaw() }
    rig.station.show(7, [1])
    async let waiting = rig.get("/api/v1/preview?after=7")
    rig.station.show(8, Array("eight".utf8))
    #expect(await waiting.text == "eight")
  }

  @Test("who waits gets the first picture of another camera")
  func otherCamera() async throws {
    let rig = try await ServerRig()
    rig.station.show(7, [1])
    async let waiting = rig.get("/api/v1/preview?after=7")
    while !rig.station.isAsked { try await Task.sleep(for: .milliseconds(2)) }
    rig.station.forgetAsker()
    rig.station.show(8, Array("eight".utf8))
    #expect(await waiting.text == "eight")
  }

  @Test("who waits in vain is told so")
  func noPicture() async throws {
    let rig = try await ServerRig { $0.limits.frameTime = .milliseconds(1) }
    rig.station.show(7, [1])
    let answer = await rig.get("/api/v1/preview?after=7")
    #expect(answer.status == 204)
  }

  @Test("the stream of pictures gives each with its length, and the boundary right after it")
  func stream() async throws {
    let rig = try await ServerRig()
    rig.station.show(1, Array("one".utf8))
    let client = rig.client
    client.send("GET /preview.mjpg HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let first = await client.read(through: "one\r\n--retake-frame\r\n")
    #expect(first.contains("multipart/x-mixed-replace; boundary=retake-frame"))
    #expect(!first.lowercased().contains("transfer-encoding"))
    #expect(
      first.contains("\r\n\r\n--retake-frame\r\nContent-Type: image/jpeg\r\nContent-Length: 3"))
    rig.station.show(2, Array("two".utf8))
    let second = await client.read(through: "two\r\n--retake-frame\r\n")
    #expect(second.hasPrefix("Content-Type: image/jpeg\r\nContent-Length: 3\r\nX-Retake-Frame: 2"))
  }

  @Test("a viewer that takes nothing is cut off, and holds up nobody")
  func stalledViewer() async throws {
    let rig = try await ServerRig {
      $0.limits.stallTime = .milliseconds(50)
      $0.limits.watch = .milliseconds(5)
    }
    // Larger than what the kernel takes for a client that does not read.
    let large = [UInt8](repeating: 65, count: 16 << 20)
    rig.station.show(1, large)
    let stalled = rig.client
    stalled.send("GET /preview.mjpg HTTP/1.1\r\nHost: localhost\r\n\r\n")
    _ = await stalled.read(through: "Content-Length")
    rig.station.show(2, Array("small".utf8))
    #expect(await rig.get("/api/v1/preview?after=1").text == "small")
    let rest = await stalled.read { _ in false }
    #expect(rest.count < large.count)
    #expect(await rig.get("/healthz").status == 200)
  }

  @Test("the photo under review is given as it is")
  func review() async throws {
    let rig = try await ServerRig()
    rig.station.review(3, Array("still".utf8))
    let answer = await rig.get("/api/v1/review/3.jpg?candidate=9")
    #expect(answer.status == 200)
    #expect(answer.text == "still")
    #expect(answer.headers["cache-control"] == "no-store")
  }

  @Test("the state says everything that the page needs, also what there is none of")
  func state() async throws {
    let rig = try await ServerRig()
    let answer = await rig.get("/api/v1/state")
    guard case .object(let members)? = JSONValue(answer.body) else {
      Issue.record("no object: \(answer.text)")
      return
    }
    let keys: Set<String> = [
      "number", "instance", "version", "state", "session", "presentation", "showsCameraControls",
      "source", "allowsEditing", "selectionLimit", "remainingMs", "totalMs", "atEnd", "candidate",
      "slow", "edit", "item", "selection", "trouble", "lastPhoto", "camera", "preview", "controls",
      "settings", "pinRequired", "isMovie", "media", "captureMode", "panel",
      "frames",
    ]
    #expect(Set(members.keys) == keys)
    #expect(members["session"] == .null)
    #expect(members["version"] == .string("1.2.3"))
    let tag = try #require(answer.headers["etag"])
    #expect(await rig.get("/api/v1/state", headers: ["If-None-Match: \(tag)"]).status == 304)
    rig.server.publish(ServerRig.state(.live, session: 1))
    #expect(await rig.get("/api/v1/state", headers: ["If-None-Match: \(tag)"]).status == 200)
  }
}
