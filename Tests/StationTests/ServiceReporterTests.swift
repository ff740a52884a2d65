import Platform
import StationTestSupport
import Synchronization
import Testing

@testable import Station

@Suite struct ServiceReporterTests {
  /// A reporter for which the test plays the clock, the service manager and the parts.
  private final class Bench: Sendable {
    let clock = ManualClock()
    let loop: EventLoop
    let reporter: ServiceReporter
    let said = Mutex<[String]>([])
    let text = Mutex("works")
    let alive = Mutex<Set<String>>(["saver", "capture"])
    let asked = Mutex<[@Sendable () -> Void]>([])

    init(patience: Duration? = .seconds(9)) throws {
      let system = FaultySystemCalls(clock: clock)
      loop = try EventLoop("test", system: system)
      let relay = Relay()
      reporter = ServiceReporter(
        ServiceManager(patience: patience) { relay.bench?.hear($0) }, loop: loop, system: system
      ) { relay.bench?.text.withLock { $0 } ?? "" }
      relay.bench = self
      for name in ["saver", "capture"] {
        reporter.watch(name, patience: .seconds(30)) { [weak self] answer in
          guard let self, alive.withLock({ $0.contains(name) }) else { return }
          answer()
        }
      }
    }

    func hear(_ line: String) { said.withLock { $0.append(line) } }

    /// Returns the messages since the last call.
    func take() -> [String] {
      said.withLock { said in
        defer { said = [] }
        return said
      }
    }

    private final class Relay: @unchecked Sendable {
      weak var bench: Bench?
    }

    deinit { loop.stop() }
  }

  @Test("it is ready once and beats with its status") func itIsReadyOnceAndBeatsWithItsStatus()
    throws
  {
    let bench = try Bench()
    bench.reporter.begin()
    #expect(bench.take() == ["READY=1\nSTATUS=works", "WATCHDOG=1"])
    // Less than the reporter's own pause, so that the loop makes no round of its own.
    bench.clock.advance(by: .seconds(2))
    bench.reporter.tick()
    #expect(bench.take() == ["WATCHDOG=1"])
    bench.text.withLock { $0 = "1 photo" }
    bench.reporter.tick()
    #expect(bench.take() == ["WATCHDOG=1", "STATUS=1 photo"])
  }

  @Test(
    "a part that hangs stops the beat and one that goes on starts it again",
    arguments: ["saver", "capture"])
  func aPartThatHangsStopsTheBeatAndOneThatGoesOnStartsItAgain(part: String) throws {
    let bench = try Bench()
    bench.reporter.begin()
    _ = bench.take()
    bench.alive.withLock { _ = $0.remove(part) }
    for _ in 0..<10 {
      bench.clock.advance(by: .seconds(3))
      bench.reporter.tick()
    }
    #expect(bench.take().contains("WATCHDOG=1"), "its patience is not over yet")
    for _ in 0..<3 {
      bench.clock.advance(by: .seconds(3))
      bench.reporter.tick()
    }
    _ = bench.take()
    bench.clock.advance(by: .seconds(3))
    bench.reporter.tick()
    #expect(bench.take() == [])
    #expect((bench.reporter.ages[part] ?? .zero) > .seconds(30))
  }

  @Test("a late answer counts") func aLateAnswerCounts() throws {
    let bench = try Bench()
    let asked = Mutex<[@Sendable () -> Void]>([])
    bench.reporter.watch("web", patience: .seconds(5)) { answer in
      asked.withLock { $0.append(answer) }
    }
    bench.reporter.begin()
    _ = bench.take()
    bench.clock.advance(by: .seconds(6))
    bench.reporter.tick()
    #expect(bench.take() == [])
    #expect(asked.withLock { $0.count } == 1, "one question at a time")
    asked.withLock { $0[0]() }
    bench.reporter.tick()
    #expect(bench.take() == ["WATCHDOG=1"])
    #expect(asked.withLock { $0.count } == 2)
  }

  @Test("after its end nothing is said") func afterItsEndNothingIsSaid() throws {
    let bench = try Bench()
    bench.reporter.begin()
    _ = bench.take()
    bench.reporter.end()
    bench.reporter.end()
    bench.reporter.tick()
    bench.text.withLock { $0 = "something else" }
    bench.reporter.show()
    #expect(bench.take() == ["STOPPING=1\nSTATUS=stopping"])
  }

  @Test("without a watchdog it only tells") func withoutAWatchdogItOnlyTells() throws {
    let bench = try Bench(patience: nil)
    bench.reporter.begin()
    #expect(bench.take() == ["READY=1\nSTATUS=works"])
    #expect(bench.reporter.pause == .seconds(5))
  }

  @Test("it beats three times as often as it must") func itBeatsThreeTimesAsOftenAsItMust() throws {
    #expect(try Bench(patience: .seconds(9)).reporter.pause == .seconds(3))
    #expect(try Bench(patience: .seconds(60)).reporter.pause == .seconds(5))
  }
}

extension WholeStationTests {
  @Suite("A station as a service") struct ServiceTests {
    @Test("has every thread asked for a sign of life, and ends in time with one that hangs")
    func threads() async throws {
      let place = try Place()
      var configuration = Configuration()
      configuration.libraryPath = "\(place.path)/photos"
      configuration.socketPath = "\(place.path)/socket"
      var options = Station.Options()
      options.camera = "demo"
      options.usesWeb = true
      let beats = Mutex(0)
      options.manager = ServiceManager(patience: .seconds(1)) { line in
        if line == "WATCHDOG=1" { beats.withLock { $0 += 1 } }
      }
      let station = try Station(configuration: configuration, options: options)
      try await station.start()
      #expect(
        Set(station.status.service.silentMilliseconds.keys) == [
          "saver", "capture", "page", "reader", "looker", "deadlines", "web-view", "web-files",
          "web-pictures", "movies", "keeper",
        ])
      // A stick hangs: the booth lives, and says so.
      let door = Door()
      let worker = station.media.worker("files", for: "\(place.path)/stick")
      worker.submit(.init(step: .milliseconds(1))) { _ in
        door.wait()
      } then: { _ in
      }
      await pause(while: { worker.abandoned == 0 })
      let before = beats.withLock { $0 }
      while beats.withLock({ $0 }) < before + 2 { await pause() }
      // The reader, too: it is not waited for.
      station.reader.submit { door.wait() }
      await station.stop()
      door.open()
    }
  }

  /// A door that threads wait at.
  private final class Door: @unchecked Sendable {
    private let monitor = Monitor()
    private var isOpen = false

    func wait() {
      monitor.lock()
      while !isOpen { _ = monitor.wait(until: MonotonicTime(nanoseconds: .max)) }
      monitor.unlock()
    }

    func open() {
      monitor.lock()
      isOpen = true
      monitor.unlock()
      monitor.broadcast()
    }
  }
}
