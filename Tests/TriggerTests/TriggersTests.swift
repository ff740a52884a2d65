import Glibc
import Platform
import StationTestSupport
import Testing
import Trigger

@Suite(.timeLimit(.minutes(1))) struct TriggersTests {
  private let chip = ScriptedGPIO()
  private let line = LineAddress(.name("GPIO17"))

  private func armed(_ triggers: Triggers) async {
    while triggers.buttons.contains(where: { $0.state != .armed }) { await pause() }
  }

  @Test("a press arrives with the kernel's date") func aPressArrivesWithTheKernelsDate()
    async throws
  {
    let triggers = try Triggers([.gpio("GPIO17"), .gpio("GPIO27", role: .cancel)], gpio: chip)
    await armed(triggers)
    let date = MonotonicTime.now
    chip.drive(line, true, at: date)
    var events = triggers.events.makeAsyncIterator()
    let press = await events.next()
    #expect(press?.action == .shutter)
    #expect(press?.time == date)
    #expect(press?.clock == .kernel)
    triggers.stop()
    #expect(await events.next() == nil)
  }

  @Test("another program presses through the socket") func anotherProgramPressesThroughTheSocket()
    async throws
  {
    let path = "/tmp/retake-triggers-\(getpid())"
    let triggers = try Triggers([.socket(path)])
    let client = TriggerClient(path: path)
    let loop = try EventLoop("client", system: LinuxSystemCalls())
    let reply = await loop.run { try? client.send(.accept, patience: .seconds(20)) }
    loop.stop()
    #expect(reply?.isAccepted == true)
    var events = triggers.events.makeAsyncIterator()
    #expect(await events.next()?.action == .accept)
    triggers.stop()
    #expect(access(path, F_OK) != 0)
  }

  @Test("sources close when no one wants their presses")
  func sourcesCloseWhenNoOneWantsTheirPresses() async throws {
    let path = "/tmp/retake-dropped-\(getpid())"
    do {
      let triggers = try Triggers([.socket(path)])
      #expect(access(path, F_OK) == 0)
      withExtendedLifetime(triggers) {}
    }
    while access(path, F_OK) == 0 { await pause() }
  }

  @Test("a socket that cannot be made is an error") func aSocketThatCannotBeMadeIsAnError() {
    #expect(throws: SystemError.self) {
      _ = try Triggers([.terminal, .socket("/nonexistent/socket")])
    }
  }
}
