import Glibc
import Platform
import Synchronization
import Testing

@testable import KioskServer

/// Clients that send requests without a pause, and read what comes.
private final class Crowd: Sendable {
  private let clients: [Client]
  private let isOver = Atomic<Bool>(false)
  private let asking = Mutex((count: 0, begun: 0, all: CheckedContinuation<Void, Never>?.none))

  init(_ clients: [Client]) { self.clients = clients }

  /// Lets all of them send until ``leave()``, or until a test should long be over; returns when each
  /// of them has begun.
  func start() async {
    await withCheckedContinuation { all in
      asking.withLock { $0.all = all }
      for client in clients { _ = try? Thread("test") { [self] in ask(client) } }
    }
  }

  /// Ends the clients and returns how many were still active.
  func leave() -> Int {
    isOver.store(true, ordering: .relaxed)
    return asking.withLock { $0.count }
  }

  private func ask(_ client: Client) {
    let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    let requests = Array(String(repeating: request, count: 200).utf8)
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    var (sent, received, hasBegun) = (0, 0, false)
    while received < 8 << 20, !isOver.load(ordering: .relaxed) {
      // Neither waits: a server that waits for its answers to be taken would wait for ever.
      let count = requests[sent...].withUnsafeBytes {
        Glibc.send(
          client.socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count < 0 {
        guard errno == EAGAIN else { break }
        var wait = pollfd(fd: client.socket, events: Int16(POLLIN), revents: 0)
        poll(&wait, 1, 100)
      }
      sent = (sent + max(0, count)) % requests.count
      let answers = recv(client.socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if answers > 0 { received += answers }
      if received > 0, !hasBegun {
        hasBegun = true
        begin()
      }
    }
    if !hasBegun { begin() }
    asking.withLock { $0.count -= 1 }
  }

  private func begin() {
    let all = asking.withLock { asking in
      asking.count += 1
      asking.begun += 1
      return asking.begun == clients.count ? asking.all : nil
    }
    all?.resume()
  }
}

@Suite("Limits")
struct LimitTests {
  private func rig(_ change: (inout HTTPLimits) -> Void) async throws -> ServerRig {
    try await ServerRig {
      $0.limits.watch = .milliseconds(2)
      change(&$0.limits)
    }
  }

  @Test(
    "a client that does not finish its request in time is cut off",
    arguments: ["", "GET", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: localhost\r\n"])
  func slowHeaders(_ start: String) async throws {
    let rig = try await rig { $0.headerTime = .milliseconds(20) }
    let client = rig.client
    client.send(start)
    #expect(await client.rest().isEmpty)
  }

  @Test("a client that trickles its headers is cut off, though it is never silent")
  func trickle() async throws {
    let rig = try await rig { $0.headerTime = .milliseconds(100) }
    let client = rig.client
    client.send("GET / HTTP/1.1\r\n")
    let ended = await onThread {
      // As fast as can be; what ends it is the server's clock, or the size of the headers.
      var bytes = 0
      while bytes < 8_000 {
        client.send("a")
        bytes += 1
        var byte: UInt8 = 0
        if recv(client.socket, &byte, 1, Int32(MSG_DONTWAIT)) == 0 { return true }
      }
      var byte: UInt8 = 0
      return recv(client.socket, &byte, 1, 0) <= 0
    }
    #expect(ended)
  }

  @Test("headers up to their limit are answered, and longer ones are told so")
  func headerBytes() async throws {
    let rig = try await rig { _ in }
    // 500 cookies of 18 bytes; one of 15 KB; other headers; and more than 16 KB.
    let many = (100..<600).map { "some-cookie=\($0)" }.joined(separator: "; ")
    let long = "a=" + String(repeating: "b", count: 15_000)
    let other = String(repeating: "c", count: 15_000)
    for (header, status) in [
      ("Cookie: \(many)", 200), ("Cookie: \(long)", 200), ("X-Other: \(other)", 200),
      ("X-Other: \(other)cc\r\nX-More: \(long)", 431),
    ] {
      let client = rig.client
      client.send(
        "GET /api/v1/state HTTP/1.1\r\nHost: localhost\r\n\(header)\r\nConnection: close\r\n\r\n")
      let answer = await client.rest()
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(header.prefix(20)): \(answer.prefix(20))")
    }
  }

  @Test("a client that does not send its body is cut off")
  func slowBody() async throws {
    let rig = try await rig { $0.bodyTime = .milliseconds(20) }
    let client = rig.client
    client.send(
      "POST /api/v1/shutter HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + "Content-Length: 10\r\n\r\n{")
    #expect(await client.rest().isEmpty)
    #expect(rig.station.events.isEmpty)
  }

  @Test("a body without an end is not read for long", arguments: [true, false])
  func endlessBody(isRefused: Bool) async throws {
    let rig = try await rig { _ in }
    let client = rig.client
    let chunk = "1000\r\n" + String(repeating: " ", count: 4096) + "\r\n"
    client.send(
      "POST /api/v1/\(isRefused ? "nothing" : "accept") HTTP/1.1\r\nHost: localhost\r\n"
        + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
    // Far more than fits into the buffers of two sockets: it ends when the server closes.
    for _ in 0..<20_000 { client.send(chunk) }
    #expect(await client.rest().isEmpty)
    let text = await rig.get("/metrics").text
    #expect(text.contains("{reason=\"slow\"} 1"))
    #expect(rig.station.events.isEmpty)
  }

  @Test("a body that is a little too large is read to its end, and answered")
  func largeBody() async throws {
    let rig = try await rig { _ in }
    let client = rig.client
    let chunk = "1000\r\n" + String(repeating: " ", count: 4096) + "\r\n"
    client.send(
      "POST /api/v1/accept HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n" + String(repeating: chunk, count: 6)
        + "0\r\n\r\n")
    #expect(await client.answer().status == 413)
  }

  @Test("clients that are never silent hold up neither deadlines nor events")
  func busyClients() async throws {
    let rig = try await rig {
      $0.bodyTime = .milliseconds(50)
      $0.heartbeat = .milliseconds(5)
    }
    let page = rig.client
    page.send("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    _ = await page.read(through: "event: state")
    let crowd = Crowd((0..<40).map { _ in rig.client })
    await crowd.start()
    let slow = rig.client
    slow.send(
      "POST /api/v1/shutter HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + "Content-Length: 10\r\n\r\n{")
    #expect(await slow.rest().isEmpty)
    let events = await page.read { Client.count($0, "event: heartbeat") >= 3 }
    #expect(Client.count(events, "event: heartbeat") >= 3)
    let remained = crowd.leave()
    #expect(remained > 20)
  }

  @Test("a library that hangs is not waited for without end")
  func hungLibrary() async throws {
    let rig = try await rig { $0.workTime = .milliseconds(20) }
    rig.station.hang(true)
    let answer = await rig.get("/api/v1/photos")
    #expect(answer.status == 503)
    #expect(answer.text.contains("fix"))
    rig.station.hang(false)
    #expect(await rig.get("/healthz").status == 200)
  }

  @Test("a connection that is kept is closed when nothing comes any more")
  func idle() async throws {
    let rig = try await rig { $0.idleTime = .milliseconds(20) }
    let client = rig.client
    client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(await client.rest().contains("200 OK"))
  }

  @Test("a large answer that is taken too slowly is cut off")
  func slowReader() async throws {
    let rig = try await rig {
      $0.answerTime = .milliseconds(20)
      $0.slowestRate = 1 << 30
    }
    rig.station.show(1, [UInt8](repeating: 65, count: 32 << 20))
    let client = rig.client
    client.send("GET /api/v1/preview HTTP/1.1\r\nHost: localhost\r\n\r\n")
    // Its beginning is there, and then the client waits for the server to lose patience.
    _ = await client.read { $0.count > 10 }
    await untilCut(rig)
    #expect(await client.read { _ in false }.count < 32 << 20)
  }

  private func untilCut(_ rig: ServerRig) async {
    for _ in 0..<10_000 {
      let text = await rig.get("/metrics").text
      if text.contains("{reason=\"slow\"} 1") { return }
    }
  }

  @Test("idle connections make room for new ones, and requests under way stay")
  func eviction() async throws {
    let rig = try await rig {
      $0.connections = 4
      $0.heartbeat = .seconds(60)
    }
    let page = rig.client
    page.send("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    _ = await page.read(through: "event: state")
    var idle: [Client] = []
    for _ in 0..<40 { idle.append(rig.client) }
    #expect(await rig.get("/healthz").status == 200)
    rig.server.announce(KioskNotice(kind: "refused", code: nil, message: "still here"))
    #expect(await page.read(through: "still here").contains("still here"))
    // Those that came first are gone.
    #expect(await idle[0].rest().isEmpty)
  }

  @Test("while every connection is in use, another one is closed, and the station hears nothing")
  func full() async throws {
    let rig = try await rig {
      $0.connections = 2
      $0.heartbeat = .seconds(60)
    }
    var pages: [Client] = []
    for _ in 0..<2 {
      let page = rig.client
      page.send("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
      _ = await page.read(through: "event: state")
      pages.append(page)
    }
    let more = rig.client
    more.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(await more.rest().isEmpty)
  }

  @Test("stopping ends every connection, also those that wait")
  func stop() async throws {
    let rig = try await rig { $0.heartbeat = .seconds(60) }
    let page = rig.client
    page.send("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    _ = await page.read(through: "event: state")
    let viewer = rig.client
    viewer.send("GET /preview.mjpg HTTP/1.1\r\nHost: localhost\r\n\r\n")
    _ = await viewer.read(through: "\r\n\r\n")
    await onThread { rig.server.stop() }
    #expect(!(await page.rest()).contains("event: state"))
    _ = await viewer.rest()
  }
}
