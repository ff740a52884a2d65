import ImagePicker
import Platform
import Testing
import Trigger

@testable import Station

@Suite("Lamps and the picker's state") struct LampSceneTests {
  private func machine(ready: Bool = true) -> PickerMachine {
    var machine = PickerMachine()
    for resource in [PickerMachine.Condition.Resource.camera, .storage] where ready {
      _ = machine.handle(.condition(resource, .ready), at: PickerInstant(nanoseconds: 0))
    }
    return machine
  }

  @Test("are ready only while a press would take a photo") func readiness() {
    let now = MonotonicTime(nanoseconds: 5)
    #expect(LampScene(machine(), before: nil, now: now).phase == .ready)
    #expect(LampScene(machine(ready: false), before: nil, now: now).phase == .blocked)
  }

  @Test("know the exposure from the countdown on, and forget it with the session") func exposure() {
    var machine = machine()
    let press = PickerInstant(nanoseconds: 1_000_000_000)
    _ = machine.handle(.shutter, at: press)
    let now = MonotonicTime(nanoseconds: 1_030_000_000)
    let counting = LampScene(machine, before: nil, now: now)
    #expect(counting.phase == .busy)
    #expect(counting.exposure?.asked == now)
    #expect(counting.exposure?.moment == MonotonicTime(nanoseconds: 4_000_000_000))
    // Asked again later, it is still the same exposure.
    let later = LampScene(machine, before: counting, now: now + .seconds(1))
    #expect(later == counting)
    _ = machine.handle(.cancel, at: PickerInstant(nanoseconds: 2_000_000_000))
    let cancelled = LampScene(machine, before: later, now: now)
    #expect(cancelled.exposure == nil)
    #expect(cancelled.phase == .ready)
  }

  @Test("blink from the failure on") func failure() {
    var machine = machine()
    let instant = PickerInstant(nanoseconds: 0)
    _ = machine.handle(.shutter, at: instant)
    _ = machine.handle(.fault(PickerReason(.stationFault)), at: instant)
    let first = LampScene(machine, before: nil, now: MonotonicTime(nanoseconds: 7))
    #expect(first.phase == .failed(since: MonotonicTime(nanoseconds: 7)))
    let second = LampScene(machine, before: first, now: MonotonicTime(nanoseconds: 900))
    #expect(second.phase == first.phase)
  }
}

@Suite("The histogram of distances") struct DeltaHistogramTests {
  @Test("counts each photo once, by distance") func counts() {
    var histogram = DeltaHistogram()
    for delta in [0.2, -1, 16.7, -16.8, 300] { histogram.add(delta) }
    #expect(histogram.buckets.map(\.photos) == [2, 0, 0, 0, 1, 1, 0, 0, 0, 1])
    #expect(histogram.maximumMilliseconds == 300)
  }
}

@Suite struct PowerOffTests {
  @Test func aManagerThatDoesNotAnswerIsGivenUp() {
    #expect { try PowerOff.request(["sleep", "1000"], patience: .milliseconds(10)) } throws: {
      ($0 as? SystemError)?.errno == Errno.timedOut
    }
  }

  @Test func aRefusalIsAnError() throws {
    try PowerOff.request(["true"])
    #expect { try PowerOff.request(["false"]) } throws: {
      ($0 as? SystemError)?.errno == Errno.notPermitted
    }
  }
}
