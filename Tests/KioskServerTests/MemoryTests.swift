import Testing

@testable import KioskServer

@Suite("Memory of answers")
struct MemoryTests {
  private static let large = 1 << 20

  @Test("bodies are counted until they are taken, and shared ones once")
  func counted() {
    let bodies = BodiesInFlight(limit: 3 << 20)
    let review = FakeBytes([UInt8](repeating: 1, count: Self.large))
    for _ in 0..<240 { #expect(bodies.take(.shared(review))) }
    #expect(bodies.bytes == Self.large)
    let page = HTTPResponse.Body.bytes([UInt8](repeating: 2, count: Self.large))
    #expect(bodies.take(page) && bodies.take(page))
    #expect(!bodies.take(page))
    #expect(bodies.refused == 1)
    // A small body is never refused, and a body that others hold already counts for nothing.
    #expect(bodies.take(.bytes([1, 2, 3])))
    #expect(bodies.take(.shared(review)))
    bodies.release(page)
    bodies.release(.bytes([1, 2, 3]))
    #expect(bodies.take(page))
    for _ in 0..<241 { bodies.release(.shared(review)) }
    for _ in 0..<2 { bodies.release(page) }
    #expect(bodies.bytes == 0)
  }

  @Test("one body is taken however large it is, and streams do not count")
  func alone() {
    let bodies = BodiesInFlight(limit: 10)
    let page = HTTPResponse.Body.bytes([UInt8](repeating: 2, count: Self.large))
    #expect(bodies.take(page))
    #expect(!bodies.take(page))
    let events = EventStream(state: { [] }, closed: {})
    #expect(bodies.take(.stream(events)))
    #expect(bodies.bytes == Self.large)
  }

  @Test("many who do not take a review hold it once, and a further picture is refused meanwhile")
  func unread() async throws {
    let rig = try await ServerRig { $0.limits.bytesInFlight = 20 << 20 }
    // More than sockets' buffers hold.
    rig.station.review(1, [UInt8](repeating: 65, count: 16 << 20))
    rig.station.show(1, [UInt8](repeating: 66, count: 8 << 20))
    var clients: [Client] = []
    for _ in 0..<40 {
      let client = rig.client
      client.send("GET /api/v1/review/1.jpg HTTP/1.1\r\nHost: localhost\r\n\r\n")
      _ = await client.read { $0.count > 10 }
      clients.append(client)
    }
    let metrics = await rig.get("/metrics").text
    #expect(metrics.contains("retake_web_answer_bytes \(16 << 20)\n"))
    let refused = await rig.get("/api/v1/preview")
    #expect(refused.status == 503)
    #expect(refused.text.contains("try again"))
    #expect(await rig.get("/healthz").status == 200)
    clients = []
    var bytes = ""
    while !bytes.contains("retake_web_answer_bytes 0\n") {
      bytes = await rig.get("/metrics").text
    }
    #expect(await rig.get("/api/v1/preview").status == 200)
  }
}
