import ImagePicker
import Testing

@testable import KioskServer

@Suite("Requests")
struct RequestTests {
  @Test("the page and every answer of it forbid what is not theirs")
  func page() async throws {
    let rig = try await ServerRig()
    let answer = await rig.get("/")
    #expect(answer.status == 200)
    #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
    #expect(answer.headers["content-security-policy"]?.contains("default-src 'none'") == true)
    #expect(answer.headers["x-content-type-options"] == "nosniff")
    let tag = try #require(answer.headers["etag"])
    let again = await rig.get("/", headers: ["If-None-Match: \(tag)"])
    #expect(again.status == 304)
    #expect(again.body.isEmpty)
  }

  struct Bad: Sendable, CustomTestStringConvertible {
    var method: String
    var target: String
    var headers: [String] = []
    var body = ""
    var status: Int
    var testDescription: String { "\(method) \(target) \(body) \(headers) → \(status)" }

    init(
      _ method: String, _ target: String, _ status: Int, headers: [String] = [], body: String = ""
    ) {
      self.method = method
      self.target = target
      self.status = status
      self.headers = headers
      self.body = body
    }
  }

  @Test(
    "what is wrong with a request is said with the right status, as a problem document",
    arguments: [
      Bad("GET", "/nothing", 404), Bad("GET", "/api/v1", 404), Bad("GET", "/api/v2/state", 404),
      Bad("GET", "/api/v1/state/", 404), Bad("GET", "/page/", 404),
      Bad("GET", "/page/../../etc/passwd", 404), Bad("GET", "/page/%2e%2e%2fpasswd", 404),
      Bad("GET", "/page/.hidden", 404), Bad("GET", "//", 404),
      Bad("POST", "/api/v1/state", 405), Bad("GET", "/api/v1/shutter", 405),
      Bad("PUT", "/api/v1/shutter", 405), Bad("DELETE", "/", 405), Bad("BREW", "/", 405),
      Bad("GET", "/api/v1/state", 400, body: "{}"), Bad("GET", "/%zz", 400),
      Bad("GET", "/%ff", 400), Bad("GET", "/%00", 400), Bad("GET", "http://localhost/", 400),
      Bad("GET", "/api/v1/preview?after=x", 400), Bad("GET", "/api/v1/preview?after=-1", 400),
      Bad("GET", "/api/v1/preview?after=1&after=2", 400),
      Bad("GET", "/api/v1/photos?limit=0", 400), Bad("GET", "/api/v1/photos?limit=1000", 400),
      Bad("GET", "/api/v1/photos?what=1", 400), Bad("GET", "/api/v1/photos?before=broken", 400),
      Bad("GET", "/api/v1/photos/none", 404), Bad("GET", "/api/v1/photos/none/original", 404),
      Bad("GET", "/api/v1/photos/none/other", 404), Bad("GET", "/api/v1/review/1.jpg", 404),
      Bad("GET", "/api/v1/review/01.jpg", 404), Bad("GET", "/api/v1/review/x.jpg", 404),
      Bad("POST", "/api/v1/accept", 400, body: "{"), Bad("POST", "/api/v1/accept", 400, body: "[]"),
      Bad("POST", "/api/v1/accept", 400, body: #"{"session":"1"}"#),
      Bad("POST", "/api/v1/accept", 400, body: #"{"session":0}"#),
      Bad("POST", "/api/v1/accept", 400, body: #"{"session":1.5}"#),
      Bad("POST", "/api/v1/accept", 400, body: #"{"session":99999999999999999999}"#),
      Bad("POST", "/api/v1/accept", 400, body: #"{"other":1}"#),
      Bad(
        "POST", "/api/v1/accept", 415, headers: ["Content-Type: text/plain"],
        body: #"{"session":1}"#),
      Bad("POST", "/api/v1/select", 400, body: "{}"), Bad("POST", "/api/v1/select", 400),
      Bad("POST", "/api/v1/select", 400, body: #"{"item":""}"#),
      Bad("POST", "/api/v1/begin", 400, body: #"{"source":"disk"}"#),
      Bad("POST", "/api/v1/begin", 400, body: #"{"limit":-1}"#),
      Bad("POST", "/api/v1/edit", 400, body: #"{"crop":{"x":1}}"#),
      Bad("POST", "/api/v1/edit", 400, body: #"{"crop":{"x":-1,"y":0,"width":1,"height":1}}"#),
      Bad("POST", "/api/v1/edit", 400, body: #"{"quarterTurns":4}"#),
      Bad("POST", "/api/v1/heartbeat", 400),
      Bad("POST", "/api/v1/accept", 413, body: String(repeating: " ", count: 20_000)),
      Bad("DELETE", "/api/v1/photos/a", 403),
      Bad("POST", "/api/v1/shutter", 403, headers: ["Origin: http://elsewhere.example"]),
      Bad("POST", "/api/v1/shutter", 403, headers: ["Origin: null"]),
      Bad("POST", "/api/v1/shutter", 403, headers: ["Origin: http://localhost.evil.example"]),
      Bad("POST", "/api/v1/shutter", 403, headers: ["Origin: http://evil-localhost"]),
      Bad("POST", "/api/v1/shutter", 403, headers: ["Origin: http://localhost:8080"]),
      Bad("POST", "/api/v1/shutter", 403, headers: ["Origin: http://"]),
      Bad("POST", "/api/v1/shutter", 403, headers: ["Sec-Fetch-Site: cross-site"]),
      Bad("POST", "/api/v1/shutter", 403, headers: ["Sec-Fetch-Site: same-site"]),
      Bad("POST", "/api/v1/shutter", 403, headers: ["Sec-Fetch-Site: none"]),
      Bad("POST", "/api/v1/shutter", 403, headers: ["Sec-Fetch-Site: "]),
    ])
  func refusals(_ bad: Bad) async throws {
    let rig = try await ServerRig()
    let answer = await rig.ask(
      bad.method, bad.target, headers: bad.headers, body: bad.body)
    #expect(answer.status == bad.status)
    #expect(answer.headers["content-type"] == "application/problem+json")
    let problem = try #require(JSONValue(answer.body))
    guard case .object(let members) = problem else {
      Issue.record("no object: \(answer.text)")
      return
    }
    #expect(members["status"] == .number(Double(bad.status)))
    #expect(members["title"] != nil && members["detail"] != nil)
    #expect(rig.station.events.isEmpty)
  }

  @Test(
    "a name that is not the server's is refused: a page elsewhere may have pointed it here",
    arguments: [
      ("localhost", 200), ("localhost:8080", 200), ("127.0.0.1", 200), ("[::1]:80", 200),
      ("192.168.1.7", 200), ("booth.local", 200), ("BOOTH.LOCAL.:80", 200), ("evil.example", 421),
      ("127.0.0.1.evil.example", 421), ("evilbooth.local", 421), ("evil.booth.local", 421),
      ("booth.local.evil.example", 421), ("booth.loca", 421), ("localhost.evil.example", 421),
      ("evillocalhost", 421), ("", 400), ("a:b", 400), ("[::1", 400),
    ])
  func hosts(_ host: String, _ status: Int) async throws {
    let rig = try await ServerRig { $0.hosts = ["booth.local"] }
    #expect(await rig.ask("GET", "/healthz", host: host).status == status)
  }

  @Test("two Host headers are refused")
  func twoHosts() async throws {
    let rig = try await ServerRig()
    let answer = await rig.ask("GET", "/healthz", headers: ["Host: evil.example"])
    #expect(answer.status == 400)
  }

  @Test("a command goes to the station with the session that it means")
  func command() async throws {
    let rig = try await ServerRig()
    let answer = await rig.ask(
      "POST", "/api/v1/accept", headers: ["Origin: http://localhost"], body: #"{"session":12}"#)
    #expect(answer.status == 200)
    #expect(answer.headers["content-type"] == "application/json")
    #expect(rig.station.events == [.accept])
    #expect(rig.station.sessions == [SessionID(rawValue: 12)])
  }

  @Test("every command reaches the station as what it is")
  func commands() async throws {
    let rig = try await ServerRig()
    let table: [(String, String, PickerMachine.Event)] = [
      ("shutter", "", .shutter), ("retake", "{}", .retake), ("cancel", "", .cancel),
      ("extend", "", .extend), ("back", "", .back),
      (
        "begin", #"{"source":"photoLibrary","limit":3,"edit":true}"#,
        .begin(.init(source: .photoLibrary, allowsEditing: true, selectionLimit: 3))
      ),
      ("select", #"{"item":"booth/ü.jpg"}"#, .select("booth/ü.jpg")),
      ("deselect", #"{"item":"a/b"}"#, .deselect("a/b")),
      ("editor", #"{"item":"a/b"}"#, .openEditor("a/b")),
      (
        "edit", #"{"crop":{"x":1,"y":2,"width":3,"height":4},"quarterTurns":1}"#,
        .edit(.init(crop: .init(x: 1, y: 2, width: 3, height: 4), quarterTurns: 1))
      ),
      ("edit", #"{"crop":null}"#, .edit(.init())),
    ]
    for (name, body, _) in table {
      #expect(await rig.ask("POST", "/api/v1/\(name)", body: body).status == 200)
    }
    #expect(rig.station.events == table.map(\.2))
  }

  @Test("what the station refuses is a conflict with its reason")
  func conflict() async throws {
    let rig = try await ServerRig()
    rig.station.reply(.refused(KioskProblem(409, "that session is over", code: "stale")))
    let answer = await rig.ask("POST", "/api/v1/accept", body: #"{"session":1}"#)
    #expect(answer.status == 409)
    #expect(answer.text.contains(#""code":"stale""#))
  }

  @Test("an answer to HEAD has the headers and no body")
  func head() async throws {
    let rig = try await ServerRig()
    for target in ["/", "/api/v1/state", "/api/v1/events", "/preview.mjpg"] {
      let answer = await rig.ask("HEAD", target)
      #expect(answer.status == 200)
      #expect(answer.body.isEmpty)
    }
  }

  @Test("headers that are too large are refused, and the server goes on")
  func hugeHeaders() async throws {
    let rig = try await ServerRig()
    let answer = await rig.get(
      "/", headers: ["X-Filler: " + String(repeating: "a", count: 100_000)])
    #expect(answer.status == 431 || answer.status == 413 || answer.status == 0)
    #expect(await rig.get("/healthz").status == 200)
  }

  @Test(
    "what is no HTTP is refused or closed, and the server goes on",
    arguments: [
      "\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n",
      "GET / HTTP/1.1\r\nHost localhost\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
      "POST /api/v1/shutter HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
      "POST /api/v1/shutter HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "GET / HTTP/1.1\r\n",
    ])
  func malformed(_ text: String) async throws {
    let rig = try await ServerRig()
    let client = rig.client
    client.send(text)
    client.finishSending()
    let answer = await client.rest()
    #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4") || answer.hasPrefix("HTTP/1.1 5"))
    #expect(await rig.get("/healthz").status == 200)
    #expect(rig.station.events.isEmpty)
  }

  @Test("a client that closes its sending half still gets its answer")
  func halfClosed() async throws {
    let rig = try await ServerRig()
    let client = rig.client
    client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    client.finishSending()
    let answer = await client.rest()
    #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 200"))
    #expect(await rig.get("/healthz").status == 200)
  }

  @Test("requests that come together are answered in their order")
  func pipeline() async throws {
    let rig = try await ServerRig()
    let client = rig.client
    client.send(
      "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        + "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"
        + "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    let text = await client.rest()
    let statuses = text.split(separator: "HTTP/1.1 ").map { $0.prefix(3) }
    #expect(statuses == ["200", "404", "200"])
  }
}
