import Testing

@testable import KioskServer

/// Tests of the operator's actions at the page.
@Suite struct OperatorTests {
  private static let pin = "X-Retake-Pin: 1234"

  @Test(
    "what changes something needs the PIN, and is refused where none is configured",
    arguments: [
      ("POST", "operator/album", "album next"), ("POST", "operator/restart", "restart"),
      ("DELETE", "photos/x", nil),
    ] as [(String, String, String?)])
  func change(_ method: String, _ target: String, _ deed: String?) async throws {
    let open = try await ServerRig()
    let refused = await open.ask(method, "/api/v1/\(target)")
    #expect(refused.status == 403 && refused.text.contains("set web.pin"))
    let rig = try await ServerRig { $0.pin = "1234" }
    #expect(await rig.ask(method, "/api/v1/\(target)").status == 401)
    let wrong = await rig.ask(method, "/api/v1/\(target)", headers: ["X-Retake-Pin: 9999"])
    #expect(wrong.status == 401)
    #expect(open.station.deeds.isEmpty && rig.station.deeds.isEmpty)
    let right = await rig.ask(method, "/api/v1/\(target)", headers: [Self.pin])
    #expect(right.status == (deed == nil ? 404 : target.hasSuffix("album") ? 200 : 204))
    #expect(rig.station.deeds == [deed].compactMap { $0 })
    // Another site's page cannot do it in the operator's browser.
    let foreign = await rig.ask(
      method, "/api/v1/\(target)", headers: [Self.pin, "Origin: http://evil.example"])
    #expect(foreign.status == 403)
    #expect(rig.station.deeds.count == (deed == nil ? 0 : 1))
  }

  @Test("a test shot is a picture for the operator alone, kept by nobody")
  func testShot() async throws {
    let rig = try await ServerRig { $0.pin = "1234" }
    #expect(await rig.get("/api/v1/operator/test-shot").status == 401)
    let answer = await rig.get("/api/v1/operator/test-shot", headers: [Self.pin])
    #expect(answer.status == 200 && answer.text == "picture")
    #expect(answer.headers["content-type"] == "image/jpeg")
    #expect(answer.headers["cache-control"] == "no-store")
    #expect(try await ServerRig().get("/api/v1/operator/test-shot").status == 200)
    #expect(await rig.get("/api/v1/operator/nothing", headers: [Self.pin]).status == 404)
    #expect(await rig.ask("POST", "/api/v1/operator/test-shot").status == 405)
  }

  @Test(
    "an album is started by name or by number, and other bodies are refused",
    arguments: [
      ("", 200, "album next"), ("{}", 200, "album next"),
      (#"{"name":"gala"}"#, 200, "album gala"), (#"{"name":""}"#, 400, nil),
      (#"{"name":7}"#, 400, nil), (#"{"title":"x"}"#, 400, nil), ("[]", 400, nil),
    ] as [(String, Int, String?)])
  func album(_ body: String, _ status: Int, _ deed: String?) async throws {
    let rig = try await ServerRig { $0.pin = "1234" }
    let answer = await rig.ask(
      "POST", "/api/v1/operator/album", headers: [Self.pin], body: body)
    #expect(answer.status == status)
    #expect(rig.station.deeds == [deed].compactMap { $0 })
    if status == 200 { #expect(answer.text.contains(#""album":""#)) }
  }

  @Test("what the station refuses is told with its fix")
  func refusal() async throws {
    let rig = try await ServerRig { $0.pin = "1234" }
    rig.station.refuse(KioskProblem(409, "nobody would start it again", fix: "run it as a service"))
    let answer = await rig.ask("POST", "/api/v1/operator/restart", headers: [Self.pin])
    #expect(answer.status == 409 && answer.text.contains("run it as a service"))
  }
}
