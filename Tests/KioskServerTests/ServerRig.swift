import ImagePicker
import Platform

@testable import KioskServer

/// A server on a free port of this machine, with a fake station.
final class ServerRig: Sendable {
  let station = FakeStation()
  let server: PageServer

  init(_ change: (inout KioskConfiguration) -> Void = { _ in }) async throws {
    var configuration = KioskConfiguration(
      address: KioskAddress(host: "127.0.0.1", port: 0), version: "1.2.3")
    // Long enough for a slow machine; the tests of deadlines set their own.
    configuration.limits.heartbeat = .seconds(60)
    configuration.limits.headerTime = .seconds(60)
    configuration.limits.idleTime = .seconds(60)
    configuration.limits.bodyTime = .seconds(60)
    configuration.limits.answerTime = .seconds(60)
    configuration.limits.stallTime = .seconds(60)
    configuration.limits.frameTime = .seconds(60)
    change(&configuration)
    server = try PageServer(configuration, station: station, state: ServerRig.state())
    try await server.start()
  }

  deinit { server.stop() }

  var client: Client { Client(port: server.port) }

  static func state(
    _ state: PickerMachine.State = .idle, session: UInt64? = nil
  ) -> KioskState {
    KioskState(
      snapshot: PickerMachine.Snapshot.test(session, state),
      began: MonotonicTime(nanoseconds: 0),
      camera: .init(name: "test", state: "streaming", width: 640, height: 480))
  }

  /// Makes one request on its own connection.
  func ask(
    _ method: String, _ target: String, headers: [String] = [], body: String = "",
    host: String = "localhost"
  ) async -> Answer {
    let client = client
    var lines = ["\(method) \(target) HTTP/1.1", "Host: \(host)", "Connection: close"] + headers
    if !body.isEmpty {
      lines.append("Content-Length: \(body.utf8.count)")
      if !headers.contains(where: { $0.lowercased().hasPrefix("content-type") }) {
        lines.append("Content-Type: application/json")
      }
    }
    client.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    let bytes = await client.read { _ in false }
    return Answer(bytes)
  }

  func get(_ target: String, headers: [String] = []) async -> Answer {
    await ask("GET", target, headers: headers)
  }
}

extension PickerMachine.Snapshot {
  /// Returns a snapshot of a machine in that state.
  static func test(_ session: UInt64?, _ state: PickerMachine.State) -> Self {
    guard session != nil else { return PickerMachine(conditions: .ready).snapshot }
    var machine = PickerMachine(conditions: .ready)
    _ = machine.handle(.begin(.init(source: .camera)), at: PickerInstant(nanoseconds: 0))
    return machine.snapshot
  }
}
