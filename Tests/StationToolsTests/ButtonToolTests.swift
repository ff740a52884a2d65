import Platform
import Testing
import Trigger

@testable import Station
@testable import StationTools

@Suite("A learned button") struct ButtonLearnerTests {
  @Test("what --learn prints is one button that takes photos and accepts them")
  func aLesson() throws {
    let lines = ButtonLearner.lines("line = \"GPIO17\"", "chip = \"pinctrl-bcm2711\"")
    let config = try Configuration().reading(lines, file: "f.toml")
    #expect(config.buttons.keys.sorted() == ["one"])
    #expect(config.panelButtons.map(\.role) == [.one])
    #expect(lines.contains("shutter, record, accept, retake, next, previous, cancel, shutdown"))
  }
}

@Suite("A lamp's step in the brightness") struct BrightnessStepTests {
  private func time(_ milliseconds: Double) -> MonotonicTime {
    MonotonicTime(nanoseconds: Int64(milliseconds * 1e6))
  }

  /// Frames at 30 a second whose light changes `delay` before their date.
  private func frames(
    switched: Double, delay: Double, noise: Double, lit: Double
  ) -> [(time: MonotonicTime, brightness: Double)] {
    (0..<30).map { index in
      let date = Double(index) * 33.3
      let wobble = index % 2 == 0 ? noise : -noise
      return (time(date), (date - delay >= switched ? lit : 40) + wobble)
    }
  }

  @Test(
    "is found between the last dark and the first lit frame",
    arguments: [(500.0, 0.0), (510, 20), (517, 48), (533, 70)])
  func found(switched: Double, delay: Double) throws {
    let step = try #require(
      BrightnessStep(
        frames(switched: switched, delay: delay, noise: 1, lit: 90), switched: time(switched)))
    let light = time(switched + delay)
    #expect(step.dark < light && light <= step.lit)
    #expect(step.lit - step.dark < .milliseconds(34))
  }

  @Test("is not made up where there is none") func none() {
    #expect(
      BrightnessStep(
        frames(switched: 500, delay: 10, noise: 3, lit: 45), switched: time(500)) == nil)
    #expect(BrightnessStep([], switched: time(0)) == nil)
  }
}
