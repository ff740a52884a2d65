import Glibc
import Media
import Platform
import StationTestSupport
import Testing

@testable import Capture

/// Tests of a camera that is absent, busy, or without a signal.
@Suite struct WaitingTests {
  @Test("a node that comes back is opened at once") func aNodeThatComesBackIsOpenedAtOnce() throws {
    let bench = try Bench()
    #expect(bench.stream(5))
    bench.kernel.unplug(bench.device)
    #expect(bench.step { bench.camera.state == .absent })
    // Long enough for the pauses to have grown.
    bench.step(40) { false }
    let plugged = bench.kernel.clock.now + .milliseconds(1)
    let device = bench.device
    bench.kernel.at(plugged) { $0.plug(device, at: 1) }
    #expect(bench.step { bench.camera.state == .streaming })
    // The driver's first frame, and nothing else.
    #expect(bench.kernel.clock.now - plugged <= .milliseconds(36))
  }

  @Test("a node that is still root's is opened when its permissions change")
  func aNodeThatIsStillRootsIsOpenedWhenItsPermissionsChange() throws {
    let bench = try Bench()
    #expect(bench.stream(5))
    bench.kernel.unplug(bench.device)
    #expect(bench.step { bench.camera.state == .absent })
    bench.kernel.setOpenError("/dev/video1", EACCES)
    let plugged = bench.kernel.clock.now + .milliseconds(40)
    let device = bench.device
    bench.kernel.at(plugged) { $0.plug(device, at: 1) }
    bench.kernel.at(plugged + .milliseconds(20)) { $0.setOpenError("/dev/video1", nil) }
    var states: [CameraState] = []
    #expect(
      bench.step {
        states.append(bench.camera.state)
        return bench.camera.state == .streaming
      })
    #expect(!states.contains(.denied))
    #expect(bench.kernel.clock.now - plugged <= .milliseconds(56))
  }

  @Test("the wait for permissions is bounded") func theWaitForPermissionsIsBounded() throws {
    let bench = try Bench()
    #expect(bench.stream(5))
    bench.kernel.unplug(bench.device)
    #expect(bench.step { bench.camera.state == .absent })
    bench.kernel.setOpenError("/dev/video1", EACCES)
    bench.kernel.plug(bench.device, at: 1)
    let plugged = bench.kernel.clock.now
    #expect(bench.step { bench.camera.state == .denied })
    #expect(bench.kernel.clock.now - plugged <= .seconds(5))
  }

  @Test("without a watch the pauses stay short") func withoutAWatchThePausesStayShort() throws {
    let bench = try Bench()
    bench.kernel.failCalls { _, name in name == "inotify" ? EMFILE : nil }
    #expect(bench.stream(5))
    bench.kernel.unplug(bench.device)
    #expect(bench.step { bench.camera.state == .absent })
    bench.step(40) { false }
    bench.kernel.plug(bench.device, at: 1)
    let plugged = bench.kernel.clock.now
    #expect(bench.step { bench.camera.state == .streaming })
    #expect(bench.kernel.clock.now - plugged <= .milliseconds(250))
  }

  @Test("an absent camera is looked for rarely where new nodes are told")
  func anAbsentCameraIsLookedForRarelyWhereNewNodesAreTold() throws {
    let bench = try Bench(plugged: false)
    bench.step(40) { false }
    #expect(bench.camera.state == .absent)
    let begin = bench.kernel.clock.now
    bench.step(40) { false }
    // A look and a pause of five seconds in turn.
    #expect(bench.kernel.clock.now - begin >= .seconds(90))
  }

  @Test("a broken watch is not asked again") func aBrokenWatchIsNotAskedAgain() throws {
    let bench = try Bench(plugged: false)
    bench.step(5) { false }
    #expect(bench.loop.watch != nil)
    bench.kernel.failCalls { _, name in name == "read" ? EIO : nil }
    bench.kernel.setLink("/dev/video77", to: "nowhere")
    bench.step(5) { false }
    #expect(bench.loop.watch == nil)
    bench.kernel.failCalls(nil)
    bench.kernel.plug(bench.device, at: 0)
    #expect(bench.stream(2))
  }

  @Test(
    arguments: [
      ([(0x100, "video0")], true), ([(0x100, "media0")], false), ([(4, "video12")], true),
      ([(0x100, "null"), (0x100, "video3")], true), ([(0x4000, "")], true),
      ([(0x100, "v4l")], true), ([(0x100, "pci-0000:00:14.0-usb-0:2:1.0-video-index0")], true),
      ([(0x100, "booth")], false), ([(0x100, "usb-Cam-video-index0")], true), ([], false),
    ] as [([(UInt32, String)], Bool)])
  func onlyWhatMayBeACameraEndsTheWait(_ events: [(UInt32, String)], _ expected: Bool) {
    var bytes: [UInt8] = []
    for (mask, name) in events {
      let padded = Array(name.utf8) + [UInt8](repeating: 0, count: 16)
      for word in [1, mask, 0, UInt32(padded.count)] { withUnsafeBytes(of: word) { bytes += $0 } }
      bytes += padded
    }
    #expect(bytes.withUnsafeBytes { NodeWatch.concernsCamera($0) } == expected)
    // An event list that is cut anywhere must not be read past its end.
    for count in bytes.indices {
      _ = Array(bytes.prefix(count)).withUnsafeBytes { NodeWatch.concernsCamera($0) }
    }
  }

  @Test("the search for who has a camera is kept for a while")
  func theSearchForWhoHasACameraIsKeptForAWhile() throws {
    let kernel = ScriptedKernel()
    kernel.setLink("/proc/4711/fd/7", to: "/dev/video0")
    kernel.setFile("/proc/4711/comm", "cheese\n")
    kernel.setLink("/proc/self", to: "99")
    kernel.setLink("/proc/99/fd/3", to: "/dev/video0")
    let holders = DeviceHolders(system: kernel)
    #expect(holders.holder(of: "/dev/video0") == "cheese (process 4711)")
    kernel.failCalls(nil)
    #expect(holders.holder(of: "/dev/video0") == "cheese (process 4711)")
    #expect(kernel.trace.isEmpty)
    kernel.clock.advance(by: .seconds(3))
    #expect(holders.holder(of: "/dev/video0") == "cheese (process 4711)")
    // The second search begins with the process that held the device before.
    #expect(kernel.trace.filter { $0 == "opendir" }.count == 1)
  }

  @Test("the search is bounded") func theSearchIsBounded() throws {
    let kernel = ScriptedKernel()
    for process in 1...30 {
      for file in 0..<1000 { kernel.setLink("/proc/\(process)/fd/\(file)", to: "/dev/null") }
    }
    kernel.failCalls(nil)
    #expect(DeviceHolders(system: kernel).holder(of: "/dev/video0") == nil)
    #expect(kernel.calls < DeviceHolders.mostFiles + 100)
  }

  // MARK: HDMI

  private func receiver(_ timings: Result<PixelSize, SystemError>) -> ScriptedCamera {
    let size = PixelSize(width: 64, height: 48)
    let device = ScriptedCamera([ScriptedFormat(.uyvy, [(size, [])])]) { _ in
      .picture([[UInt8](repeating: 9, count: 1 << 20)])
    }
    device.failures["VIDIOC_ENUM_FRAMESIZES"] = ENOTTY
    device.timings = timings
    return device
  }

  @Test("an HDMI input is taken as it comes") func anHDMIInputIsTakenAsItComes() throws {
    let size = PixelSize(width: 320, height: 240)
    let bench = try Bench(receiver(.success(size)))
    #expect(bench.stream(5))
    #expect(bench.camera.granted?.size == size)
  }

  @Test("without a source the state says so until one comes", arguments: [ENOLINK, ENOLCK])
  func withoutASourceTheStateSaysSoUntilOneComes(_ errno: Int32) throws {
    let device = receiver(.failure(SystemError(errno: errno, call: "VIDIOC_QUERY_DV_TIMINGS")))
    let bench = try Bench(device)
    #expect(bench.step { bench.camera.state == .noSignal })
    #expect(bench.camera.error?.code == .noSignal)
    bench.step(60) { false }
    device.timings = .success(PixelSize(width: 320, height: 240))
    let connected = bench.kernel.clock.now
    #expect(bench.step { bench.camera.state == .streaming })
    #expect(bench.kernel.clock.now - connected <= .milliseconds(600))
  }

  @Test("changed timings are taken over while it streams")
  func changedTimingsAreTakenOverWhileItStreams() throws {
    let device = receiver(.success(PixelSize(width: 320, height: 240)))
    let bench = try Bench(device)
    #expect(bench.stream(5))
    device.timings = .success(PixelSize(width: 640, height: 480))
    device.script = { $0 == 8 ? .sourceChange : .picture([[UInt8](repeating: 9, count: 1 << 20)]) }
    #expect(bench.step { bench.camera.granted?.size == PixelSize(width: 640, height: 480) })
    #expect(bench.stream(5))
    #expect(Held(bench.camera.ring.newest())?.frame.image.size.width == 640)
    #expect(bench.camera.counts.recoveries == 0)
  }

  @Test("a source that goes and comes back with other timings is recovered")
  func aSourceThatGoesAndComesBackWithOtherTimingsIsRecovered() throws {
    let device = receiver(.success(PixelSize(width: 320, height: 240)))
    let bench = try Bench(device)
    #expect(bench.stream(5))
    device.timings = .failure(SystemError(errno: ENOLINK, call: ""))
    device.inputStatus = 2
    device.script = { _ in .silence }
    #expect(bench.step { bench.camera.state == .noSignal })
    device.timings = .success(PixelSize(width: 640, height: 480))
    device.inputStatus = 0
    device.script = { _ in .picture([[UInt8](repeating: 9, count: 1 << 20)]) }
    #expect(bench.step { bench.camera.state == .streaming })
    #expect(bench.camera.granted?.size == PixelSize(width: 640, height: 480))
  }

  // MARK: What only a decoder sees

  @Test("what only a decoder sees is counted and whether it was shown")
  func whatOnlyADecoderSeesIsCountedAndWhetherItWasShown() throws {
    let bench = try Bench()
    #expect(bench.stream(3))
    let shown = try #require(bench.camera.preview.newest())
    let words = "Corrupt JPEG data: premature end of data segment"
    bench.camera.note(DecoderFault(words), in: shown.id)
    bench.camera.note(DecoderFault("Corrupt JPEG data: bad Huffman code"), in: shown.id + 1000)
    #expect(bench.camera.counts.decoderFaults(.prematureEnd) == 1)
    #expect(bench.camera.counts.decoderFaults(.badCode) == 1)
    #expect(bench.camera.counts.faultsShown == 1)
  }

  @Test(
    "a decoder's words have a kind",
    arguments: [
      ("Corrupt JPEG data: 12 extraneous bytes before marker 0xd9", DecoderFault.extraneousBytes),
      ("Corrupt JPEG data: found marker 0xd9 instead of RST3", .badRestart),
      ("Premature end of JPEG file", .prematureEnd), ("Unsupported marker type 0x4e", .other),
      ("", .other),
    ])
  func aDecodersWordsHaveAKind(_ words: String, _ kind: DecoderFault) {
    #expect(DecoderFault(words) == kind)
  }
}
