import Testing

@testable import Platform

@Suite struct WallClockTests {
  @Test(arguments: [
    (1_800_000_000, 1_800_000_000, true),
    (1_800_000_020, 1_800_000_000, true),
    (1_799_999_980, 1_800_000_000, true),
    (1_800_086_400, 1_800_000_000, false),
    (1_799_000_000, 1_800_000_000, false),
  ])
  func aClockThatStartedAtAFilesTimeWasRestoredFromIt(start: Int, file: Int, isRestored: Bool) {
    #expect(WallClock.isRestored(start: start, file: file) == isRestored)
  }
}
