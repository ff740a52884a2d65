import Capture
import Imaging
import Platform
import StationTestSupport
import Testing

@testable import Shots

extension FrameStage {
  var chooser: FrameChooser {
    FrameChooser(
      ring: camera.ring, system: kernel, earliest: .milliseconds(250), patience: .seconds(1),
      note: camera.note)
  }
}

/// The choice of a photo's frame, with real JPEG frames in the mappings of a scripted kernel.
@Suite struct FrameChooserTests {
  private typealias Stage = FrameStage

  private let worker = StillWorker()

  private func still(_ frame: Frame, _ acceptsWarnings: Bool) throws(StillError) -> Still {
    try worker.make(frame, orientation: Orientation(), acceptsWarnings: acceptsWarnings) {
      StillMetadata()
    }
  }

  @Test("the transform reads the driver's own memory") func theTransformReadsTheDriversOwnMemory()
    throws
  {
    let stage = try Stage(frames: 6)
    let device = stage.device
    var pointers: [UnsafeRawPointer] = []
    let choice = try stage.chooser.choose(nearest: stage.kernel.clock.now - .milliseconds(50)) {
      true
    } make: { frame, warnings throws(StillError) in
      // These bytes are passed to libjpeg-turbo without a copy.
      if let start = frame.image.bytes.baseAddress { pointers.append(start) }
      return try still(frame, warnings)
    }
    #expect(pointers.count == 1)
    #expect(pointers.allSatisfy { device.holds($0) })
    #expect(choice.still.isLossless)
    #expect(choice.still.size.isPortrait)
    #expect(stage.camera.counts.framesCopied == 0)
    #expect(stage.camera.counts.bytesCopied == 0)
  }

  @Test("the nearest frame is taken", arguments: [0, 10, 16, 20, 33, 60, 100])
  func theNearestFrameIsTaken(millisecondsAgo: Int) throws {
    let stage = try Stage(frames: 12)
    let moment = stage.kernel.clock.now - .milliseconds(millisecondsAgo)
    let choice = try stage.chooser.choose(nearest: moment) {
      true
    } make: { frame, warnings throws(StillError) in
      try still(frame, warnings)
    }
    let nearest = Held(stage.camera.ring.nearest(to: moment))
    #expect(choice.frameTime == nearest?.frame.timestamp)
    #expect((choice.frameTime - moment).magnitude <= .milliseconds(34))
    #expect(choice.rejections.isEmpty)
  }

  @Test("a frame that only its decoding shows to be damaged gives way to the next nearest")
  func aFrameThatOnlyItsDecodingShowsToBeDamagedGivesWayToTheNextNearest() throws {
    let stage = try Stage(frames: 12) { $0 % 2 == 1 }
    // Nearest to a damaged one: the newest but one.
    let held = Held(stage.camera.ring.newest())
    let newest = try #require(held)
    let isNewestDamaged = newest.frame.sequence % 2 == 1
    let moment = newest.frame.timestamp - (isNewestDamaged ? .zero : .milliseconds(33))
    let choice = try stage.chooser.choose(nearest: moment) {
      true
    } make: { frame, warnings throws(StillError) in
      try still(frame, warnings)
    }
    #expect(choice.sequence % 2 == 0)
    #expect(choice.rejections.map(\.error.code) == [.decoderWarning])
    let faults = DecoderFault.allCases.map { stage.camera.counts.decoderFaults($0) }
    #expect(faults.reduce(0, +) == 1)
    #expect(choice.still.warning == nil)
    #expect((choice.frameTime - moment).magnitude <= .milliseconds(34))
  }

  @Test("a camera whose every frame warns is still usable")
  func aCameraWhoseEveryFrameWarnsIsStillUsable() throws {
    let stage = try Stage(frames: 12) { _ in true }
    let moment = stage.kernel.clock.now - .milliseconds(40)
    let held = Held(stage.camera.ring.nearest(to: moment))
    let nearest = try #require(held)
    let choice = try stage.chooser.choose(nearest: moment) {
      true
    } make: { frame, warnings throws(StillError) in
      try still(frame, warnings)
    }
    #expect(choice.still.warning != nil)
    #expect(choice.frameTime == nearest.frame.timestamp)
  }

  @Test("an old frame is never taken") func anOldFrameIsNeverTaken() throws {
    let stage = try Stage(frames: 6)
    // The stream has stopped; the moment is long after its last frame, and the clock goes on.
    let moment = stage.kernel.clock.now + .seconds(2)
    stage.kernel.clock.advance(by: .seconds(10))
    let clock = stage.kernel.clock
    #expect(throws: StillError.self) {
      _ = try stage.chooser.choose(nearest: moment) {
        clock.advance(by: .milliseconds(100))
        return true
      } make: { frame, warnings throws(StillError) in
        Issue.record("an old frame was tried")
        return try still(frame, warnings)
      }
    }
  }

  @Test(
    "the station's frames are no older than a quarter of a second",
    arguments: [(240, true), (260, false), (2400, false)])
  func theStationsFramesAreNoOlderThanAQuarterOfASecond(
    milliseconds: Int, isTaken: Bool
  ) throws {
    let stage = try Stage(frames: 6)
    let clock = stage.kernel.clock
    let held = Held(stage.camera.ring.newest())
    let newest = try #require(held).frame.timestamp
    let moment = newest + .milliseconds(milliseconds)
    clock.advance(to: moment)
    // As the station makes one, with its own limit.
    let chooser = FrameChooser(stage.camera, system: stage.kernel, patience: .seconds(1))
    var taken: MonotonicTime?
    do {
      let choice = try chooser.choose(nearest: moment) {
        clock.advance(by: .milliseconds(100))
        return true
      } make: { frame, warnings throws(StillError) in
        try still(frame, warnings)
      }
      taken = choice.frameTime
    } catch {}
    #expect(taken == (isTaken ? newest : nil))
  }

  @Test("a discarded candidate is not worked on") func aDiscardedCandidateIsNotWorkedOn() throws {
    let stage = try Stage(frames: 6)
    #expect(throws: StillError.noFrame) {
      _ = try stage.chooser.choose(nearest: stage.kernel.clock.now) {
        false
      } make: { frame, warnings throws(StillError) in
        try still(frame, warnings)
      }
    }
  }
}
