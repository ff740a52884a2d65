import FoundationEssentials
import ImagePicker
import Imaging
import Platform
import StationTestSupport
import Testing

@testable import Station

extension WholeStationTests {
  /// Reviews in which the guest chooses another frame, on whole stations.
  @Suite(.serialized) struct ChosenFrameTests {
    private let place: Place
    private let station: Station

    init() async throws {
      let place = try Place()
      self.place = place
      station = try place.station()
      try await station.startForTest()
    }

    private func review() async throws -> ReviewFrames {
      // A busy machine may draw no second frame around a press, and then none is offered.
      for _ in 0..<10 {
        await station.trigger(.shutter, source: "test")
        await station.reach("reviewing")
        for _ in 0..<1000 where station.status.state == "reviewing" {
          if let frames = await station.core.machine.state.frames { return frames }
          await pause()
        }
        station.send(.cancel)
        await station.reach("idle")
      }
      return try #require(await station.core.machine.state.frames)
    }

    private var candidate: CandidateID {
      get async { await station.core.machine.state.candidate ?? CandidateID(rawValue: 0) }
    }

    private func files() -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: place.album)) ?? []).sorted()
    }

    @Test("the frame that is accepted is saved without loss, alone, with its own date")
    func chosen() async throws {
      try await station.waitUntilReady(timeout: .seconds(30))
      let frames = try await review()
      let candidate = await candidate
      let other = frames.nearest == 0 ? frames.count - 1 : 0
      let near = try #require(station.store.still(of: candidate))
      #expect(near.frame == frames.nearest)
      let offer = try #require(station.store.shelf.offer(for: candidate))
      let copy = offer.entries[other].copy
      // Through all of them and past: only the last wish counts.
      for index in frames.offsets.indices { station.send(.chooseFrame(.index(index))) }
      station.send(.chooseFrame(.index(other)))
      await pause(while: { await station.core.machine.state.frames?.isReady != true })
      let shown = try #require(station.store.still(of: candidate))
      #expect(shown.frame == other)
      #expect(shown.still.isLossless)
      #expect(shown.still.size == near.still.size)
      #expect(shown.still.bytes() != near.still.bytes())
      #expect(station.status.frames?.chosen == other)
      await station.accept()
      await station.reach("finished")
      let report = try #require(station.status.lastPhoto)
      #expect(report.framesFromNearest == other - frames.nearest)
      #expect(report.frameNanoseconds == copy.timestamp.nanoseconds)
      #expect(report.sequence == copy.sequence)
      let offset = frames.offsets[other].milliseconds
      #expect(abs(report.deltaMilliseconds - offset) < 0.01)
      #expect(files() == ["IMG_00000001.jpg"])
      let saved = try Data(contentsOf: URL(fileURLWithPath: report.path))
      #expect(Array(saved) == shown.still.bytes())
      // A choice of the guest's says nothing of how near the station came.
      #expect(station.status.deltas == DeltaHistogram())
      #expect(station.store.shelf.count == 0)
      await station.stop()
    }

    @Test("going back to the nearest frame saves what would have been saved anyhow")
    func back() async throws {
      try await station.waitUntilReady(timeout: .seconds(30))
      let frames = try await review()
      let candidate = await candidate
      let near = try #require(station.store.still(of: candidate)).still.bytes()
      await station.trigger(.next, source: "test")
      await pause(while: { await station.core.machine.state.frames?.isReady != true })
      let reply = await station.trigger(.previous, source: "test")
      #expect(reply.text.hasSuffix("frame \(frames.nearest + 1) of \(frames.count)"))
      await station.accept()
      await station.reach("finished")
      let report = try #require(station.status.lastPhoto)
      #expect(report.framesFromNearest == 0)
      let saved = try Data(contentsOf: URL(fileURLWithPath: report.path))
      #expect(Array(saved) == near)
      #expect(files() == ["IMG_00000001.jpg"])
      await station.stop()
    }

    @Test("a cancelled review leaves nothing, and a picker that wants no frames gets none")
    func nothing() async throws {
      try await station.waitUntilReady(timeout: .seconds(30))
      _ = try await review()
      station.send(.chooseFrame(.next))
      station.send(.cancel)
      await station.reach("cancelled")
      await station.worker.run {}
      #expect(files() == [])
      #expect(station.store.shelf.count == 0)
      station.send(.cancel)
      await station.reach("idle")
      var request = PickRequest(source: .camera)
      request.reviewFrames = 1
      let picked = station.picking(request)
      await station.press()
      await station.reach("reviewing")
      #expect(station.store.shelf.count == 0)
      let reply = await station.trigger(.next, source: "test")
      #expect(!reply.isAccepted)
      #expect(reply.text.contains("[review] frames"))
      await station.trigger(.cancel, source: "test")
      _ = try? await picked.value
      await station.stop()
    }
  }
}
