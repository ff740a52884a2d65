import Testing

@testable import KioskServer

@Suite("Photos")
struct PhotoTests {
  private static let photo = KioskPhoto(
    id: "booth/IMG_00000001.jpg", album: "booth", name: "IMG_00000001.jpg", width: 540,
    height: 720, bytes: 10, taken: 1_796_040_000)
  private static let path = "/api/v1/photos/booth%2FIMG_00000001.jpg"

  private func rig(
    photos: Int = 1, _ change: (inout KioskConfiguration) -> Void = { _ in }
  ) async throws -> ServerRig {
    let rig = try await ServerRig(change)
    rig.station.keep(
      Array(repeating: Self.photo, count: photos), file: TemporaryFile(Array("0123456789".utf8)))
    return rig
  }

  @Test("a page of photos says where the next one begins, and how many there are")
  func page() async throws {
    let rig = try await rig(photos: 3)
    let answer = await rig.get("/api/v1/photos?limit=2&before=a%2Fb&album=x+y")
    #expect(answer.status == 200)
    guard case .object(let members)? = JSONValue(answer.body),
      case .array(let photos)? = members["photos"], case .object(let photo)? = photos.first
    else {
      Issue.record("no page: \(answer.text)")
      return
    }
    #expect(photos.count == 2)
    #expect(members["next"] == .string("more/1"))
    #expect(members["total"] == .number(3))
    #expect(members["unshown"] == .object(["count": .number(0), "formats": .array([])]))
    #expect(photo["id"] == .string("booth/IMG_00000001.jpg"))
    #expect(photo["taken"] == .string("2026-11-30T12:00:00Z"))
    #expect(photo["kind"] == .string("image"))
    #expect(photo["durationMs"] == nil)
    let asked = try #require(rig.station.asked)
    #expect(asked.cursor == "a/b" && asked.album == "x y" && asked.limit == 2)
  }

  @Test("a photo has a description, a thumbnail and its file")
  func parts() async throws {
    let rig = try await rig()
    #expect(await rig.get(Self.path).status == 200)
    #expect(await rig.get("\(Self.path)/thumbnail.jpg").text == "thumbnail")
    let original = await rig.get("\(Self.path)/original")
    #expect(original.status == 200)
    #expect(original.text == "0123456789")
    #expect(original.headers["etag"] == "\"tag\"")
    #expect(original.headers["accept-ranges"] == "bytes")
  }

  @Test(
    "parts of the file are given as they are asked for",
    arguments: [
      ("bytes=0-3", 206, "0123"), ("bytes=8-", 206, "89"), ("bytes=-3", 206, "789"),
      ("bytes=0-100", 206, "0123456789"), ("bytes=-100", 206, "0123456789"),
      ("bytes=9-9", 206, "9"), ("bytes=10-", 416, ""), ("bytes=-0", 416, ""),
      ("bytes=99999999999999999999-", 416, ""), ("bytes=3-1", 200, "0123456789"),
      ("bytes=0-1,3-4", 200, "0123456789"), ("bytes=a-b", 200, "0123456789"),
      ("lines=0-1", 200, "0123456789"), ("bytes=-", 200, "0123456789"),
    ])
  func ranges(_ range: String, _ status: Int, _ text: String) async throws {
    let rig = try await rig()
    let answer = await rig.get("\(Self.path)/original", headers: ["Range: \(range)"])
    #expect(answer.status == status)
    if status == 416 {
      #expect(answer.headers["content-range"] == "bytes */10")
      #expect(answer.headers["content-type"] == "application/problem+json")
    } else {
      #expect(answer.text == text)
      #expect(answer.headers["content-length"] == "\(text.utf8.count)")
    }
    if status == 206 { #expect(answer.headers["content-range"]?.hasSuffix("/10") == true) }
  }

  @Test("a part of a file that has changed meanwhile is not given")
  func ifRange() async throws {
    let rig = try await rig()
    let target = "\(Self.path)/original"
    let same = await rig.get(target, headers: ["Range: bytes=0-1", "If-Range: \"tag\""])
    #expect(same.status == 206)
    let other = await rig.get(target, headers: ["Range: bytes=0-1", "If-Range: \"old\""])
    #expect(other.status == 200)
    #expect(await rig.get(target, headers: ["If-None-Match: W/\"tag\", \"x\""]).status == 304)
  }

  @Test("a photo is deleted only with the operator's PIN")
  func deletion() async throws {
    let rig = try await rig { $0.pin = "1234" }
    #expect(await rig.ask("DELETE", Self.path).status == 401)
    #expect(await rig.ask("DELETE", Self.path, headers: ["X-Retake-Pin: 0000"]).status == 401)
    #expect(rig.station.deletions.isEmpty)
    #expect(await rig.ask("DELETE", Self.path, headers: ["X-Retake-Pin: 1234"]).status == 204)
    #expect(rig.station.deletions == ["booth/IMG_00000001.jpg"])
    let missing = await rig.ask("DELETE", "/api/v1/photos/x", headers: ["X-Retake-Pin: 1234"])
    #expect(missing.status == 404)
  }
}
