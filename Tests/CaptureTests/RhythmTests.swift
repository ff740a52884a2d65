import Media
import Platform
import StationTestSupport
import Testing

@testable import Capture

/// Tests that a camera in the dark, which exposes longer than its frame period, counts as slow and
/// not as silent.
@Suite struct RhythmTests {
  @Test(
    "a camera that is slow from the start is not restarted for ever",
    arguments: [333, 500, 667, 1000, 1500, 2000])
  func aCameraThatIsSlowFromTheStartIsNotRestartedForEver(milliseconds: Int) throws {
    let device = Bench.mjpegCamera()
    device.interval = .milliseconds(milliseconds)
    let bench = try Bench(device, configure: { $0.skippedFrames = 2 })
    #expect(bench.stream(5))
    let restarts = bench.camera.counts.recoveries
    #expect(restarts <= (milliseconds < 2000 ? 0 : 2))
    #expect(bench.stream(100))
    #expect(bench.camera.counts.recoveries == restarts)
    #expect(bench.camera.state == .streaming)
    let rate = bench.camera.observedRate ?? 0
    #expect(abs(rate - 1000 / Double(milliseconds)) < 0.05)
    #expect(bench.camera.lacksLight)
  }

  @Test("light that comes and goes costs a restart at most")
  func lightThatComesAndGoesCostsARestartAtMost() throws {
    let device = Bench.mjpegCamera()
    let bench = try Bench(device)
    for round in 1...5 {
      device.interval = nil
      device.restartClock()
      #expect(bench.stream(300))
      #expect(!bench.camera.lacksLight)
      device.interval = .milliseconds(700)
      device.restartClock()
      #expect(bench.stream(30))
      #expect(bench.camera.counts.recoveries <= round)
      #expect(bench.camera.lacksLight)
    }
  }

  @Test("a slow camera that falls silent is still noticed")
  func aSlowCameraThatFallsSilentIsStillNoticed() throws {
    let device = Bench.mjpegCamera()
    device.interval = .milliseconds(500)
    let bench = try Bench(device)
    #expect(bench.stream(10))
    device.script = { _ in .silence }
    let before = bench.kernel.clock.now
    #expect(bench.step { bench.camera.state == .stalled })
    #expect(bench.kernel.clock.now - before <= .milliseconds(2100))
    #expect(bench.camera.observedRate == nil)
  }

  @Test("frames that the driver loses are not for lack of light")
  func framesThatTheDriverLosesAreNotForLackOfLight() throws {
    let bench = try Bench(Bench.mjpegCamera { $0 % 6 == 0 ? Bench.pictures($0) : .lost })
    #expect(bench.stream(40))
    #expect(!bench.camera.lacksLight)
    #expect(bench.camera.counts.dropped > 100)
  }

  @Test("it forgets slow frames while they come faster")
  func itForgetsSlowFramesWhileTheyComeFaster() {
    var rhythm = FrameRhythm()
    for _ in 0..<10 { rhythm.note(.milliseconds(900), frames: 1) }
    #expect(rhythm.slowest == .milliseconds(900))
    for _ in 0..<150 { rhythm.note(.milliseconds(33), frames: 1) }
    #expect(rhythm.slowest < .milliseconds(60))
    rhythm.note(.seconds(1000), frames: 1)
    #expect(rhythm.slowest == FrameRhythm.longest)
    rhythm.note(.milliseconds(-5), frames: 0)
    #expect(rhythm.mean >= .zero)
  }

  @Test("a camera whose every frame is of a kind that no decoder takes says so")
  func aCameraWhoseEveryFrameIsOfAKindThatNoDecoderTakesSaysSo() throws {
    let bench = try Bench(
      gate: { image in
        FrameInspection(
          verdict: .damaged(.unsupported), picture: 0..<image.bytes.count, size: image.size)
      })
    #expect(bench.step(1000) { bench.camera.error != nil })
    let message = bench.camera.error?.message ?? ""
    #expect(message.contains("MJPG pictures are coded in a way that no photo can be made of"))
    #expect(bench.camera.state.name == "failed")
    bench.step(500) { false }
    #expect(bench.camera.counts.published == 0)
  }
}
