import Glibc
import Platform
import StationTestSupport
import Synchronization
import Testing

@testable import Trigger

@Suite struct TriggerSocketTests {
  /// A socket in a directory of its own, and the loop it lives on.
  private final class Place: Sendable {
    let loop: EventLoop
    let path: String
    let system = LinuxSystemCalls()

    init() throws {
      loop = try EventLoop("test", system: LinuxSystemCalls())
      var template = Array("/tmp/retake-test-XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { throw SystemError(errno: errno, call: "mkdtemp") }
      path =
        String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        + "/socket"
    }

    func listen(_ handler: @escaping TriggerHandler) throws -> TriggerSocket {
      try TriggerSocket(path: path, mode: 0o600, loop: loop, system: system, handler: handler)
    }

    deinit {
      loop.stop()
      unlink(path)
      rmdir(String(path.dropLast("/socket".count)))
    }
  }

  /// Sends raw bytes and returns all that comes back.
  private func exchange(_ path: String, _ text: String) -> String {
    let fd = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(fd) }
    guard var address = sockaddr_un(path: path) else { return "no address" }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(fd, $0, length) }
    }
    guard result == 0 else { return "no connection" }
    var text = text
    text.withUTF8 { _ = send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    shutdown(fd, Int32(SHUT_WR))
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(fd, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      answer += buffer.prefix(count)
    }
    return String(decoding: answer, as: UTF8.self)
  }

  @Test("every action arrives dated with its source", arguments: TriggerAction.remote)
  func everyActionArrivesDatedWithItsSource(action: TriggerAction) throws {
    let place = try Place()
    let seen = Mutex<TriggerEvent?>(nil)
    let before = place.system.monotonicTime()
    let socket = try place.listen { event, reply in
      seen.withLock { $0 = event }
      reply(TriggerReply(isAccepted: true, text: "done"))
    }
    let reply = try TriggerClient(path: place.path).send(action)
    #expect(reply == TriggerReply(isAccepted: true, text: "done"))
    let event = try #require(seen.withLock { $0 })
    #expect(event.action == action)
    #expect(event.clock == .arrival)
    #expect(event.source == "socket pid \(getpid()) uid \(getuid())")
    #expect(event.time >= before && event.time <= place.system.monotonicTime())
    socket.stop()
  }

  @Test("a refusal reaches the client") func aRefusalReachesTheClient() throws {
    let place = try Place()
    let socket = try place.listen { _, reply in
      reply(TriggerReply(isAccepted: false, text: "the camera is\nabsent"))
    }
    let reply = try TriggerClient(path: place.path).send(.shutter)
    #expect(reply == TriggerReply(isAccepted: false, text: "the camera is absent"))
    socket.stop()
  }

  @Test(
    "nonsense is no trigger",
    arguments: [
      "explode\n", "shutdown\n", "\n", "shutter accept\n", String(repeating: "x", count: 300),
      "\u{0}\n",
    ])
  func nonsenseIsNoTrigger(line: String) throws {
    let place = try Place()
    let calls = Atomic<Int>(0)
    let socket = try place.listen { _, reply in
      calls.add(1, ordering: .relaxed)
      reply(TriggerReply(isAccepted: true, text: ""))
    }
    #expect(!exchange(place.path, line).hasPrefix("ok"))
    #expect(calls.load(ordering: .relaxed) == 0)
    // And the next one still works.
    #expect(exchange(place.path, "shutter\r\n") == "ok \n")
    socket.stop()
  }

  @Test("two lines in one connection are one trigger") func twoLinesInOneConnectionAreOneTrigger()
    throws
  {
    let place = try Place()
    let calls = Atomic<Int>(0)
    let socket = try place.listen { _, reply in
      calls.add(1, ordering: .relaxed)
      reply(TriggerReply(isAccepted: true, text: ""))
    }
    #expect(exchange(place.path, "shutter\nshutter\n") == "ok \n")
    #expect(calls.load(ordering: .relaxed) == 1)
    socket.stop()
  }

  @Test("clients that say nothing do not keep others out")
  func clientsThatSayNothingDoNotKeepOthersOut() throws {
    let place = try Place()
    let socket = try place.listen { _, reply in reply(TriggerReply(isAccepted: true, text: "")) }
    // All but one place are taken by clients that never send.
    var silent: [Int32] = []
    for _ in 0..<(TriggerSocket.maximumClients - 1) {
      let fd = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = try #require(sockaddr_un(path: place.path))
      let length = socklen_t(MemoryLayout<sockaddr_un>.size)
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(fd, $0, length) }
      }
      silent.append(fd)
    }
    #expect(try TriggerClient(path: place.path).send(.status).isAccepted)
    silent.forEach { close($0) }
    socket.stop()
  }

  @Test("a second station is refused and a dead socket replaced")
  func aSecondStationIsRefusedAndADeadSocketReplaced() throws {
    let place = try Place()
    let first = try place.listen { _, reply in reply(TriggerReply(isAccepted: true, text: "first"))
    }
    #expect(throws: SystemError(errno: EADDRINUSE, call: "bind", path: place.path)) {
      _ = try place.listen { _, _ in }
    }
    first.stop()
    #expect(access(place.path, F_OK) != 0)
    // A killed station leaves a socket file without a listener.
    let fd = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = try #require(sockaddr_un(path: place.path))
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = bind(fd, $0, length) }
    }
    close(fd)
    let second = try place.listen { _, reply in
      reply(TriggerReply(isAccepted: true, text: "second"))
    }
    #expect(try TriggerClient(path: place.path).send(.status).text == "second")
    second.stop()
  }

  /// Listens without taking connections, as a program that hangs does.
  private func listener(_ path: String, queue: Int32) throws -> Int32 {
    let fd = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = try #require(sockaddr_un(path: path))
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(fd, $0, length) }
    }
    #expect(bound == 0)
    #expect(Glibc.listen(fd, queue) == 0)
    return fd
  }

  /// Sends an answer to the first client on a thread of its own, and calls `before` each piece.
  private func answering(
    _ listener: Int32, pieces: Int, of count: Int, before: @escaping @Sendable () -> Void
  ) throws -> Thread {
    try Thread("test") {
      let fd = accept(listener, nil, nil)
      let piece = [UInt8](repeating: UInt8(ascii: "x"), count: count)
      for _ in 0..<pieces {
        before()
        guard send(fd, piece, piece.count, Int32(MSG_NOSIGNAL)) > 0 else { break }
      }
      close(fd)
    }
  }

  @Test("an answer that drips ends with the client's patience")
  func anAnswerThatDripsEndsWithTheClientsPatience() throws {
    let place = try Place()
    let listener = try listener(place.path, queue: 1)
    defer { close(listener) }
    let clock = ManualClock()
    // A byte a second, for longer than the client has patience.
    let drip = try answering(listener, pieces: 1000, of: 1) { clock.advance(by: .seconds(1)) }
    let client = TriggerClient(path: place.path, system: FaultySystemCalls(clock: clock))
    #expect(throws: SystemError(errno: ETIMEDOUT, call: "recv", path: place.path)) {
      _ = try client.send(.status)
    }
    drip.join()
  }

  @Test("an answer without an end is not kept") func anAnswerWithoutAnEndIsNotKept() throws {
    let place = try Place()
    let listener = try listener(place.path, queue: 1)
    defer { close(listener) }
    let flood = try answering(listener, pieces: 1000, of: 1 << 16) {}
    #expect(throws: SystemError(errno: EMSGSIZE, call: "recv", path: place.path)) {
      _ = try TriggerClient(path: place.path).send(.status)
    }
    flood.join()
  }

  @Test("a listener that takes nothing is not waited for without end and keeps its socket")
  func aListenerThatTakesNothingIsNotWaitedForWithoutEndAndKeepsItsSocket() throws {
    let place = try Place()
    let listener = try listener(place.path, queue: 0)
    defer { close(listener) }
    // The first waits in the queue, which has no room for another.
    let first = try listenerClient(place.path)
    defer { close(first) }
    let isAnswered = TriggerClient.isAnswered(place.path, patience: .milliseconds(1))
    #expect(isAnswered)
    #expect(throws: SystemError(errno: ETIMEDOUT, call: "connect", path: place.path)) {
      _ = try TriggerClient(path: place.path).send(.status, patience: .milliseconds(1))
    }
  }

  private func listenerClient(_ path: String) throws -> Int32 {
    let fd = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = try #require(sockaddr_un(path: path))
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(fd, $0, length) }
    }
    #expect(result == 0)
    return fd
  }

  @Test("a file that is no socket is left alone") func aFileThatIsNoSocketIsLeftAlone() throws {
    let place = try Place()
    let fd = open(place.path, O_CREAT | O_WRONLY, 0o600)
    close(fd)
    #expect(throws: SystemError(errno: EEXIST, call: "bind", path: place.path)) {
      _ = try place.listen { _, _ in }
    }
    #expect(access(place.path, F_OK) == 0)
  }

  @Test("the file's mode says who may connect") func theFilesModeSaysWhoMayConnect() throws {
    let place = try Place()
    let socket = try place.listen { _, _ in }
    var status = stat()
    #expect(stat(place.path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    socket.stop()
  }

  @Test(
    "terminal keys are the ones on the help line",
    arguments: [
      (UInt8(ascii: " "), TriggerAction.shutter), (UInt8(ascii: "a"), .accept),
      (UInt8(ascii: "A"), .accept), (UInt8(ascii: "r"), .retake), (UInt8(ascii: "c"), .cancel),
      (UInt8(ascii: "n"), .next), (UInt8(ascii: "p"), .previous),
      (UInt8(ascii: "q"), .quit), (UInt8(ascii: "x"), nil), (0x1B, nil), (0x00, nil), (0x0D, nil),
    ])
  func terminalKeysAreTheOnesOnTheHelpLine(key: UInt8, action: TriggerAction?) {
    #expect(TerminalTrigger.action(of: key) == action)
  }
}
