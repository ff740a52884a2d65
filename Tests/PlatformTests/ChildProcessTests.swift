import CLinux
import Glibc
import Testing

@testable import Platform

struct ChildProcessTests {
  private static let forever = Duration.seconds(60)

  @Test("the end of a program tells its status, or the signal that ended it")
  func end() throws {
    for (script, expected) in [
      ("exit 0", ChildProcess.End.exit(status: 0)), ("exit 7", .exit(status: 7)),
      ("kill -TERM $$", .signal(SIGTERM)), ("kill -KILL $$", .signal(SIGKILL)),
    ] {
      var process = try ChildProcess.start(["sh", "-c", script])
      let end = try process.waitForEnd(within: Self.forever)
      #expect(end == expected, "\(script)")
      // The end stays known.
      let again = try process.waitForEnd(within: .zero)
      #expect(again == expected, "\(script)")
    }
    #expect(ChildProcess.End.exit(status: 3).shellStatus == 3)
    #expect(ChildProcess.End.signal(SIGTERM).shellStatus == 143)
  }

  @Test("a program that runs has no end, and ends by a signal")
  func running() throws {
    var process = try ChildProcess.start(["sleep", "1000"])
    let early = try process.waitForEnd(within: .milliseconds(1))
    #expect(early == nil)
    process.send(SIGTERM)
    let end = try process.waitForEnd(within: Self.forever)
    #expect(end == .signal(SIGTERM))
  }

  @Test("a program that still runs is killed with its owner, and leaves no zombie")
  func abandoned() throws {
    let number = try start()
    #expect(kill(number, 0) == -1 && errno == ESRCH)
  }

  private func start() throws -> pid_t {
    let process = try ChildProcess.start(["sleep", "1000"])
    return process.number
  }

  @Test("a program that does not exist is an error with its name")
  func missing() {
    #expect {
      _ = try ChildProcess.start(["/nonexistent/program"]).number
    } throws: { error in
      let error = error as? SystemError
      return error?.errno == ENOENT && error?.path == "/nonexistent/program"
    }
  }

  @Test("a program starts with SIGPIPE at its default, though this process ignores it")
  func signals() throws {
    signal(SIGPIPE, SIG_IGN)
    // Standard output is a pipe without a reader.
    var ends: [Int32] = [0, 0]
    try #require(clinux_pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    var process = try ChildProcess.start(
      ["cat", "/dev/zero"], output: .descriptor(ends[1]))
    let end = try process.waitForEnd(within: Self.forever)
    #expect(end == .signal(SIGPIPE))
  }
}
