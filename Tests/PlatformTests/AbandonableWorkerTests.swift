import FoundationEssentials
import StationTestSupport
import Synchronization
import Testing

@testable import Platform

/// Jobs that hang for as long as a test wants, by a clock of the test's own.
@Suite("A worker for a disk that may never answer") struct AbandonableWorkerTests {
  /// A door that jobs wait at.
  private final class Door: @unchecked Sendable {
    private let monitor = Monitor()
    private var isOpen = false
    private var waiting = 0

    func wait() {
      monitor.lock()
      waiting += 1
      monitor.broadcast()
      while !isOpen { _ = monitor.wait(until: MonotonicTime(nanoseconds: .max)) }
      monitor.unlock()
    }

    /// Returns once `count` jobs stand before it.
    func reached(by count: Int = 1) {
      monitor.lock()
      while waiting < count { _ = monitor.wait(until: MonotonicTime(nanoseconds: .max)) }
      monitor.unlock()
    }

    func open() {
      monitor.lock()
      isOpen = true
      monitor.unlock()
      monitor.broadcast()
    }
  }

  private final class Bench: Sendable {
    let clock = ManualClock()
    let loop: EventLoop
    let worker: AbandonableWorker
    let answers = Mutex<[String]>([])
    let patience = AbandonableWorker.Patience(step: .seconds(10), total: .seconds(60))

    init() throws {
      let system = FaultySystemCalls(clock: clock)
      loop = try EventLoop("deadlines", system: system)
      worker = AbandonableWorker("test", for: "/stick", system: system, deadlines: loop)
    }

    func submit(
      _ name: String, _ body: @escaping @Sendable (AbandonableWorker.Step) -> Void = { _ in }
    ) {
      worker.submit(patience) { step in
        body(step)
        return name
      } then: { [self] result in
        switch result {
        case .success(let name): answers.withLock { $0.append(name) }
        case .failure: answers.withLock { $0.append("\(name) given up") }
        }
      }
    }

    /// Moves the clock, and has everything done that is due then.
    func advance(_ seconds: Int) async {
      clock.advance(by: .seconds(seconds))
      await loop.run {}
      await loop.run {}
    }

    func until(_ expected: [String]) async {
      while answers.withLock({ $0 }) != expected { await pause() }
    }

    deinit { loop.stop() }
  }

  @Test("does what it is given in its order")
  func order() async throws {
    let bench = try Bench()
    for name in ["a", "b", "c"] { bench.submit(name) }
    await bench.until(["a", "b", "c"])
    let answer = try await bench.worker.run(bench.patience) { _ in 7 }
    #expect(answer == 7)
    #expect(bench.worker.silence == nil)
  }

  @Test("gives up what hangs, refuses for a while, and goes on with another thread")
  func hang() async throws {
    let bench = try Bench()
    let door = Door()
    bench.submit("hung") { _ in door.wait() }
    bench.submit("behind")
    door.reached()
    await bench.advance(9)
    #expect(bench.answers.withLock { $0 } == [])
    await bench.advance(1)
    #expect(bench.answers.withLock { $0 } == ["hung given up", "behind given up"])
    #expect(bench.worker.silence == .seconds(10))
    #expect(bench.worker.abandoned == 1)
    bench.submit("at once")
    #expect(bench.answers.withLock { $0.last } == "at once given up")
    await bench.advance(10)
    bench.submit("another thread")
    await bench.until(
      ["hung given up", "behind given up", "at once given up", "another thread"])
    door.open()
    while bench.worker.abandoned > 0 { await pause() }
    #expect(bench.answers.withLock { $0.count } == 4, "the late result is thrown away")
  }

  @Test("answers again at once when the hung call returns")
  func returns() async throws {
    let bench = try Bench()
    let door = Door()
    bench.submit("hung") { _ in door.wait() }
    door.reached()
    await bench.advance(10)
    #expect(bench.worker.silence != nil)
    door.open()
    while bench.worker.abandoned > 0 { await pause() }
    #expect(bench.worker.silence == nil)
    bench.submit("next")
    await bench.until(["hung given up", "next"])
  }

  @Test("has no more than four threads that hang")
  func bound() async throws {
    let bench = try Bench()
    let door = Door()
    for number in 1...AbandonableWorker.maxAbandoned {
      bench.submit("\(number)") { _ in door.wait() }
      door.reached(by: number)
      await bench.advance(10)
      await bench.advance(10_000)
    }
    #expect(bench.worker.abandoned == AbandonableWorker.maxAbandoned)
    bench.submit("one more")
    #expect(bench.answers.withLock { $0.last } == "one more given up")
    door.open()
    while bench.worker.abandoned > 0 { await pause() }
    bench.submit("now")
    while bench.answers.withLock({ $0.last }) != "now" { await pause() }
  }

  @Test("lets a job take its time while it makes steps, but no more than in all")
  func steps() async throws {
    let bench = try Bench()
    let step = Mutex<AbandonableWorker.Step?>(nil)
    let door = Door()
    bench.submit("long") { own in
      step.withLock { $0 = own }
      door.wait()
    }
    door.reached()
    let own = try #require(step.withLock { $0 })
    for _ in 0..<5 {
      await bench.advance(9)
      own.mark()
    }
    #expect(own.isWanted)
    #expect(bench.answers.withLock { $0 } == [])
    await bench.advance(9)
    own.mark()
    await bench.advance(6)
    #expect(bench.answers.withLock { $0 } == ["long given up"])
    #expect(!own.isWanted)
    door.open()
  }

  @Test("keeps what is to be cleaned up until the disk answers")
  func cleaning() async throws {
    let bench = try Bench()
    let door = Door()
    bench.submit("hung") { _ in door.wait() }
    door.reached()
    await bench.advance(10)
    let cleaned = Mutex(false)
    bench.worker.clean { cleaned.withLock { $0 = true } }
    #expect(!cleaned.withLock { $0 })
    door.open()
    while !cleaned.withLock({ $0 }) { await pause() }
  }

  @Test("answers everybody when it is closed, and joins nobody")
  func closing() async throws {
    let bench = try Bench()
    let door = Door()
    bench.submit("hung") { _ in door.wait() }
    bench.submit("behind")
    door.reached()
    bench.worker.close()
    #expect(Set(bench.answers.withLock { $0 }) == ["hung given up", "behind given up"])
    bench.submit("late")
    #expect(bench.answers.withLock { $0.last } == "late given up")
    door.open()
  }

  @Test("counts each call as a step, and lets none through once the job was given up")
  func calls() async throws {
    let bench = try Bench()
    let faults = FaultySystemCalls(clock: bench.clock)
    let system = SteppedSystemCalls(faults)
    let (before, between) = (Door(), Door())
    let results = Mutex<[Int32]>([])
    bench.submit("walk") { _ in
      before.wait()
      results.withLock { $0.append(system.open("/", 0, 0)) }
      between.wait()
      results.withLock { $0.append(system.open("/", 0, 0)) }
      results.withLock { $0.append(system.close($0[0])) }
    }
    before.reached()
    await bench.advance(9)
    before.open()
    between.reached()
    await bench.advance(9)
    #expect(bench.answers.withLock { $0 } == [], "the call was a step")
    await bench.advance(1)
    #expect(bench.answers.withLock { $0 } == ["walk given up"])
    between.open()
    while bench.worker.abandoned > 0 { await pause() }
    let found = results.withLock { $0 }
    #expect(found.count == 3)
    #expect(found[0] >= 0)
    #expect(Array(found.dropFirst()) == [-125, 0])
    #expect(faults.calls.filter { $0 == "open" }.count == 1)
    #expect(system.open("/nowhere/at/all", 0, 0) == -2, "other threads are not in its way")
  }

  @Test("has a step for every system call that there is")
  func allCalls() throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/Platform")
    func names(_ file: String) throws -> Set<Substring> {
      let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
      let end = text.firstRange(of: "\n}\n")?.lowerBound ?? text.endIndex
      return Set(text[..<end].matches(of: /func (\w+)\(/).map(\.output.1))
    }
    let missing = try names("SystemCalls.swift").subtracting(names("SteppedSystemCalls.swift"))
    #expect(missing == [], "these would say that there is no such call")
  }

  @Test("is the same for the same directory, and told while it does not answer")
  func media() async throws {
    let clock = ManualClock()
    let system = FaultySystemCalls(clock: clock)
    let loop = try EventLoop("deadlines", system: system)
    defer { loop.stop() }
    let media = DiskWorkers(patience: .seconds(10), system: system, deadlines: loop)
    let worker = media.worker("reader", for: "/stick")
    #expect(media.worker("reader", for: "/stick") === worker)
    #expect(media.worker("copier", for: "/stick") !== worker)
    let door = Door()
    worker.submit(media.copying) { _ in
      door.wait()
    } then: { _ in
    }
    door.reached()
    #expect(media.silent == [])
    clock.advance(by: .seconds(11))
    #expect(media.silent == [DiskWorkers.Silent(path: "/stick", milliseconds: 11_000, threads: 1)])
    media.close()
    await #expect(throws: MediumSilence(medium: "/other")) {
      try await media.worker("reader", for: "/other").run(media.reading) { _ in 1 }
    }
    door.open()
  }

  @Test("a loop that hangs is left to itself when it is stopped")
  func loops() throws {
    let loop = try EventLoop("hung", system: LinuxSystemCalls())
    let door = Door()
    loop.submit { door.wait() }
    door.reached()
    #expect(!loop.stop(within: .milliseconds(20)))
    #expect(loop.stop(within: .milliseconds(20)), "it was stopped before")
    door.open()
    let other = try EventLoop("free", system: LinuxSystemCalls())
    #expect(other.stop(within: .seconds(60)))
  }
}
