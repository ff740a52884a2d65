import Testing

@testable import StationTools

@Suite struct KioskWatcherTests {
  @Test(
    "the browser lives while its page does",
    arguments: [
      (nil, 1000, true),
      (KioskWatcher.Answer(silence: .seconds(1)), 1000, true),
      (KioskWatcher.Answer(silence: .seconds(21)), 1000, false),
      (KioskWatcher.Answer(silence: nil), 60, true),
      (KioskWatcher.Answer(silence: nil), 121, false),
      (KioskWatcher.Answer(silence: .seconds(500)), 60, true),
      (KioskWatcher.Answer(silence: .seconds(21)), 60, false),
    ])
  func theBrowserLivesWhileItsPageDoes(
    answer: KioskWatcher.Answer?, sinceStart: Int, isAlive: Bool
  ) {
    #expect(KioskWatcher.isAlive(answer, sinceStart: .seconds(sinceStart)) == isAlive)
  }

  @Test("the page's silence is read from the status") func thePagesSilenceIsReadFromTheStatus() {
    let json = #"{"service":{"pageSilentMilliseconds":1500},"state":"idle"}"#
    #expect(KioskWatcher.Answer(json: json)?.silence == .milliseconds(1500))
    #expect(KioskWatcher.Answer(json: #"{"service":{}}"#) == KioskWatcher.Answer(silence: nil))
    #expect(KioskWatcher.Answer(json: "refused") == nil)
  }
}
