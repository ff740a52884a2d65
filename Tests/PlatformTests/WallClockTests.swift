import Testing

@testable import Platform

@Suite struct WallClockTests {
  @Test(
    "a clock that started at a file's time was restored from it",
    arguments: [
      (1_800_000_000, 1_800_000_000, true),
      (1_800_000_020, 1_800_000_000, true),
      (1_799_999_980, 1_800_000_000, true),
      (1_800_086_400, 1_800_000_000, false),
      (1_799_000_000, 1_800_000_000, false),
    ])
  func aClockThatStartedAtAFilesTimeWasRestoredFromIt(start: Int, file: Int, isRestored: Bool) {
    #expect(WallClock.isRestored(start: start, file: file) == isRestored)
  }

  @Test(
    "a battery-backed clock vouches only while the kernel took it and it agrees",
    arguments: [
      ("1", "1800000000", true), ("1", "1799999900", true), ("1", "1800000100", true),
      ("0", "1800000000", false), ("", "1800000000", false), ("1", "", false),
      // A Pi 5 without a battery: its clock began in 1970, and a file set the system's.
      ("1", "35", false),
      // The system's clock was set, but not the hardware clock.
      ("1", "1793952000", false), ("1", "99999999999999999999", false),
      ("1", "-9223372036854775808", false),
    ])
  func battery(took: String, says: String, isTrusted: Bool) {
    let answer = WallClock.hasBattery(took: took, says: says, at: 1_800_000_000)
    #expect(answer == isTrusted)
  }

  @Test("a reading names this start of the machine, the same each time")
  func reading() {
    let (one, two) = (ClockReading.now(), ClockReading.now())
    #expect(one.boot.utf8.count == 32)
    #expect(one.boot == two.boot)
    #expect(one.uptime > 0)
    #expect(two.uptime >= one.uptime)
  }
}
