import Media
import Platform
import StationTestSupport
import Testing

@testable import Capture

@Suite struct StreamingTests {
  @Test("a camera streams its largest size and gives everything back")
  func aCameraStreamsItsLargestSizeAndGivesEverythingBack() throws {
    let bench = try Bench()
    #expect(bench.stream(20))
    #expect(bench.camera.state == .streaming)
    #expect(bench.camera.granted?.size == PixelSize(width: 1280, height: 720))
    #expect(bench.camera.granted?.rate == .thirty)
    #expect(bench.camera.identity?.key == "usb:1d6b:0102:S1")
    let counts = bench.camera.counts
    #expect(counts.framesCopied == 0)
    #expect(counts.dropped == 0)
    #expect(counts.badTimestamps == 0)
    bench.finish()
    #expect(bench.camera.state == .stopped)
    #expect(bench.kernel.mappedPlanes == 0)
    #expect(bench.kernel.openDescriptors == 1)  // the wake event, which the camera keeps
    #expect(bench.kernel.hangs == 0)
  }

  @Test("a published frame is the driver's own memory") func aPublishedFrameIsTheDriversOwnMemory()
    throws
  {
    let bench = try Bench()
    #expect(bench.stream(5))
    guard let lease = Held(bench.camera.ring.newest()),
      let start = lease.frame.image.bytes.baseAddress
    else {
      Issue.record("no frame")
      return
    }
    #expect(bench.device.holds(start))
    #expect(lease.frame.timestampSource == .driver)
    let size = PixelSize(width: 1280, height: 720)
    let sent = samplePicture(UInt8(lease.frame.sequence), size: size)
    #expect(Array(lease.frame.image.bytes) == sent)
  }

  @Test("a frame in use outlives the stop") func aFrameInUseOutlivesTheStop() throws {
    let bench = try Bench()
    #expect(bench.stream(5))
    var lease = Held(bench.camera.ring.newest())
    let before = lease.map { Array($0.frame.image.bytes) }
    #expect(before != nil)
    bench.finish()
    #expect(bench.kernel.mappedPlanes == 1)
    #expect(lease.map { Array($0.frame.image.bytes) } == before)
    lease = nil
    #expect(bench.kernel.mappedPlanes == 0)
  }

  @Test("the frame nearest to a moment is chosen") func theFrameNearestToAMomentIsChosen() throws {
    let bench = try Bench()
    #expect(bench.stream(20))
    let moment = bench.kernel.clock.now - .milliseconds(70)
    guard let lease = Held(bench.camera.ring.nearest(to: moment)) else {
      Issue.record("no frame")
      return
    }
    let distance = (lease.frame.timestamp - moment).magnitude
    #expect(distance <= .milliseconds(17))
    let other = Held(bench.camera.ring.nearest(to: moment, excluding: [lease.frame.id]))
    #expect(other?.frame.id != lease.frame.id)
  }

  @Test("frames held for long are copied before the driver runs dry")
  func framesHeldForLongAreCopiedBeforeTheDriverRunsDry() throws {
    let bench = try Bench()
    var held: [Frame] = []
    for _ in 0..<40 {
      #expect(bench.stream(1))
      if held.count < 6, let lease = bench.camera.ring.newest() { held.append(lease.takeFrame()) }
      #expect(bench.device.queuedBuffers >= 1)
    }
    #expect(bench.camera.counts.framesCopied > 0)
    #expect(bench.camera.counts.dropped == 0)
    for frame in held {
      #expect(Array(frame.image.bytes.prefix(2)) == [0xFF, 0xD8])
      frame.release()
    }
  }

  @Test("any number of buffers from two up works", arguments: [2, 3, 4, 5, 32] as [UInt32])
  func anyNumberOfBuffersFromTwoUpWorks(_ granted: UInt32) throws {
    let device = Bench.mjpegCamera()
    device.grants = granted...granted
    let bench = try Bench(device)
    #expect(bench.stream(100))
    #expect(bench.camera.counts.dropped == 0)
    #expect(bench.camera.ring.count >= 3)
  }

  @Test("one buffer is refused in words") func oneBufferIsRefusedInWords() throws {
    let device = Bench.mjpegCamera()
    device.grants = 1...1
    let bench = try Bench(device)
    bench.step(5) { false }
    #expect(bench.camera.error?.message.contains("two buffers") == true)
    #expect(bench.kernel.mappedPlanes == 0)
  }

  @Test("damage is counted by reason and never published")
  func damageIsCountedByReasonAndNeverPublished() throws {
    let device = Bench.mjpegCamera { number in
      var details = ScriptedDetails()
      switch number % 5 {
      case 1:
        details.errorFlag = true
        return .picture([samplePicture()], details)
      case 2: return .picture([[]])
      case 3: return .picture([[1, 2, 3, 4]])
      default: return Bench.pictures(number)
      }
    }
    let bench = try Bench(device)
    #expect(bench.stream(20))
    let counts = bench.camera.counts
    #expect(counts.damaged(.errorFlag) > 5)
    #expect(counts.damaged(.empty) > 5)
    #expect(counts.damaged(.notPicture) > 5)
    #expect(counts.published == counts.clean)
    #expect(counts.dropped == 0)
  }

  @Test("gaps in the driver's count are counted") func gapsInTheDriversCountAreCounted() throws {
    let device = Bench.mjpegCamera { $0 % 4 == 3 ? .lost : Bench.pictures($0) }
    let bench = try Bench(device)
    #expect(bench.stream(30))
    #expect((9...10).contains(bench.camera.counts.dropped))
  }

  @Test(
    "a timestamp that cannot be right is replaced by the arrival",
    arguments: [
      ("another clock", ScriptedDetails(clock: 0)),
      ("900 ms old", ScriptedDetails(age: .milliseconds(900))),
      ("from the future", ScriptedDetails(age: .milliseconds(-200))),
    ])
  func aTimestampThatCannotBeRightIsReplacedByTheArrival(
    _ what: String, _ details: ScriptedDetails
  ) throws {
    let device = Bench.mjpegCamera { _ in .picture([samplePicture()], details) }
    let bench = try Bench(device)
    #expect(bench.stream(3))
    let lease = Held(bench.camera.ring.newest())
    #expect(lease?.frame.timestampSource == .dequeue, "\(what)")
    #expect(lease?.frame.timestamp == lease?.frame.dequeued)
  }

  @Test("a buffer that is not ours is ignored") func aBufferThatIsNotOursIsIgnored() throws {
    let device = Bench.mjpegCamera { number in
      var details = ScriptedDetails()
      if number == 4 { details.index = 77 }
      return .picture([samplePicture()], details)
    }
    let bench = try Bench(device)
    #expect(bench.stream(20))
    #expect(bench.camera.counts.badBuffers == 1)
  }

  @Test("claimed bytes beyond the buffer are held inside it")
  func claimedBytesBeyondTheBufferAreHeldInsideIt() throws {
    var details = ScriptedDetails()
    details.claimedBytes = .max
    let device = Bench.mjpegCamera { [details] _ in .picture([samplePicture()], details) }
    let bench = try Bench(device)
    #expect(bench.stream(3))
    #expect(Held(bench.camera.ring.newest())?.frame.image.bytes.count == 65536)
  }

  @Test("the first frames are passed over") func theFirstFramesArePassedOver() throws {
    let bench = try Bench(configure: { $0.skippedFrames = 3 })
    #expect(bench.stream(1))
    #expect(Held(bench.camera.ring.newest())?.frame.sequence == 3)
    #expect(bench.camera.counts.skipped == 3)
  }

  @Test("planes in buffers of their own are handed out")
  func planesInBuffersOfTheirOwnAreHandedOut() throws {
    let format = PixelFormat("NM12") ?? .nv12
    let size = PixelSize(width: 64, height: 48)
    let device = ScriptedCamera(
      [ScriptedFormat(format, [(size, [30])]) { [$0.width * $0.height, $0.width * $0.height / 2] }]
    ) { _ in .picture([[UInt8](repeating: 7, count: 3072), [UInt8](repeating: 9, count: 1536)]) }
    device.deviceCapabilities = 0x0400_1000
    let bench = try Bench(device)
    #expect(bench.stream(12))
    guard let lease = Held(bench.camera.ring.newest()) else {
      Issue.record("no frame")
      return
    }
    #expect(lease.frame.image.bytes.allSatisfy { $0 == 7 })
    #expect(lease.frame.image.second?.bytes.count == 1536)
    #expect(lease.frame.image.second?.bytes.allSatisfy { $0 == 9 } == true)
    #expect(bench.camera.counts.framesCopied == 0)
  }

  @Test("libcamera's layer gets its buffers back in order")
  func libcamerasLayerGetsItsBuffersBackInOrder() throws {
    let device = Bench.mjpegCamera()
    device.driver = "libcamera"
    let bench = try Bench(device)
    #expect(bench.stream(20))
    #expect(bench.camera.counts.framesCopied == bench.camera.counts.published)
  }

  @Test("many viewers cost one copy") func manyViewersCostOneCopy() throws {
    let bench = try Bench()
    #expect(bench.stream(5))
    let first = try #require(bench.camera.preview.newest())
    let second = try #require(bench.camera.preview.newest())
    #expect(first === second)
    #expect(bench.camera.counts.framesCopied == 1)
    #expect(bench.camera.preview.newest(after: first.id) == nil)
    #expect(bench.stream(1))
    #expect(bench.camera.preview.newest(after: first.id)?.id == first.id + 1)
  }

  private func bytes(of loan: PreviewLoan) -> [UInt8] {
    loan.parts.flatMap { Array(UnsafeRawBufferPointer(start: $0.iov_base, count: $0.iov_len)) }
  }

  @Test("a picture is lent without a copy and counts as shown")
  func aPictureIsLentWithoutACopyAndCountsAsShown() throws {
    let bench = try Bench()
    #expect(bench.stream(5))
    let id = try #require(bench.camera.ring.newestID)
    var lent: [UInt8] = []
    let wasLent = bench.camera.preview.lend { loan in
      #expect(loan.id == id)
      lent = bytes(of: loan)
    }
    #expect(wasLent)
    #expect(bench.camera.counts.framesCopied == 0)
    bench.camera.note(.badCode, in: id)
    #expect(bench.camera.counts.faultsShown == 1)
    #expect(bench.camera.preview.newest().map { Array($0.bytes) } == lent)
    let isNewer = bench.camera.preview.lend(after: id) { _ in Issue.record("lent twice") }
    #expect(!isNewer)
  }

  @Test("a caller that needs a lent picture for longer shares one copy")
  func whoNeedsALentPictureForLongerSharesOneCopy() throws {
    let bench = try Bench()
    #expect(bench.stream(5))
    var copies: [PreviewFrame] = []
    _ = bench.camera.preview.lend { loan in
      for _ in 0..<3 { if let copy = loan.copy() { copies.append(copy) } }
    }
    #expect(copies.count == 3)
    #expect(copies.allSatisfy { $0 === copies[0] })
    #expect(bench.camera.counts.framesCopied == 1)
    // The camera goes through all of its buffers while the copy is held.
    let bytes = Array(copies[0].bytes)
    #expect(bench.stream(20))
    #expect(Array(copies[0].bytes) == bytes)
  }

  @Test("a copy for viewers is repaired") func aCopyForViewersIsRepaired() throws {
    let tables: [UInt8] = [0xFF, 0xC4, 0, 3, 1]
    let gate: FrameInspector = { image in
      FrameInspection(
        verdict: .repairable, picture: 2..<image.bytes.count - 2, tablesOffset: 4, lacksEnd: true,
        size: image.size)
    }
    let device = Bench.mjpegCamera { _ in .picture([[0, 0, 0xFF, 0xD8, 5, 6, 7, 0, 0]]) }
    let bench = try Bench(device, gate: gate, configure: { $0.huffmanTables = tables })
    #expect(bench.stream(1))
    let picture = try #require(bench.camera.preview.newest())
    #expect(Array(picture.bytes) == [0xFF, 0xD8] + tables + [5, 6, 7, 0xFF, 0xD9])
    var lent: [UInt8] = []
    _ = bench.camera.preview.lend { lent = bytes(of: $0) }
    #expect(lent == Array(picture.bytes))
  }
}

extension ScriptedDetails {
  init(clock: UInt32 = 0x2000, age: Duration = .zero) {
    self.init()
    self.clock = clock
    self.age = age
  }
}
