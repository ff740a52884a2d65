import KioskServer
import Platform
import Synchronization
import Testing

/// A station with nothing but live pictures.
private final class PreviewStation: KioskStation {
  private let newest = Mutex<FakeFrame?>(nil)

  func show(_ frame: FakeFrame) { newest.withLock { $0 = frame } }

  func frame(after last: UInt64?) -> (any KioskFrame)? {
    newest.withLock { $0?.number == last ? nil : $0 }
  }
}

@Suite(.timeLimit(.minutes(1))) struct PreviewStationTests {
  private let station = PreviewStation()

  private func server() throws(KioskError) -> PageServer {
    let address = KioskAddress(host: "127.0.0.1", port: 0)
    return try PageServer(KioskConfiguration(address: address), station: station)
  }

  @Test("one method is enough for a preview") func oneMethodIsEnoughForAPreview() async throws {
    let server = try server()
    try await server.start()
    let viewer = Client(port: server.port)
    viewer.send("GET /preview.mjpg HTTP/1.1\r\nHost: localhost\r\n\r\n")
    for (number, text) in [(1, "first picture"), (2, "second picture")] {
      station.show(FakeFrame(UInt64(number), Array(text.utf8)))
      #expect(await viewer.read(through: text).contains(text))
    }
    await server.stop()
  }

  @Test("other requests are answered empty or refused")
  func otherRequestsAreAnsweredEmptyOrRefused() async throws {
    let server = try server()
    try await server.start()
    for (target, status) in [("/api/v1/photos", "200"), ("/api/v1/operator/test-shot", "404")] {
      let client = Client(port: server.port)
      client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      #expect(await client.read(through: "\r\n").contains(" \(status) "), "\(target)")
    }
    await server.stop()
  }
}
