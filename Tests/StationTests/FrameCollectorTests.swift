import ImagePicker
import Imaging
import Media
import Platform
import Shots
import StationTestSupport
import Synchronization
import Testing

@testable import Capture
@testable import Station

/// The frames around a press, copied out of the ring of a camera on a scripted kernel.
@Suite struct FrameCollectorTests {
  private func collector(_ stage: FrameStage, budget: Int = MemoryBudget.reviewFrames)
    -> FrameCollector
  {
    FrameCollector(
      ring: stage.camera.ring, system: stage.kernel, patience: .seconds(1), budget: budget)
  }

  /// The sequences of the frames in the ring, oldest first.
  private func ring(_ stage: FrameStage) -> [UInt32] {
    var sequences: [UInt32] = []
    var last: FrameID = 0
    while let lease = stage.camera.ring.frame(following: last, timeout: .zero) {
      sequences.append(lease.frame.sequence)
      last = lease.frame.id
    }
    return sequences
  }

  private func time(_ stage: FrameStage, back: Int) throws -> MonotonicTime {
    let newestHeld = Held(stage.camera.ring.newest())
    let newest = try #require(newestHeld)
    return newest.frame.timestamp - .microseconds(33_333 * back)
  }

  @Test(
    "are the nearest with as many before it as after, oldest first",
    arguments: [
      // How many frames before the newest the moment is, how many are wanted, and which come:
      // counted from the newest one backwards.
      (2, 5, [4, 3, 2, 1, 0]), (2, 4, [4, 3, 2, 1]), (2, 3, [3, 2, 1]), (2, 2, [3, 2]),
      (2, 1, [2]), (1, 5, [3, 2, 1, 0]), (0, 5, [2, 1, 0]), (3, 5, [4, 3, 2, 1]),
      (4, 5, [4, 3, 2]), (2, 0, [2]),
    ])
  func neighbours(back: Int, count: Int, expected: [Int]) throws {
    let stage = try FrameStage(frames: 12)
    let all = ring(stage)
    #expect(all.count == 5)
    let moment = try time(stage, back: back)
    let copies = collector(stage).collect(around: moment, count: count) { true }
    let newest = try #require(all.last)
    #expect(copies.map { Int(newest - $0.sequence) } == expected)
    #expect(copies.map(\.timestamp) == copies.map(\.timestamp).sorted())
  }

  @Test("are copies: the camera has all its buffers, and the pictures outlive them")
  func copies() throws {
    let stage = try FrameStage(frames: 12)
    let whole = SampleFrames.jpeg(FrameStage.size, .s422)
    let before = stage.camera.counts
    let moment = try time(stage, back: 2)
    let copies = collector(stage).collect(around: moment, count: 5) { true }
    #expect(copies.count == 5)
    for copy in copies {
      let isTheDrivers = copy.image.bytes.baseAddress.map { stage.device.holds($0) } ?? true
      #expect(!isTheDrivers)
      #expect(copy.byteCount == whole.count)
    }
    for _ in 0..<1000 where stage.camera.counts.published < 60 { stage.step() }
    let after = stage.camera.counts
    #expect(after.published >= 60)
    // Nothing was copied on the capture thread, and no frame was lost for want of a buffer.
    #expect(after.framesCopied == before.framesCopied)
    #expect(after.starved == before.starved)
    #expect(copies.allSatisfy { Array($0.image.bytes) == whole })
  }

  @Test(
    "are whole pictures without what lay around them",
    arguments: [(0, false), (4096, false), (0, true)])
  func repaired(padding: Int, lacksEnd: Bool) throws {
    let whole = SampleFrames.jpeg(FrameStage.size, .s422)
    let bytes = (lacksEnd ? whole.dropLast(1) : whole[...]) + [UInt8](repeating: 0, count: padding)
    let frame = Frame(
      slot: 0, memory: FrameMemory(heap: bytes.count),
      returns: try ReturnSignal(system: LinuxSystemCalls()))
    frame.memory.bytes.copyBytes(from: bytes)
    frame.image = FrameImage(
      bytes: UnsafeRawBufferPointer(frame.memory.bytes), format: .mjpeg, size: FrameStage.size,
      bytesPerLine: 0)
    frame.inspection = FrameGate.inspect(frame.image)
    #expect(frame.inspection.lacksEnd == lacksEnd)
    let copy = FrameCopy(frame)
    #expect(Array(copy.image.bytes) == whole)
    #expect(copy.byteCount == whole.count)
    #expect(FrameGate.inspect(copy.image).verdict == .clean)
    #expect(copy.inspection.picture == 0..<whole.count)
  }

  @Test("make the same still as the frame itself, without loss")
  func lossless() throws {
    let stage = try FrameStage(frames: 12)
    let moment = try time(stage, back: 2)
    let copies = collector(stage).collect(around: moment, count: 5) { true }
    let copy = try #require(copies.first)
    let worker = StillWorker()
    let still = try worker.make(
      copy, orientation: Orientation(), acceptsWarnings: false, metadata: StillMetadata())
    let inRing = Held(stage.camera.ring.nearest(to: copy.timestamp))
    let held = try #require(inRing)
    #expect(held.frame.id == copy.id)
    let own = try worker.make(held.frame, orientation: Orientation()) { StillMetadata() }
    #expect(still.isLossless)
    #expect(still.bytes() == own.bytes())
  }

  @Test(
    "that are too large together are the nearest of them",
    arguments: [(5, [4, 3, 2, 1, 0]), (4, [3, 2, 1, 0]), (3, [3, 2, 1]), (1, [2]), (0, [])])
  func budget(fits: Int, expected: [Int]) throws {
    let stage = try FrameStage(frames: 12)
    let bytes = SampleFrames.jpeg(FrameStage.size, .s422).count
    let moment = try time(stage, back: 2)
    let copies = collector(stage, budget: bytes * fits + bytes / 2).collect(
      around: moment, count: 5
    ) { true }
    let newest = try #require(ring(stage).last)
    let found = copies.map { Int(newest - $0.sequence) }
    // Of two frames at the same distance, either may be kept.
    #expect(found.count == expected.count)
    #expect(found.isEmpty || found.contains(2))
    #expect(copies.reduce(0) { $0 + $1.byteCount } <= bytes * fits + bytes / 2)
  }

  @Test("from before a gap in the stream are of another moment, and left out")
  func gap() throws {
    let stage = try FrameStage(frames: 12)
    stage.kernel.clock.advance(by: .seconds(2))
    let known = stage.camera.counts.published
    for _ in 0..<1000 where stage.camera.counts.published < known + 2 { stage.step() }
    let moment = try time(stage, back: 0)
    let copies = collector(stage).collect(around: moment, count: 5) { true }
    #expect(!copies.isEmpty)
    for copy in copies {
      #expect((copy.timestamp - moment).magnitude <= FrameCollector.reach)
    }
  }

  @Test("are not collected for a guest who has gone, nor from a camera without frames")
  func unwanted() throws {
    let stage = try FrameStage(frames: 12)
    let moment = try time(stage, back: 2)
    #expect(collector(stage).collect(around: moment, count: 5) { false }.isEmpty)
    let clock = stage.kernel.clock
    let none = collector(stage).collect(around: clock.now + .seconds(2), count: 5) {
      clock.advance(by: .milliseconds(500))
      return true
    }
    #expect(none.isEmpty)
  }
}

/// Which of the collected frames are offered.
@Suite struct FrameShelfTests {
  private let candidate = CandidateID(rawValue: 1)

  /// Collects around the frame two before the newest, and offers; nil where nothing is.
  private func offer(
    _ stage: FrameStage, on shelf: FrameShelf, excluding excluded: Set<FrameID> = [],
    accepts: Bool = false, note: @escaping @Sendable (FrameID) -> Void = { _ in }
  ) async throws -> ReviewFrames? {
    let newestHeld = Held(stage.camera.ring.newest())
    let newest = try #require(newestHeld)
    let moment = newest.frame.timestamp - .microseconds(66_666)
    let nearestHeld = Held(stage.camera.ring.nearest(to: moment))
    let nearest = try #require(nearestHeld)
    shelf.collect(for: candidate, from: stage.camera, around: moment, count: 5)
    let taken = FrameShelf.Taken(
      frame: nearest.frame.id, excluded: excluded, acceptsWarnings: accepts,
      orientation: Orientation(), moment: moment)
    let (offers, queue) = AsyncStream.makeStream(of: ReviewFrames.self)
    shelf.offer(for: candidate, taken, note: { note($1) }) { queue.yield($0) }
    // Everything that was asked for is done when the thread has ended.
    await shelf.settle()
    queue.finish()
    var offered: ReviewFrames?
    for await frames in offers { offered = frames }
    return offered
  }

  @Test("is every frame with a small upright picture of it, until the guest has decided")
  func offers() async throws {
    let stage = try FrameStage(frames: 12)
    let shelf = try FrameShelf(system: stage.kernel)
    let frames = try #require(try await offer(stage, on: shelf))
    #expect(frames.count == 5)
    #expect(frames.nearest == 2)
    #expect(frames.offsets[2].magnitude < .milliseconds(1))
    #expect(frames.offsets.sorted() == frames.offsets)
    let kept = try #require(shelf.offer(for: candidate))
    for entry in kept.entries {
      let size = try PictureEditor.size(of: entry.thumbnail.bytes)
      #expect(size.height > size.width && size.height <= FrameShelf.thumbnailSize.height)
    }
    shelf.forget(candidate)
    #expect(shelf.offer(for: candidate) == nil)
    #expect(shelf.count == 0)
    shelf.close(within: .seconds(10))
  }

  @Test("leaves out frames that only their decoding shows to be damaged, and tells of them")
  func damaged() async throws {
    // The nearest, at an even distance from the newest one, is whole.
    let stage = try FrameStage(frames: 12) { $0 % 2 == 0 }
    let newestHeld = Held(stage.camera.ring.newest())
    let newest = try #require(newestHeld)
    let isNewestDamaged = newest.frame.sequence % 2 == 0
    if isNewestDamaged { stage.step() }
    let shelf = try FrameShelf(system: stage.kernel)
    let noted = Mutex<[FrameID]>([])
    let frames = try await offer(stage, on: shelf) { id in noted.withLock { $0.append(id) } }
    let damaged = noted.withLock { $0 }
    #expect(!damaged.isEmpty)
    if let frames {
      let kept = try #require(shelf.offer(for: candidate))
      #expect(kept.entries.allSatisfy { !damaged.contains($0.copy.id) })
      #expect(frames.count + damaged.count == 5)
    }
    shelf.close(within: .seconds(10))
  }

  @Test("offers the frames of a camera whose every frame warns, where its photo is of such a one")
  func allWarn() async throws {
    let stage = try FrameStage(frames: 12) { _ in true }
    let shelf = try FrameShelf(system: stage.kernel)
    #expect(try await offer(stage, on: shelf, accepts: true)?.count == 5)
    shelf.forget(candidate)
    #expect(try await offer(stage, on: shelf) == nil)
    // Frames that no guest can choose are not kept.
    #expect(shelf.count == 0)
    shelf.close(within: .seconds(10))
  }

  @Test("keeps nothing for a guest who has gone meanwhile")
  func gone() async throws {
    let stage = try FrameStage(frames: 12)
    let shelf = try FrameShelf(system: stage.kernel)
    let moment = stage.kernel.clock.now - .milliseconds(50)
    shelf.collect(for: candidate, from: stage.camera, around: moment, count: 5)
    shelf.forget(candidate)
    await shelf.settle()
    #expect(shelf.count == 0)
    shelf.close(within: .seconds(10))
  }
}
