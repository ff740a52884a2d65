import CMicroHTTPD
import Platform
import Testing

@testable import KioskServer

@Suite("Access")
struct AccessTests {
  private static let token = "0123456789abcdef"

  private func rig() async throws -> ServerRig {
    try await ServerRig {
      $0.token = Self.token
      $0.pin = "1234"
    }
  }

  @Test("to listen for others without a token is refused, with the fix")
  func needsToken() async throws {
    let open = KioskAddress(host: "0.0.0.0", port: 0)
    var configuration = KioskConfiguration(address: open, version: "1")
    for token in [nil, "short"] {
      configuration.token = token
      do throws(KioskError) {
        _ = try PageServer(configuration, station: FakeStation(), state: ServerRig.state())
        Issue.record("it listens")
      } catch {
        #expect(error.code == .configuration)
        #expect(error.operatorMessage.contains("web.token"))
      }
    }
  }

  @Test("a socket that somebody else opened for others needs the token, too")
  func needsTokenOnSocket() async throws {
    let configuration = KioskConfiguration(
      address: KioskAddress(host: "127.0.0.1", port: 8080), version: "1")
    for host in ["0.0.0.0", "::"] {
      do throws(KioskError) {
        _ = try PageServer(
          configuration, station: FakeStation(), state: ServerRig.state(),
          listener: cmhd_listen(host, 0, 1))
        Issue.record("it listens")
      } catch {
        #expect(error.code == .configuration)
        #expect(error.operatorMessage.contains("web.token"))
      }
    }
    let server = try PageServer(
      configuration, station: FakeStation(), state: ServerRig.state(),
      listener: cmhd_listen("::1", 0, 1))
    #expect(server.configuration.address == KioskAddress(host: "::1", port: UInt16(server.port)))
    await server.stop()
  }

  @Test(
    "a socket's address is told from the one that was asked for",
    arguments: [
      ("127.0.0.1:80", "127.0.0.1:80", true), ("127.0.0.1:80", "127.0.0.1:81", false),
      ("localhost:80", "127.0.0.1:80", true), ("127.0.0.1:80", "[::1]:80", false),
      ("[0:0:0:0:0:0:0:1]:80", "[::1]:80", true), ("0.0.0.0:80", "[::]:80", true),
      ("0.0.0.0:80", "127.0.0.1:80", false), ("127.0.0.1:0", "127.0.0.1:80", true),
      ("[::]:80", "0.0.0.0:80", false),
    ])
  func addressOfSocket(_ wanted: String, _ other: String, _ isMet: Bool) throws {
    let address = try #require(KioskAddress(wanted))
    #expect(try address.isMet(by: #require(KioskAddress(other))) == isMet)
  }

  @Test("a port that is in use is told with what to do about it")
  func portInUse() async throws {
    let rig = try await ServerRig()
    let address = KioskAddress(host: "127.0.0.1", port: UInt16(rig.server.port))
    do throws(KioskError) {
      _ = try PageServer(
        KioskConfiguration(address: address, version: "1"), station: FakeStation(),
        state: ServerRig.state())
      Issue.record("it listens")
    } catch {
      #expect(error.code == .inUse)
      #expect(error.operatorMessage.contains("web.listen"))
    }
  }

  @Test(
    "without the token nothing is given, with it everything is",
    arguments: [
      ([], 401), (["Authorization: Bearer 0123456789abcdeX"], 401),
      (["Authorization: Bearer 0123456789abcde"], 401),
      (["Authorization: Basic 0123456789abcdef"], 401), (["Authorization: Bearer"], 401),
      (["Authorization: bearer 0123456789abcdef"], 200),
      (["Cookie: a=b; retake-token=0123456789abcdef"], 200), (["Cookie: retake-token="], 401),
      (["Cookie: retake-token=0123456789abcdef0"], 401),
      // A proxy in front asks for its own credentials, and the cookie is beside them.
      (["Authorization: Basic dTpw", "Cookie: retake-token=0123456789abcdef"], 200),
      (["Authorization: Bearer wrong", "Cookie: retake-token=0123456789abcdef"], 200),
      (["Authorization: Bearer 0123456789abcdef", "Cookie: retake-token=old"], 200),
      (["Authorization: Basic dTpw", "Cookie: retake-token=old"], 401),
      // A browser sends the cookie of the longer path first, whichever is the newer.
      (["Cookie: retake-token=old; retake-token=0123456789abcdef"], 200),
      (["Cookie: retake-token=0123456789abcdef; retake-token=old"], 200),
      (["Cookie: retake-token=old; retake-token=older"], 401),
    ] as [([String], Int)])
  func token(_ headers: [String], _ status: Int) async throws {
    let rig = try await rig()
    for target in ["/", "/api/v1/state", "/preview.mjpg", "/metrics", "/api/v1/photos"] {
      #expect(await rig.ask("HEAD", target, headers: headers).status == status)
    }
    #expect(await rig.get("/healthz").status == 200)
  }

  @Test("the token in the page's address becomes a cookie that scripts cannot read")
  func cookie() async throws {
    let rig = try await rig()
    let answer = await rig.get("/?token=\(Self.token)")
    #expect(answer.status == 303)
    #expect(answer.headers["location"] == "/")
    let cookie = try #require(answer.headers["set-cookie"])
    #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
    #expect(await rig.get("/?token=wrong").status == 401)
    #expect(await rig.get("/api/v1/state?token=\(Self.token)").status == 401)
  }

  @Test("the operator's view needs the PIN, and guessing it becomes slow")
  func pin() async throws {
    let rig = try await ServerRig { $0.pin = "1234" }
    #expect(await rig.get("/api/v1/health").status == 401)
    #expect(await rig.get("/api/v1/health", headers: ["X-Retake-Pin: 1234"]).status == 200)
    for _ in 0..<5 {
      #expect(await rig.get("/api/v1/health", headers: ["X-Retake-Pin: 9999"]).status == 401)
    }
    // The right one would be told from the wrong ones otherwise.
    #expect(await rig.get("/api/v1/health", headers: ["X-Retake-Pin: 1234"]).status == 429)
  }

  /// Returns the verdicts for a guesser and for the operator's page, in turns, while the clock
  /// stands still.
  private func guesses(_ gate: inout OperatorGate, cookies: [Substring], _ time: MonotonicTime) -> (
    heard: Int, polls: [OperatorGate.Verdict]
  ) {
    var (heard, polls) = (0, [OperatorGate.Verdict]())
    for guess in 0..<2000 {
      // The right one is none of these.
      let verdict = gate.judge("\(5000 + guess)", cookies: [], rules, at: time)
      if verdict != .unheard { heard += 1 }
      if guess % 20 == 0 { polls.append(gate.judge("1234", cookies: cookies, rules, at: time)) }
    }
    return (heard, polls)
  }

  private var rules: AccessRules {
    var configuration = KioskConfiguration(
      address: KioskAddress(host: "127.0.0.1", port: 0), version: "1")
    configuration.pin = "1234"
    return AccessRules(configuration, port: 0)
  }

  @Test("an operator's page that polls gives a guesser nothing, and is not shut out by one")
  func guessing() throws {
    var gate = OperatorGate()
    var now = MonotonicTime(nanoseconds: 0)
    guard case .right(let cookie?) = gate.judge("1234", cookies: [], rules, at: now) else {
      Issue.record("the right PIN gets no cookie")
      return
    }
    let first = guesses(&gate, cookies: [cookie[...]], now)
    #expect(first.heard == OperatorGate.guesses)
    #expect(first.polls == Array(repeating: .right(cookie: nil), count: 100))
    // One guess comes back for each pause, and never more than there were.
    now = now + OperatorGate.pause
    #expect(guesses(&gate, cookies: [cookie[...]], now).heard == 1)
    now = now + .seconds(3600)
    #expect(guesses(&gate, cookies: [cookie[...]], now).heard == OperatorGate.guesses)
  }

  @Test("a right PIN without the cookie gives no guesses back")
  func guessingWithoutCookie() {
    var gate = OperatorGate()
    let heard = guesses(&gate, cookies: [], MonotonicTime(nanoseconds: 0)).heard
    #expect(heard == OperatorGate.guesses)
  }

  @Test("the cookie alone opens nothing, and its browser has no more guesses than another")
  func cookieOfOperator() async throws {
    let rig = try await ServerRig { $0.pin = "1234" }
    let answer = await rig.get("/api/v1/health", headers: ["X-Retake-Pin: 1234"])
    let header = try #require(answer.headers["set-cookie"])
    #expect(header.contains("HttpOnly") && header.contains("SameSite=Strict"))
    let cookie = "Cookie: " + (header.split(separator: ";").first ?? "")
    #expect(await rig.get("/api/v1/health", headers: [cookie]).status == 401)
    #expect(await rig.ask("DELETE", "/api/v1/photos/x", headers: [cookie]).status == 401)
    // Others have used up the guesses: the browser that knew the PIN is still heard.
    for _ in 0..<20 { _ = await rig.get("/api/v1/health", headers: ["X-Retake-Pin: 9999"]) }
    #expect(await rig.get("/api/v1/health", headers: ["X-Retake-Pin: 1234"]).status == 429)
    let right = [cookie, "X-Retake-Pin: 1234"]
    #expect(await rig.get("/api/v1/health", headers: right).status == 200)
    for _ in 0..<5 {
      let wrong = [cookie, "X-Retake-Pin: 9999"]
      #expect(await rig.get("/api/v1/health", headers: wrong).status == 401)
    }
    #expect(await rig.get("/api/v1/health", headers: right).status == 429)
  }

  @Test("browsers that have known the PIN are forgotten after a while, and a few are remembered")
  func forgetting() {
    var gate = OperatorGate()
    var now = MonotonicTime(nanoseconds: 0)
    var cookies: [String] = []
    for _ in 0..<OperatorGate.mostBrowsers + 1 {
      now = now + .seconds(1)
      if case .right(let cookie?) = gate.judge("1234", cookies: [], rules, at: now) {
        cookies.append(cookie)
      }
    }
    #expect(Set(cookies).count == OperatorGate.mostBrowsers + 1)
    for _ in 0..<OperatorGate.guesses { _ = gate.judge("9999", cookies: [], rules, at: now) }
    let oldest = gate.judge("1234", cookies: [cookies[0][...]], rules, at: now)
    #expect(oldest == .unheard)
    let newest = gate.judge("1234", cookies: ["x", cookies[1][...]], rules, at: now)
    #expect(newest == .right(cookie: nil))
    now = now + OperatorGate.memory + .seconds(2)
    let late = gate.judge("1234", cookies: [cookies[1][...]], rules, at: now)
    #expect(late != .right(cookie: nil))
  }

  @Test("only with the PIN the state says what is for the operator")
  func trouble() async throws {
    let rig = try await ServerRig { $0.pin = "1234" }
    var state = ServerRig.state()
    state.trouble = .init(
      kind: "camera", code: "cameraUnavailable", guest: "Ask for help.", trying: nil, retry: nil,
      operatorReason: "/dev/video0 is busy", operatorFix: "end it")
    rig.server.publish(state)
    let guest = await rig.get("/api/v1/state").text
    #expect(guest.contains("Ask for help.") && !guest.contains("/dev/video0"))
    let operatorView = await rig.get("/api/v1/state", headers: ["X-Retake-Pin: 1234"]).text
    #expect(operatorView.contains("/dev/video0 is busy"))
  }

  @Test("a page that is alive is heard of, and one that nobody sees is not")
  func heartbeat() async throws {
    let rig = try await ServerRig()
    #expect(rig.server.lastHeartbeat == nil)
    let hidden = #"{"page":"x","screen":"attract","visible":false}"#
    #expect(await rig.ask("POST", "/api/v1/heartbeat", body: hidden).status == 204)
    #expect(rig.server.lastHeartbeat == nil)
    let shown = #"{"page":"x","screen":"attract","visible":true}"#
    #expect(await rig.ask("POST", "/api/v1/heartbeat", body: shown).status == 204)
    #expect(rig.server.lastHeartbeat != nil)
  }

  @Test("secrets are compared as a whole")
  func comparison() {
    let secret = Array("0123456789abcdef".utf8)
    #expect(AccessRules.isSame(secret, secret))
    for index in secret.indices {
      var other = secret
      other[index] ^= 1
      #expect(!AccessRules.isSame(other, secret))
    }
    #expect(!AccessRules.isSame([], secret))
    #expect(!AccessRules.isSame(secret + secret, secret))
    #expect(!AccessRules.isSame(Array(secret.dropLast()), secret))
  }
}
