import Dispatch
import Platform
import StationTestSupport
import Synchronization
import Testing

@testable import Capture

@Suite struct RingTests {
  private let kernel = ScriptedKernel()

  // Frames 100 ms apart, from 1000 ms on.
  private func ring(_ count: Int, capacity: Int = 8) throws -> (FrameRing, [Frame]) {
    let ring = FrameRing(system: kernel)
    let signal = try ReturnSignal(system: kernel)
    ring.resize(to: capacity)
    let frames = (0..<count).map { number in
      let frame = Frame(slot: number, memory: FrameMemory(heap: 16), returns: signal)
      frame.begin()
      frame.id = FrameID(number + 1)
      frame.timestamp = MonotonicTime(nanoseconds: 1_000_000_000 + Int64(number) * 100_000_000)
      ring.push(frame)
      return frame
    }
    return (ring, frames)
  }

  private func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * 1_000_000)
  }

  @Test(
    arguments: [
      (0, [], 1), (1049, [], 1), (1051, [], 2), (1100, [2], 1), (1160, [3], 2), (9999, [], 5),
      (9999, [5, 4], 3),
    ] as [(Int64, [FrameID], FrameID)])
  func theNearestOfThoseNotExcludedIsGiven(
    _ moment: Int64, _ excluded: [FrameID], _ expected: FrameID
  ) throws {
    let (ring, _) = try ring(5)
    let found = Held(ring.nearest(to: at(moment), excluding: Set(excluded)))
    #expect(found?.frame.id == expected)
  }

  @Test("there is no frame when all are excluded or none came")
  func thereIsNoFrameWhenAllAreExcludedOrNoneCame() throws {
    let (ring, _) = try ring(2)
    #expect(Held(ring.nearest(to: at(1000), excluding: [1, 2])) == nil)
    ring.clear()
    #expect(Held(ring.newest()) == nil)
    #expect(Held(ring.frame(nearest: at(1000), timeout: .zero)) == nil)
    #expect(Held(ring.frame(after: nil, timeout: .zero)) == nil)
  }

  @Test("a caller that asks for a newer frame is told once") func whoAsksForANewerFrameIsToldOnce()
    throws
  {
    let (ring, _) = try ring(2)
    let signal = try ReturnSignal(system: kernel)
    let told = Atomic(0)
    ring.whenNewer(than: 1) { told.add(1, ordering: .relaxed) }
    #expect(told.load(ordering: .relaxed) == 1)
    ring.whenNewer(than: 2) { told.add(10, ordering: .relaxed) }
    ring.whenNewer(than: 2) { told.add(100, ordering: .relaxed) }
    #expect(told.load(ordering: .relaxed) == 1)
    for number in 2...3 {
      let frame = Frame(slot: number, memory: FrameMemory(heap: 16), returns: signal)
      frame.begin()
      frame.id = FrameID(number + 1)
      ring.push(frame)
    }
    #expect(told.load(ordering: .relaxed) == 101)
  }

  @Test("when the time is over the nearest that came is given")
  func whenTheTimeIsOverTheNearestThatCameIsGiven() throws {
    let (ring, _) = try ring(3)
    #expect(Held(ring.frame(nearest: at(5000), timeout: .zero))?.frame.id == 3)
  }

  @Test(
    arguments: [
      // The last frame is from 1200 ms, and the next one comes at 1300 ms at the earliest.
      (1200, [], 3), (1201, [], 3), (1243, [], 3), (1244, [], nil), (1299, [], nil),
      (1210, [3], nil), (1143, [3], 2),
    ] as [(Int64, [FrameID], FrameID?)])
  func theFrameBeforeIsGivenAtOnceOnlyWhereTheNextCannotBeNearer(
    _ moment: Int64, _ excluded: [FrameID], _ expected: FrameID?
  ) throws {
    let (ring, _) = try ring(3)
    let found = Held(
      ring.frame(
        nearest: at(moment), timeout: .zero, excluding: Set(excluded), period: .milliseconds(100)))
    let isGivenAtOnce = ring.isReached(at(moment), Set(excluded), .milliseconds(100))
    #expect(isGivenAtOnce == (expected != nil))
    if let expected { #expect(found?.frame.id == expected) }
    // Without a rhythm the time of the next frame is unknown.
    let isKnown = ring.isReached(at(moment), Set(excluded), nil)
    #expect(isKnown == (moment <= (excluded.isEmpty ? 1200 : 1100)))
  }

  @Test("a wait passes over the frames that are excluded")
  func aWaitPassesOverTheFramesThatAreExcluded() throws {
    // Far ahead of the real clock, so that only a frame ends the wait.
    let clock = ManualClock(LinuxSystemCalls().monotonicTime() + .seconds(3600))
    let ring = FrameRing(system: FaultySystemCalls(clock: clock))
    let signal = try ReturnSignal(system: kernel)
    ring.resize(to: 8)
    let moment = clock.now
    let push = { @Sendable (number: Int, offset: Int) in
      let frame = Frame(slot: number, memory: FrameMemory(heap: 16), returns: signal)
      frame.begin()
      frame.id = UInt64(number)
      frame.timestamp = moment + .milliseconds(offset)
      ring.push(frame)
    }
    for (number, offset) in [(1, -20), (2, 3), (3, 30)] { push(number, offset) }
    // The frame that is waited for comes once the clock was read again, inside the wait.
    let waiting = DispatchSemaphore(value: 0)
    let reads = Mutex(0)
    clock.onRead {
      let count = reads.withLock { (count: inout Int) -> Int in
        count += 1
        return count
      }
      if count == 2 { waiting.signal() }
    }
    let pushing = try Thread("pusher") {
      waiting.wait()
      push(4, 10)
    }
    let found = Held(ring.frame(nearest: moment, timeout: .seconds(60), excluding: [2, 3]))
    #expect(found?.frame.id == 4)
    waiting.signal()
    pushing.join()
  }

  @Test(
    "the ring holds all but three of the buffers that were granted",
    arguments: [2, 3, 4, 6, 8, 16, 32])
  func theRingHoldsAllButThreeOfTheBuffersThatWereGranted(_ buffers: Int) throws {
    let bench = try Bench(configure: { $0.buffers = buffers })
    #expect(bench.stream(60))
    #expect(bench.camera.ring.count == max(buffers - 3, 3))
  }

  @Test("a waiter gets the frame that arrives after the moment")
  func whoeverWaitsGetsTheFrameThatArrivesAfterTheMoment() throws {
    let system = LinuxSystemCalls()
    let ring = FrameRing(system: system)
    let signal = try ReturnSignal(system: system)
    ring.resize(to: 4)
    let moment = system.monotonicTime()
    let pushing = try Thread("pusher") {
      for number in 0..<3 {
        let frame = Frame(slot: number, memory: FrameMemory(heap: 16), returns: signal)
        frame.begin()
        frame.id = FrameID(number + 1)
        frame.timestamp = moment + .milliseconds(10 * number - 10)
        ring.push(frame)
      }
    }
    let found = Held(ring.frame(nearest: moment, timeout: .seconds(60)))
    pushing.join()
    #expect(found?.frame.timestamp == moment)
  }

  @Test("a frame pushed out is given back unless it is held")
  func aFramePushedOutIsGivenBackUnlessItIsHeld() throws {
    let (ring, frames) = try ring(3, capacity: 3)
    let held = Held(ring.nearest(to: at(1000)))
    let signal = try ReturnSignal(system: kernel)
    for number in 0..<2 {
      let frame = Frame(slot: 9 + number, memory: FrameMemory(heap: 16), returns: signal)
      frame.begin()
      ring.push(frame)
    }
    #expect(ring.count == 3)
    #expect(frames.map(\.isInUse) == [true, false, true])
    #expect(held?.frame.id == 1)
  }

  @Test("a return from another thread wakes only a sleeper")
  func aReturnFromAnotherThreadWakesOnlyASleeper() throws {
    let signal = try ReturnSignal(system: kernel)
    kernel.failCalls(nil)
    signal.returned()
    #expect(kernel.trace.isEmpty)
    signal.willSleep()
    signal.returned()
    signal.returned()
    #expect(kernel.trace == ["write"])
    signal.didWake(signalled: true)
    signal.returned()
    #expect(kernel.trace == ["write", "read"])
  }
}
