import Glibc
import Media
import Platform
import StationTestSupport
import Testing

@testable import Capture

/// Tests of rows in docs/hazards.md that no other suite covers.
@Suite struct HazardTests {
  @Test("repeated numbers and times that run backwards are counted")
  func repeatedNumbersAndTimesThatRunBackwardsAreCounted() throws {
    let device = Bench.mjpegCamera { number in
      var details = ScriptedDetails()
      if number % 10 == 4 { details.sequence = UInt32(number - 1) }
      if number % 10 == 7 { details.age = .milliseconds(60) }
      return .picture([samplePicture(UInt8(number & 0x7F))], details)
    }
    let bench = try Bench(device)
    #expect(bench.stream(30))
    let counts = bench.camera.counts
    #expect((2...4).contains(counts.repeated))
    #expect((2...4).contains(counts.badTimestamps))
    #expect(counts.published == counts.frames)
  }

  @Test("times in the ring never run backwards") func timesInTheRingNeverRunBackwards() throws {
    let device = Bench.mjpegCamera { number in
      var details = ScriptedDetails()
      details.age = .milliseconds(number % 3 == 0 ? 70 : 0)
      return .picture([samplePicture()], details)
    }
    let bench = try Bench(device)
    var last = MonotonicTime(nanoseconds: 0)
    for _ in 0..<40 {
      #expect(bench.stream(1))
      guard let held = Held(bench.camera.ring.newest()) else { continue }
      #expect(held.frame.timestamp >= last)
      last = held.frame.timestamp
    }
  }

  @Test("what is granted is taken even if it is something else")
  func whatIsGrantedIsTakenEvenIfItIsSomethingElse() throws {
    let device = Bench.mjpegCamera()
    device.forcedSize = PixelSize(width: 640, height: 480)
    device.hasRates = false
    let bench = try Bench(device)
    #expect(bench.stream(5))
    #expect(bench.camera.granted?.size == PixelSize(width: 640, height: 480))
    #expect(bench.camera.granted?.rate == nil)
  }

  @Test("two cameras that swap their numbers are told apart")
  func twoCamerasThatSwapTheirNumbersAreToldApart() throws {
    let bench = try Bench()
    let other = Bench.mjpegCamera()
    other.usb = ("046d", "0825", "X9")
    bench.kernel.plug(other, at: 1)
    #expect(bench.stream(5))
    bench.kernel.unplug(bench.device)
    bench.kernel.unplug(other)
    #expect(bench.step { bench.camera.state == .absent })
    bench.kernel.plug(other, at: 0)
    bench.kernel.plug(bench.device, at: 1)
    #expect(bench.step { bench.camera.state == .streaming })
    #expect(bench.camera.identity?.serial == "S1")
    #expect(bench.camera.identity?.path == "/dev/video1")
  }

  @Test("a loopback that claims its whole buffer and then falls silent is recovered")
  func aLoopbackThatClaimsItsWholeBufferAndThenFallsSilentIsRecovered() throws {
    var details = ScriptedDetails()
    details.claimedBytes = 65536
    let device = Bench.mjpegCamera { [details] number in
      number < 10 ? .picture([samplePicture()], details) : .silence
    }
    device.driver = "v4l2 loopback"
    device.usb = nil
    let bench = try Bench(device)
    #expect(bench.stream(8))
    #expect(bench.step { bench.camera.state == .stalled })
    device.script = Bench.pictures
    #expect(bench.step { bench.camera.state == .streaming })
  }

  @Test("each buffer is read once by the gate and never copied")
  func eachBufferIsReadOnceByTheGateAndNeverCopied() throws {
    let bench = try Bench()
    #expect(bench.stream(50))
    let counts = bench.camera.counts
    #expect(counts.bytesCopied == 0)
    #expect(counts.clean + counts.repairable + counts.damaged == counts.frames)
  }

  @Test("interrupted calls are made again") func interruptedCallsAreMadeAgain() throws {
    let bench = try Bench()
    bench.kernel.failCalls { number, name in
      name != "poll" && number % 3 == 0 ? EINTR : nil
    }
    #expect(bench.stream(20))
    #expect(bench.camera.counts.errors == 0)
  }
}
