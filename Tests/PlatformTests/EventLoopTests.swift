import Glibc
import Platform
import StationTestSupport
import Synchronization
import Testing

@Suite struct EventLoopTests {
  private actor Resident {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private(set) var count = 0
    init(loop: EventLoop) { self.loop = loop }
    func add() -> Bool {
      count += 1
      return loop.isCurrent
    }
  }

  @Test("an actor lives on the loop's thread") func anActorLivesOnTheLoopsThread() async throws {
    let loop = try EventLoop("test", system: LinuxSystemCalls())
    defer { loop.stop() }
    let resident = Resident(loop: loop)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<100 { group.addTask { await resident.add() } }
      for await isOnLoop in group { #expect(isOnLoop) }
    }
    #expect(await resident.count == 100)
    #expect(!loop.isCurrent)
  }

  @Test("handlers may assume the actor's isolation") func handlersMayAssumeTheActorsIsolation()
    async throws
  {
    let loop = try EventLoop("test", system: LinuxSystemCalls())
    defer { loop.stop() }
    let resident = Resident(loop: loop)
    let count = await withCheckedContinuation { continuation in
      loop.submit {
        resident.assumeIsolated { resident in
          _ = resident.add()
          continuation.resume(returning: resident.count)
        }
      }
    }
    #expect(count == 1)
  }

  @Test("jobs run in the order they came in") func jobsRunInTheOrderTheyCameIn() async throws {
    let loop = try EventLoop("test", system: LinuxSystemCalls())
    let order = Mutex<[Int]>([])
    for index in 0..<1000 { loop.submit { order.withLock { $0.append(index) } } }
    loop.stop()  // runs what is queued, and joins
    #expect(order.withLock { $0 } == Array(0..<1000))
  }

  @Test("timers fire in the order of their deadlines and never early")
  func timersFireInTheOrderOfTheirDeadlinesAndNeverEarly() async throws {
    let system = LinuxSystemCalls()
    let loop = try EventLoop("test", system: system)
    defer { loop.stop() }
    let start = system.monotonicTime()
    let fired = Mutex<[(Int, MonotonicTime)]>([])
    await withCheckedContinuation { continuation in
      for delay in [9, 3, 6] {
        loop.schedule(at: start + .milliseconds(delay)) {
          let count = fired.withLock {
            $0.append((delay, system.monotonicTime()))
            return $0.count
          }
          if count == 3 { continuation.resume() }
        }
      }
    }
    let seen = fired.withLock { $0 }
    #expect(seen.map(\.0) == [3, 6, 9])
    for (delay, time) in seen { #expect(time >= start + .milliseconds(delay)) }
  }

  @Test("a cancelled timer and a cancelled watch stay silent")
  func aCancelledTimerAndACancelledWatchStaySilent() async throws {
    let system = LinuxSystemCalls()
    let loop = try EventLoop("test", system: system)
    defer { loop.stop() }
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    defer {
      close(reading)
      close(writing)
    }
    let calls = Atomic<Int>(0)
    await withCheckedContinuation { continuation in
      loop.submit {
        let start = system.monotonicTime()
        let watch = loop.watch(reading) { _ in calls.add(1, ordering: .relaxed) }
        let timer = loop.schedule(at: start) { calls.add(1, ordering: .relaxed) }
        _ = write(writing, "x", 1)
        loop.cancel(watch)
        loop.cancel(timer)
        loop.schedule(at: start + .milliseconds(5)) { continuation.resume() }
      }
    }
    #expect(calls.load(ordering: .relaxed) == 0)
  }

  @Test("a watch sees what arrives") func aWatchSeesWhatArrives() async throws {
    let loop = try EventLoop("test", system: LinuxSystemCalls())
    defer { loop.stop() }
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    let byte = await withCheckedContinuation { (continuation: CheckedContinuation<UInt8, Never>) in
      let token = Mutex<EventLoop.Token?>(nil)
      token.withLock {
        $0 = loop.watch(reading) { _ in
          var byte: UInt8 = 0
          guard read(reading, &byte, 1) == 1 else { return }
          if let token = token.withLock({ $0 }) { loop.cancel(token) }
          continuation.resume(returning: byte)
        }
      }
      _ = write(writing, "k", 1)
    }
    #expect(byte == UInt8(ascii: "k"))
    close(reading)
    close(writing)
  }

  /// Counts until something has happened, or until it should long have.
  private final class Rounds: Sendable {
    static let limit = 10_000
    private let state = Mutex((jobs: 0, isOver: false))

    /// Notes one more job; true while jobs are to go on.
    func goesOn() -> Bool {
      state.withLock { state in
        state.jobs += 1
        return !state.isOver && state.jobs < Rounds.limit
      }
    }
    func end() { state.withLock { $0.isOver = true } }
    var jobs: Int { state.withLock { $0.jobs } }
  }

  /// Submits itself again and again.
  private func keepBusy(
    _ loop: EventLoop, _ rounds: Rounds, _ end: CheckedContinuation<Void, Never>
  ) {
    loop.submit {
      guard rounds.goesOn() else { return end.resume() }
      self.keepBusy(loop, rounds, end)
    }
  }

  @Test("jobs that keep coming do not hold up a timer") func jobsThatKeepComingDoNotHoldUpATimer()
    async throws
  {
    let clock = ManualClock()
    let loop = try EventLoop("test", system: FaultySystemCalls(clock: clock))
    defer { loop.stop() }
    let rounds = Rounds()
    await withCheckedContinuation { continuation in
      loop.submit {
        loop.schedule(at: clock.now + .seconds(1)) { rounds.end() }
        self.keepBusy(loop, rounds, continuation)
        loop.submit { clock.advance(by: .seconds(1)) }
      }
    }
    #expect(rounds.jobs < 10)
  }

  @Test("jobs that keep coming do not hold up a descriptor")
  func jobsThatKeepComingDoNotHoldUpADescriptor() async throws {
    let loop = try EventLoop("test", system: LinuxSystemCalls())
    let bell = try Bell()
    defer { loop.stop() }
    let rounds = Rounds()
    await withCheckedContinuation { continuation in
      loop.submit {
        loop.watch(bell.number) { _ in
          bell.answer()
          rounds.end()
        }
        bell.ring()
        self.keepBusy(loop, rounds, continuation)
      }
    }
    #expect(rounds.jobs < 10)
  }

  @Test("many jobs at once wait for a timer in between") func manyJobsAtOnceWaitForATimerInBetween()
    async throws
  {
    let clock = ManualClock()
    let loop = try EventLoop("test", system: FaultySystemCalls(clock: clock))
    defer { loop.stop() }
    let order = Mutex<(jobs: [Int], before: Int?)>(([], nil))
    await withCheckedContinuation { continuation in
      loop.submit {
        loop.schedule(at: clock.now) { order.withLock { $0.before = $0.jobs.count } }
        for index in 0..<5000 { loop.submit { order.withLock { $0.jobs.append(index) } } }
        loop.submit { continuation.resume() }
      }
    }
    let seen = order.withLock { $0 }
    #expect(seen.jobs == Array(0..<5000))
    #expect((seen.before ?? 5000) < 200)
  }
}
