import Platform
import StationTestSupport
import Testing

@testable import PhotoLibrary

/// Tests the certain age of a photo with random histories of clocks.
struct ClockHistoryTests {
  private static let day = BoothClock.day

  @Test("no history of clocks makes a photo older than it is")
  func histories() {
    let seed = UInt64.random(in: 0..<1 << 32)
    print("clock histories: seed \(seed)")
    var generator = SplitMix(seed: seed)
    for round in 0..<120 {
      var clock = BoothClock(error: -70 * Self.day)
      if round % 2 == 0 { clock = BoothClock(batteryError: -70 * Self.day) }
      var history = ClockHistory()
      var taken: [Int64] = []
      // As the keeper's, which comes within a minute and whose line is synced.
      func look() {
        history.append(ClockLine(index: history.nextIndex, reading: clock.reading))
      }
      for step in 0..<40 {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0:
          clock.synchronize()
          look()
        case 1: clock.disconnect()
        case 2:
          clock.set(error: 0, alsoBattery: true)
          look()
        case 3:
          clock.set(error: 0)
          look()
        case 4:
          // A battery that is empty stands still; it never runs ahead.
          clock.restart(
            afterDays: Int64.random(in: 0..<40, using: &generator),
            error: Int64.random(in: -90..<90, using: &generator) * Self.day,
            batteryStops: Int.random(in: 0..<4, using: &generator) == 0)
          look()
        case 5: clock.pass(days: Int64.random(in: 0..<5, using: &generator))
        case 6: look()
        default:
          clock.pass(seconds: 60)
          taken.append(clock.truth)
          // The power may take a line.
          if Int.random(in: 0..<5, using: &generator) == 0 { continue }
          history.append(
            ClockLine(
              index: history.nextIndex, reading: clock.reading, number: taken.count,
              album: "party", isNew: true))
        }
        guard let now = history.now(clock.reading, mayRelyOnBattery: true) else { continue }
        let dates = history.dates(clock.reading)
        for age in [1, 10, 30, 60] as [Int64] {
          let highest = dates.highest(in: "party", before: now - age * Self.day)
          guard highest > 0 else { continue }
          let trueAge = clock.truth - taken[min(highest, taken.count) - 1]
          #expect(trueAge + 120 >= age * Self.day, "seed \(seed), round \(round), step \(step)")
        }
      }
    }
  }

  @Test("a long history is made shorter, and what it says stays on the safe side")
  func longHistory() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.open()
    let clock = BoothClock(isSynchronized: true)
    var log = ClockLog(root: sandbox.root, LinuxSystemCalls())
    var text: [UInt8] = []
    for number in 1...ClockHistory.mostLines {
      clock.pass(seconds: 60)
      let line = ClockLine(
        index: number, reading: clock.reading, number: number, album: "party", isNew: true)
      text += line.text + [0x0A]
    }
    try Sandbox.write(text, to: "\(sandbox.root)/.retake.clock")
    log = ClockLog(root: sandbox.root, LinuxSystemCalls())
    let before = log.history.dates(clock.reading)
    clock.pass(seconds: 60)
    try log.add(
      clock.reading, number: ClockHistory.mostLines + 1, album: "party", isNew: true)
    let again = ClockLog(root: sandbox.root, LinuxSystemCalls()).history
    #expect(again.lines == log.history.lines)
    #expect(again.lines.count < ClockHistory.mostLines)
    let after = again.dates(clock.reading)
    for hours in [1, 24, 100] as [Int64] {
      let limit = clock.truth - hours * 3600
      let (one, two) = (
        before.highest(in: "party", before: limit), after.highest(in: "party", before: limit)
      )
      #expect(two <= one)
      #expect(two >= one - 2)
    }
  }
}
