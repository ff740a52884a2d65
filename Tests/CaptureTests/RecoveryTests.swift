import Glibc
import Media
import Platform
import StationTestSupport
import Synchronization
import Testing

@testable import Capture

@Suite struct RecoveryTests {
  @Test("a silent camera is noticed within half a second and restarted")
  func aSilentCameraIsNoticedWithinHalfASecondAndRestarted() throws {
    let device = Bench.mjpegCamera()
    let bench = try Bench(device)
    #expect(bench.stream(10))
    device.script = { _ in .silence }
    device.onStart = { [weak device] _ in device?.script = Bench.pictures }
    let before = bench.kernel.clock.now
    #expect(bench.step { bench.camera.state == .stalled })
    #expect(bench.kernel.clock.now - before <= .milliseconds(550))
    #expect(bench.step { bench.camera.state == .streaming })
    #expect(bench.camera.counts.stalls == 1)
    #expect(bench.camera.counts.recoveries == 1)
    #expect(bench.kernel.trace.filter { $0 == "open" }.count <= 8)
  }

  @Test("the ladder goes from restart to reopen with pauses that stay in bounds")
  func theLadderGoesFromRestartToReopenWithPausesThatStayInBounds() throws {
    let device = Bench.mjpegCamera()
    let bench = try Bench(device)
    #expect(bench.stream(10))
    device.script = { _ in .silence }
    bench.kernel.failCalls(nil)
    var pauses: [Duration] = []
    for _ in 0..<300 {
      if case .closed(let until) = bench.loop.phase, until > bench.kernel.clock.now {
        pauses.append(until - bench.kernel.clock.now)
      }
      _ = bench.loop.step()
    }
    #expect(bench.kernel.trace.contains("VIDIOC_STREAMOFF"))
    #expect(pauses.count > 4)
    #expect(pauses.allSatisfy { $0 >= .milliseconds(100) && $0 <= .seconds(2) })
    #expect(pauses.max() == .seconds(2))
    device.script = Bench.pictures
    #expect(bench.step { bench.camera.state == .streaming })
  }

  @Test("a stream that fails is started again", arguments: [EIO, EINVAL, EPIPE, EFAULT])
  func aStreamThatFailsIsStartedAgain(_ errno: Int32) throws {
    let device = Bench.mjpegCamera()
    let bench = try Bench(device)
    #expect(bench.stream(10))
    device.failures["VIDIOC_DQBUF"] = errno
    #expect(bench.step { bench.camera.counts.errors > 0 })
    device.failures = [:]
    let count = bench.camera.counts.published
    #expect(bench.step { bench.camera.counts.published > count + 5 })
    #expect(bench.camera.state == .streaming)
  }

  @Test("a fatal stream error is healed by a restart") func aFatalStreamErrorIsHealedByARestart()
    throws
  {
    let device = Bench.mjpegCamera()
    let bench = try Bench(device)
    #expect(bench.stream(5))
    device.script = { $0 == 20 ? .streamError : Bench.pictures($0) }
    #expect(bench.stream(40))
    #expect(bench.camera.counts.recoveries >= 1)
    #expect(bench.camera.state == .streaming)
  }

  @Test("a camera plugged in under another number is found again")
  func aCameraPluggedInUnderAnotherNumberIsFoundAgain() throws {
    let device = Bench.mjpegCamera()
    let bench = try Bench(device)
    #expect(bench.stream(10))
    for number in 1...20 {
      bench.kernel.unplug(device)
      #expect(bench.step { bench.camera.state == .absent })
      #expect(bench.camera.error?.code == .noCamera)
      #expect(bench.camera.ring.count == 0)
      bench.kernel.plug(device, at: number)
      let plugged = bench.kernel.clock.now
      #expect(bench.step { bench.camera.state == .streaming })
      #expect(bench.kernel.clock.now - plugged < .milliseconds(250))
      #expect(bench.camera.identity?.path == "/dev/video\(number)")
    }
    bench.finish()
    #expect(bench.kernel.openDescriptors == 1)
    #expect(bench.kernel.mappedPlanes == 0)
  }

  @Test("an observer hears of each state once") func anObserverHearsOfEachStateOnce() throws {
    let bench = try Bench()
    let heard = Mutex<[String]>([])
    let frames = Mutex(0)
    bench.camera.observe { event in
      switch event {
      case .state(let state): heard.withLock { $0.append(state.name) }
      case .mode(let mode): heard.withLock { $0.append(mode.description) }
      case .frame: frames.withLock { $0 += 1 }
      }
    }
    #expect(bench.stream(5))
    bench.kernel.unplug(bench.device)
    bench.step(30) { false }
    bench.kernel.plug(bench.device, at: 1)
    #expect(bench.stream(5))
    bench.finish()
    let start = ["1280x720 MJPG at 30 fps", "starting", "streaming"]
    let expected: [String] = start + ["absent"] + start + ["stopped"]
    let states: [String] = heard.withLock { $0 }
    #expect(states == expected)
    let count: Int = frames.withLock { $0 }
    #expect(count == bench.camera.counts.published)
  }

  @Test("a driver that is always urgent does not spin") func aDriverThatIsAlwaysUrgentDoesNotSpin()
    throws
  {
    let device = Bench.mjpegCamera()
    device.isAlwaysUrgent = true
    let bench = try Bench(device)
    #expect(bench.stream(20))
    bench.kernel.failCalls(nil)
    #expect(bench.stream(20))
    #expect(bench.kernel.trace.filter { $0 == "poll" }.count <= 22)
  }

  @Test("another camera with the same number is not taken")
  func anotherCameraWithTheSameNumberIsNotTaken() throws {
    let device = Bench.mjpegCamera()
    let bench = try Bench(device, name: .device("/dev/video0"))
    #expect(bench.stream(10))
    bench.kernel.unplug(device)
    let other = Bench.mjpegCamera()
    other.usb = ("046d", "0825", "X9")
    bench.kernel.plug(other, at: 0)
    bench.step(50) { false }
    #expect(bench.camera.state == .absent)
    bench.kernel.plug(device, at: 1)
    #expect(bench.step { bench.camera.state == .streaming })
    #expect(bench.camera.identity?.path == "/dev/video1")
  }

  @Test("a camera without a serial number is found in another port")
  func aCameraWithoutASerialNumberIsFoundInAnotherPort() throws {
    let device = Bench.mjpegCamera()
    device.usb = ("1d6b", "0102", "")
    let bench = try Bench(device)
    #expect(bench.stream(3))
    bench.kernel.unplug(device)
    #expect(bench.step { bench.camera.state == .absent })
    device.bus = "usb-0000:00:14.0-2"
    bench.kernel.plug(device, at: 3)
    #expect(bench.step { bench.camera.state == .streaming })
  }

  @Test("a frame in use survives the unplug") func aFrameInUseSurvivesTheUnplug() throws {
    let bench = try Bench()
    #expect(bench.stream(5))
    let held = Held(bench.camera.ring.newest())
    let before = held.map { Array($0.frame.image.bytes) }
    bench.kernel.unplug(bench.device)
    #expect(bench.step { bench.camera.state == .absent })
    bench.kernel.plug(bench.device, at: 1)
    #expect(bench.stream(20))
    #expect(held.map { Array($0.frame.image.bytes) } == before)
  }

  @Test("a frame in use on an old kernel only delays the reopening")
  func aFrameInUseOnAnOldKernelOnlyDelaysTheReopening() throws {
    let device = Bench.mjpegCamera()
    device.allowsOrphans = false
    let bench = try Bench(device)
    #expect(bench.stream(5))
    var held = Held(bench.camera.ring.newest())
    bench.loop.renegotiate()
    bench.step(30) { false }
    #expect(bench.camera.state != .streaming)
    #expect(held != nil)
    held = nil
    #expect(bench.step { bench.camera.state == .streaming })
  }

  @Test("a new node that is still root's is not called denied")
  func aNewNodeThatIsStillRootsIsNotCalledDenied() throws {
    let bench = try Bench()
    #expect(bench.stream(5))
    bench.kernel.unplug(bench.device)
    #expect(bench.step { bench.camera.state == .absent })
    bench.kernel.setOpenError("/dev/video1", EACCES)
    bench.kernel.plug(bench.device, at: 1)
    let plugged = bench.kernel.clock.now
    bench.kernel.at(plugged + .milliseconds(350)) { $0.setOpenError("/dev/video1", nil) }
    #expect(bench.step { bench.camera.state == .streaming || bench.camera.state == .denied })
    #expect(bench.camera.state == .streaming)
  }

  @Test("a camera that may not be opened is denied with the fix")
  func aCameraThatMayNotBeOpenedIsDeniedWithTheFix() throws {
    let bench = try Bench(plugged: false, configure: { _ in })
    bench.kernel.setOpenError("/dev/video0", EACCES)
    bench.kernel.plug(bench.device, at: 0)
    #expect(bench.step { bench.camera.state == .denied })
    #expect(bench.camera.error?.message.contains("group 'video'") == true)
  }

  @Test("a busy camera says who has it, and is taken when it is free")
  func aBusyCameraSaysWhoHasItAndIsTakenWhenItIsFree() throws {
    let device = Bench.mjpegCamera()
    let bench = try Bench(device)
    bench.kernel.setLink("/proc/4711/fd/7", to: "/dev/video0")
    bench.kernel.setFile("/proc/4711/comm", "cheese\n")
    device.failures["VIDIOC_REQBUFS"] = EBUSY
    #expect(bench.step { bench.camera.error != nil })
    #expect(bench.camera.state == .busy(by: "cheese (process 4711)"))
    #expect(bench.camera.error?.code == .busy)
    device.failures = [:]
    #expect(bench.step { bench.camera.state == .streaming })
    #expect(bench.camera.error == nil)
  }

  @Test("busy is told apart wherever it is said", arguments: ["VIDIOC_S_FMT", "VIDIOC_STREAMON"])
  func busyIsToldApartWhereverItIsSaid(_ request: String) throws {
    let device = Bench.mjpegCamera()
    device.failures[request] = EBUSY
    let bench = try Bench(device)
    #expect(bench.step { bench.camera.state == .busy(by: nil) })
    #expect(bench.camera.error?.message.contains("fuser") == true)
  }

  @Test("without bandwidth a smaller size is taken") func withoutBandwidthASmallerSizeIsTaken()
    throws
  {
    let device = Bench.mjpegCamera()
    let bench = try Bench(device)
    let first = Mutex(true)
    bench.kernel.failCalls { _, name in
      guard name == "VIDIOC_STREAMON" else { return nil }
      return first.withLock { (isFirst: inout Bool) -> Int32? in
        defer { isFirst = false }
        return isFirst ? ENOSPC : nil
      }
    }
    #expect(bench.stream(5))
    #expect(bench.camera.granted?.size == PixelSize(width: 640, height: 480))
  }

  @Test("without a signal the state says so") func withoutASignalTheStateSaysSo() throws {
    let device = Bench.mjpegCamera()
    let bench = try Bench(device)
    #expect(bench.stream(5))
    device.script = { _ in .silence }
    device.inputStatus = 2
    #expect(bench.step { bench.camera.state == .noSignal })
    device.script = Bench.pictures
    device.inputStatus = 0
    #expect(bench.step { bench.camera.state == .streaming })
  }

  @Test("a source change is negotiated again") func aSourceChangeIsNegotiatedAgain() throws {
    let device = Bench.mjpegCamera()
    let bench = try Bench(device)
    #expect(bench.stream(5))
    device.script = { [weak device] number in
      if number == 12 {
        device?.forcedSize = PixelSize(width: 640, height: 480)
        return .sourceChange
      }
      return Bench.pictures(number)
    }
    #expect(bench.step { bench.camera.granted?.size == PixelSize(width: 640, height: 480) })
    #expect(bench.stream(5))
  }

  @Test("a camera that sends only rubbish is restarted")
  func aCameraThatSendsOnlyRubbishIsRestarted() throws {
    let bench = try Bench(Bench.mjpegCamera { _ in .picture([[1, 2, 3]]) })
    #expect(bench.step(1000) { bench.camera.counts.recoveries > 0 })
    #expect(bench.camera.state == .stalled)
  }

  @Test("a camera plugged in later is taken") func aCameraPluggedInLaterIsTaken() throws {
    let bench = try Bench(plugged: false)
    bench.step(30) { false }
    #expect(bench.camera.state == .absent)
    bench.kernel.plug(bench.device, at: 0)
    #expect(bench.stream(5))
  }
}
