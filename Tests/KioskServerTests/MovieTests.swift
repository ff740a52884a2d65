import Glibc
import ImagePicker
import Synchronization
import Testing

@testable import KioskServer

@Suite("Movies")
struct MovieTests {
  @Test("the one under review is given whole and in parts, and nothing else of that name")
  func review() async throws {
    let rig = try await ServerRig()
    let file = TemporaryFile(Array("0123456789".utf8))
    rig.station.reviewMovie(12, 10, file: file)
    let whole = await rig.get("/api/v1/review/12.mp4?candidate=33")
    #expect(whole.status == 200 && whole.text == "0123456789")
    #expect(whole.headers["content-type"] == "video/mp4")
    let part = await rig.get("/api/v1/review/12.mp4", headers: ["Range: bytes=2-4"])
    #expect(part.status == 206 && part.text == "234")
    for name in ["13.mp4", "12.jpg", "012.mp4", "12.MP4", "mp4", ".mp4", "12.avi", "-1.mp4"] {
      #expect(await rig.get("/api/v1/review/\(name)").status == 404, "\(name)")
    }
  }

  @Test("begins and ends by a command, for the session that is meant")
  func commands() async throws {
    let rig = try await ServerRig()
    #expect(await rig.ask("POST", "/api/v1/record").status == 200)
    #expect(await rig.ask("POST", "/api/v1/stop", body: #"{"session":4}"#).status == 200)
    let begin = #"{"source":"camera","movies":true}"#
    #expect(await rig.ask("POST", "/api/v1/begin", body: begin).status == 200)
    #expect(
      rig.station.events == [
        .startRecording, .stopRecording, .begin(.init(mediaTypes: [.image, .movie])),
      ])
    #expect(rig.station.sessions == [nil, SessionID(rawValue: 4), nil])
  }

  @Test("is listed as what it is, also while its length is not known")
  func list() async throws {
    let rig = try await ServerRig()
    var movie = KioskPhoto(
      id: "booth/IMG_00000002.mp4", album: "booth", name: "IMG_00000002.mp4", width: 540,
      height: 720, bytes: 10, taken: nil, isMovie: true, duration: .milliseconds(2500))
    rig.station.keep([movie], file: TemporaryFile([]))
    let known = await rig.get("/api/v1/photos").text
    #expect(known.contains(#""kind":"movie""#) && known.contains(#""durationMs":2500"#))
    movie.duration = nil
    rig.station.keep([movie], file: TemporaryFile([]))
    let text = await rig.get("/api/v1/photos").text
    #expect(text.contains(#""kind":"movie""#) && !text.contains("durationMs"))
  }

  @Test("a file is read elsewhere, a piece ahead, and breaks off where it is shorter than it was")
  func reading() throws {
    let count = FileStream.piece + 5
    let file = TemporaryFile((0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) })
    let number = open(file.path, O_RDONLY | O_CLOEXEC)
    let kiosk = KioskFile(owning: number, size: count + 1, tag: "", type: "")
    let jobs = Jobs()
    let stream = FileStream(
      kiosk, offset: 0, count: count + 1, reader: { read, then in jobs.add { then(read()) } },
      wake: { jobs.wakes.withLock { $0 += 1 } })
    var got: [UInt8] = []
    func take() -> HTTPStreamPart {
      var buffer = [UInt8](repeating: 0, count: FileStream.piece)
      let part = buffer.withUnsafeMutableBytes { stream.write(into: $0) }
      if case .bytes(let count) = part { got += buffer.prefix(count) }
      return part
    }
    // Nothing is read before the job runs, and only one piece is asked for.
    #expect(take() == .nothing && take() == .nothing)
    #expect(jobs.count == 1)
    jobs.run()
    #expect(jobs.wakes.withLock { $0 } == 1)
    #expect(take() == .bytes(FileStream.piece))
    #expect(jobs.count == 1, "the next piece is asked for before this one is sent")
    jobs.run()
    #expect(jobs.wakes.withLock { $0 } == 1, "nobody waited")
    #expect(take() == .bytes(5))
    jobs.run()
    #expect(take() == .failure)
    #expect(got.count == count && got.last == UInt8(truncatingIfNeeded: (count - 1) / 7))
  }

  @Test("a file of many pieces comes whole through the server")
  func large() async throws {
    let rig = try await ServerRig()
    let bytes = (0..<FileStream.piece * 3 + 17).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let file = TemporaryFile(bytes)
    rig.station.reviewMovie(1, bytes.count, file: file)
    #expect(await rig.get("/api/v1/review/1.mp4").body == bytes)
    let part = await rig.get("/api/v1/review/1.mp4", headers: ["Range: bytes=100000-300000"])
    #expect(part.body == Array(bytes[100_000...300_000]))
  }

  @Test(
    "null is no number",
    arguments: [
      ("begin", #"{"limit":null}"#), ("edit", #"{"quarterTurns":null}"#),
      ("edit", #"{"crop":{"x":null,"y":0,"width":1,"height":1}}"#),
    ])
  func null(_ command: String, _ body: String) async throws {
    let rig = try await ServerRig()
    #expect(await rig.ask("POST", "/api/v1/\(command)", body: body).status == 400)
    #expect(rig.station.events.isEmpty)
    #expect(await rig.ask("POST", "/api/v1/cancel", body: #"{"session":null}"#).status == 200)
  }
}

/// Work that a test runs when it wants to.
private final class Jobs: Sendable {
  private let waiting = Mutex<[@Sendable () -> Void]>([])
  let wakes = Mutex(0)

  var count: Int { waiting.withLock { $0.count } }
  func add(_ job: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(job) } }

  func run() {
    let jobs = waiting.withLock { jobs in
      defer { jobs = [] }
      return jobs
    }
    jobs.forEach { $0() }
  }
}
