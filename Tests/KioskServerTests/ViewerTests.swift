import Glibc
import Platform
import Testing

@testable import KioskServer

@Suite("Viewers")
struct ViewerTests {
  private static let request = "GET /preview.mjpg HTTP/1.1\r\nHost: localhost\r\n\r\n"

  /// More than two sockets hold of a client that reads nothing.
  private static let large = 12 << 20

  private static func picture(_ number: UInt8, _ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      for index in 0..<count { buffer[index] = UInt8(truncatingIfNeeded: index / 251) ^ number }
      filled = count
    }
  }

  private func view(_ rig: ServerRig, room: Int32? = nil) -> Client {
    let client = room.map { Client(port: rig.server.port, room: $0) } ?? rig.client
    client.send(Self.request)
    return client
  }

  private func value(_ rig: ServerRig, _ name: String) async -> Int? {
    let text = await rig.get("/metrics").text
    let line = text.split(separator: "\n").first { $0.hasPrefix("retake_web_\(name) ") }
    return line.flatMap { Int($0.split(separator: " ")[1]) }
  }

  /// Asks until it is so; a test that hangs here has failed.
  private func until(
    _ rig: ServerRig, _ name: String, _ isRight: @Sendable (Int) -> Bool
  ) async -> Bool {
    for _ in 0..<20_000 { if let value = await value(rig, name), isRight(value) { return true } }
    return false
  }

  /// Reads a part's lines and its picture.
  private func part(_ client: Client, of count: Int) async -> (lines: String, picture: [UInt8]) {
    let mark = Array("\r\n\r\n".utf8)
    let lines = await client.read {
      $0.suffix(4).elementsEqual(mark)
    } atOnce: { _ in
      1
    }
    let picture = await client.read {
      $0.count == count
    } atOnce: {
      count - $0
    }
    _ = await client.read {
      $0.count == 18
    } atOnce: {
      18 - $0
    }
    return (String(decoding: lines, as: UTF8.self), picture)
  }

  /// Shows a picture until the viewer has it: one that has not taken the picture before misses one.
  private func deliver(_ picture: [UInt8], to viewer: Client, _ rig: ServerRig) async -> Bool {
    let shower = Task {
      while !Task.isCancelled {
        rig.station.showNext(picture)
        try? await Task.sleep(for: .milliseconds(40))
      }
    }
    defer { shower.cancel() }
    // A picture that was shown twice comes first.
    for _ in 0..<1000 {
      let part = await part(viewer, of: picture.count)
      if part.picture == picture { return part.lines.contains("X-Retake-Frame: ") }
      if part.picture.isEmpty { return false }
    }
    return false
  }

  private func begin(_ client: Client) async {
    _ = await client.read(through: "\r\n\r\n--retake-frame\r\n", atOnce: 1)
  }

  @Test("a picture that sockets take at once is copied for nobody")
  func noCopy() async throws {
    let rig = try await ServerRig()
    let viewers = (0..<3).map { _ in view(rig) }
    for viewer in viewers { await begin(viewer) }
    for number in UInt8(1)...5 {
      let picture = Self.picture(number, 20_000)
      rig.station.show(UInt64(number), picture)
      for viewer in viewers {
        let part = await part(viewer, of: picture.count)
        #expect(part.lines.contains("X-Retake-Frame: \(number)\r\n"))
        #expect(part.picture == picture)
      }
    }
    #expect(rig.station.keptPictures.isEmpty)
    #expect(await value(rig, "frames_total") == 15)
  }

  @Test("viewers that take a picture in part share what is kept of it, and miss those that follow")
  func shortWrite() async throws {
    let rig = try await ServerRig()
    let viewers = (0..<3).map { _ in view(rig) }
    for viewer in viewers { await begin(viewer) }
    let first = Self.picture(1, Self.large)
    rig.station.show(1, first)
    #expect(await until(rig, "frames_total") { $0 == 3 })
    #expect(await value(rig, "frames_kept") == 1)
    #expect(await value(rig, "answer_bytes") == Self.large)
    // A viewer that has taken nothing yet waits for no further picture.
    for number in UInt64(2)...4 { rig.station.show(number, [1, 2, 3]) }
    for viewer in viewers {
      let part = await part(viewer, of: first.count)
      #expect(part.lines.contains("X-Retake-Frame: 1\r\n"))
      #expect(part.picture == first)
    }
    #expect(await until(rig, "frames_kept") { $0 == 0 })
    #expect(await value(rig, "answer_bytes") == 0)
    #expect(rig.station.keptPictures == [1, 1, 1])
    for viewer in viewers {
      let part = await part(viewer, of: 3)
      #expect(part.lines.contains("X-Retake-Frame: 4\r\n"))
      #expect(part.picture == [1, 2, 3])
    }
  }

  @Test("256 viewers that read a byte now and then hold up nobody, and are cut off")
  func crawlers() async throws {
    let rig = try await ServerRig {
      $0.limits.watch = .milliseconds(5)
      // The good viewer shares its processor with every other test.
      $0.limits.stallTime = .seconds(4)
      $0.limits.connections = 300
    }
    let good = view(rig)
    await begin(good)
    var crawlers: [Client] = []
    for _ in 0..<256 { crawlers.append(view(rig, room: 4096)) }
    #expect(await until(rig, "viewers") { $0 == 64 })
    for number in UInt8(1)...20 {
      #expect(await deliver(Self.picture(number, 400_000), to: good, rig))
      for crawler in crawlers {
        var byte: UInt8 = 0
        recv(crawler.socket, &byte, 1, Int32(MSG_DONTWAIT))
      }
      #expect(await rig.get("/healthz").status == 200)
      #expect(try #require(await value(rig, "frames_kept")) <= KeptPictures.limit)
    }
    #expect(try #require(await value(rig, "frames_dropped_total")) > 0)
    #expect(await until(rig, "viewers") { $0 <= 1 })
    #expect(await value(rig, "answer_bytes") == 0)
  }

  @Test("no more pictures are kept for viewers that are known to be slow than their number says")
  func keptLimit() {
    let bodies = BodiesInFlight(limit: 1 << 20)
    let kept = KeptPictures(bodies: bodies)
    let frames = (0..<UInt64(KeptPictures.limit)).map { FakeFrame($0, [1]) }
    for frame in frames { #expect(kept.hasRoom(for: frame.number) && kept.take(frame)) }
    #expect(!kept.hasRoom(for: 100))
    // The one that others hold already costs nothing.
    #expect(kept.hasRoom(for: 3) && kept.take(frames[3]))
    kept.release(frames[3])
    #expect(!kept.hasRoom(for: 100))
    kept.release(frames[3])
    #expect(kept.hasRoom(for: 100))
  }

  @Test("a viewer that cannot have its rest kept is ended, and others go on")
  func noMemory() async throws {
    let rig = try await ServerRig { $0.limits.bytesInFlight = 20 << 20 }
    let first = view(rig)
    await begin(first)
    rig.station.show(1, Self.picture(1, Self.large))
    #expect(await until(rig, "frames_kept") { $0 == 1 })
    rig.station.show(2, Self.picture(2, Self.large))
    let second = view(rig)
    let rest = await second.read { _ in false }
    #expect(rest.count < Self.large)
    #expect(await until(rig, "viewers") { $0 == 1 })
    let part = await part(first, of: Self.large)
    #expect(part.lines.contains("X-Retake-Frame: 1\r\n"))
  }

  @Test("what a viewer sends while it looks is not read, and changes nothing for anyone")
  func talker() async throws {
    let rig = try await ServerRig()
    let viewer = view(rig)
    await begin(viewer)
    let accept = "POST /api/v1/accept HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
    let noise = Array(String(repeating: accept, count: 1000).utf8)
    for number in UInt8(1)...20 {
      // As much as the kernel takes.
      while send(viewer.socket, noise, noise.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) > 0 {
      }
      #expect(await deliver(Self.picture(number, 50_000), to: viewer, rig))
    }
    #expect(rig.station.events.isEmpty)
    #expect(await value(rig, "answer_bytes") == 0)
    #expect(await rig.get("/healthz").status == 200)
  }

  @Test("a viewer that only has nothing more to say still gets pictures")
  func halfClosed() async throws {
    let rig = try await ServerRig()
    let viewer = view(rig)
    viewer.finishSending()
    await begin(viewer)
    for number in UInt8(1)...3 {
      rig.station.show(UInt64(number), [number])
      #expect(await part(viewer, of: 1).picture == [number])
    }
  }

  @Test("a viewer that has gone is noticed without a camera, and one that waits is not cut off")
  func goneWithoutCamera() async throws {
    let rig = try await ServerRig {
      $0.limits.watch = .milliseconds(2)
      $0.limits.stallTime = .milliseconds(20)
    }
    let patient = view(rig)
    await begin(patient)
    var leaver: Client? = view(rig)
    if let leaver { await begin(leaver) }
    #expect(await until(rig, "viewers") { $0 == 2 })
    leaver = nil
    #expect(await until(rig, "viewers") { $0 == 1 })
    rig.station.show(1, [7])
    #expect(await part(patient, of: 1).picture == [7])
  }

  @Test("the answer begins with its length unknown, and with the date as headers have it")
  func head() async throws {
    let rig = try await ServerRig()
    let text = await view(rig).read(through: "--retake-frame\r\n", atOnce: 1)
    #expect(text.hasPrefix("HTTP/1.0 200 OK\r\n"))
    #expect(text.contains("\r\nConnection: close\r\n"))
    #expect(text.contains("\r\nX-Content-Type-Options: nosniff\r\n"))
    #expect(text.contains("\r\nCache-Control: no-store\r\n"))
    #expect(!text.contains("Content-Length"))
    #expect(httpDate(at: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
  }
}
