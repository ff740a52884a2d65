import CLinux
import Glibc
import Platform
import StationTestSupport
import Synchronization
import Testing

@Suite struct ChildProcessTests {
  private let system = LinuxSystemCalls()

  @Test(arguments: [
    ("exit 0", ChildProcess.End.exited(0), Int32(0)), ("exit 7", .exited(7), 7),
    ("kill -TERM $$", .killed(signal: SIGTERM), 128 + SIGTERM),
  ])
  func theEndIsToldOnceAndKept(_ script: String, _ end: ChildProcess.End, _ status: Int32) throws {
    var child = try ChildProcess(["sh", "-c", script])
    let told = child.wait()
    #expect(told == end)
    #expect(told.status == status)
    #expect(child.reap() == end)
  }

  @Test func aProgramThatRunsHasNoEndBeforeItIsKilled() throws {
    var child = try ChildProcess(["sleep", "1000"])
    #expect(child.reap() == nil)
    #expect(child.wait(until: system.monotonicTime()) == nil)
    child.send(SIGKILL)
    #expect(child.wait() == .killed(signal: SIGKILL))
    child.send(SIGTERM)  // reaches no process
  }

  @Test func theOwnersEndKillsAndReapsTheProgram() throws {
    func start() throws -> pid_t {
      let child = try ChildProcess(["sleep", "1000"])
      return child.number
    }
    let number = try start()
    // The next start reaps a program that had not ended yet when its owner did.
    var isGone = false
    for _ in 0..<1000 where !isGone {
      var other = try ChildProcess(["true"])
      _ = other.wait()
      isGone = kill(number, 0) < 0
    }
    #expect(isGone)
  }

  @Test func aMissingProgramIsAnError() {
    let path = "/nonexistent/program"
    #expect(throws: SystemError(errno: ENOENT, call: "posix_spawn", path: path)) {
      _ = try ChildProcess([path])
    }
    #expect(throws: SystemError(errno: EINVAL, call: "posix_spawn")) { _ = try ChildProcess([]) }
  }

  @Test func aProgramWithoutADescriptorIsEndedAndItsErrorThrown() throws {
    let faulty = FaultySystemCalls()
    faulty.fail("processDescriptor", with: EMFILE)
    #expect(throws: SystemError(errno: EMFILE, call: "pidfd_open", path: "sleep")) {
      _ = try ChildProcess(["sleep", "1000"], system: faulty)
    }
  }

  @Test func descriptorsThatTradeNumbersArriveWhole() throws {
    // The program sees each pipe under the other's number.
    let (first, second) = (try pipe(), try pipe())
    let (a, b) = (first.reader, second.reader)
    try system.writeAll(first.writer, Array("one\n".utf8))
    try system.writeAll(second.writer, Array("two\n".utf8))
    let output = try pipe()
    let script = "read x <&\(a); read y <&\(b); echo $x $y"
    var child = try ChildProcess(
      ["bash", "-c", script],
      files: [(a, number: b), (b, number: a), (output.writer, number: 1)])
    #expect(child.wait() == .exited(0))
    var text = [UInt8](repeating: 0, count: 64)
    let count = text.withUnsafeMutableBytes { system.read(output.reader, $0) }
    #expect(String(decoding: text.prefix(count), as: UTF8.self) == "two one\n")
    for number in [first, second, output].flatMap({ [$0.reader, $0.writer] }) { close(number) }
  }

  @Test func theEnvironmentIsTheGivenOneAndSignalsHaveTheirDefaults() throws {
    // As in the programs, which write to sockets.
    signal(SIGPIPE, SIG_IGN)
    let output = try pipe()
    let script = "echo $NAME-${HOME-none}; sed -n 's/Sig[BI].*\\t//p' /proc/self/status"
    var child = try ChildProcess(
      ["bash", "-c", script], files: [(output.writer, number: 1)],
      environment: ["NAME=value", "PATH=/usr/bin:/bin"])
    #expect(child.wait() == .exited(0))
    var text = [UInt8](repeating: 0, count: 256)
    let count = text.withUnsafeMutableBytes { system.read(output.reader, $0) }
    let lines = String(decoding: text.prefix(count), as: UTF8.self).split(separator: "\n")
    try #require(lines.count == 3)
    #expect(lines[0] == "value-none")
    // The C library ignores two signals of its own, 32 and 33.
    let others: UInt64 = 0x7FFF_FFFF
    for line in lines.dropFirst() {
      let signals = try #require(UInt64(line, radix: 16))
      #expect(signals & others == 0, "\(line)")
    }
    close(output.reader)
    close(output.writer)
  }

  @Test func theLoopHearsOfTheEndOnce() async throws {
    let loop = try EventLoop("test", system: system)
    defer { loop.stop() }
    let calls = Mutex(0)
    var child = try ChildProcess(["true"])
    loop.watch(child) { calls.withLock { $0 += 1 } }
    await loop.waitForEnd(of: child)
    // The descriptor stays readable; each later round would call a watch that has not ended.
    for _ in 0..<3 { await loop.run {} }
    #expect(calls.withLock { $0 } == 1)
    #expect(child.reap() == .exited(0))
  }

  private func pipe() throws -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [0, 0]
    try #require(clinux_pipe(&ends) == 0)
    return (ends[0], ends[1])
  }
}
