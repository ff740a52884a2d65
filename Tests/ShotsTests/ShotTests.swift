import Capture
import FoundationEssentials
import Imaging
import PhotoLibrary
import Platform
import Shots
import StationTestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ShotTests {
  @Test("the nearest frame is made a still with its offset")
  func theNearestFrameIsMadeAStillWithItsOffset() async throws {
    let stage = try FrameStage(frames: 12)
    let held = Held(stage.camera.ring.newest())
    let newest = try #require(held).frame.timestamp
    let shot = try await stage.camera.still(nearest: newest - .milliseconds(5))
    #expect(shot.time == newest)
    #expect(shot.offset == .milliseconds(5))
    #expect(shot.rejected == [])
    #expect(shot.mode.size == FrameStage.size)
    #expect(shot.still.isLossless)
    #expect(shot.still.size.width < shot.still.size.height)
  }

  @Test("damaged frames are passed over and named")
  func damagedFramesAreSkippedAndNamed() async throws {
    let stage = try FrameStage(frames: 12) { $0 % 2 == 1 }
    let held = Held(stage.camera.ring.newest())
    let newest = try #require(held).frame
    let isNewestDamaged = newest.sequence % 2 == 1
    let moment = newest.timestamp - (isNewestDamaged ? .zero : .milliseconds(33))
    let shot = try await stage.camera.still(nearest: moment)
    #expect(shot.rejected.map(\.code) == [.decoderWarning])
    #expect(shot.still.warning == nil)
  }

  @Test("without a frame it says so") func withoutAFrameItSaysSo() async throws {
    let stage = try FrameStage(frames: 0)
    await #expect(throws: StillError.noFrame) {
      _ = try await stage.camera.still(nearest: stage.kernel.clock.now, patience: .zero)
    }
  }

  @Test("a cancelled task gets no still") func aCancelledTaskGetsNoStill() async throws {
    let stage = try FrameStage(frames: 6)
    let camera = stage.camera
    let moment = stage.kernel.clock.now
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await camera.still(nearest: moment)
    }
    await #expect(throws: CancellationError.self) { _ = try await task.value }
  }

  @Test("metadata is honest by default") func metadataIsHonestByDefault() throws {
    #expect(!StillMetadata().lacksClock)
    let stage = try FrameStage(frames: 2)
    let held = Held(stage.camera.ring.newest())
    let frame = try #require(held).frame
    let camera = CameraIdentity(name: "Webcam", serial: "7")
    let metadata = StillMetadata(of: frame, camera: camera, software: "grab 1.0")
    #expect(metadata.model == "Webcam")
    #expect(metadata.serial == "7")
    #expect(metadata.make == nil)
    #expect(metadata.software == "grab 1.0")
    #expect(metadata.frameTime == frame.timestamp)
    #expect(metadata.lacksClock == !WallClock.isSet)
    #expect(metadata.date == nil || WallClock.isSet)
  }

  @Test("the demo camera needs no plumbing") func theDemoCameraNeedsNoPlumbing() async throws {
    let camera = try await Camera.open(.demo)
    let shot = try await camera.still()
    #expect(shot.still.isLossless)
    #expect(shot.metadata.model == "demo")
    await camera.stop()
    #expect(camera.state == .stopped)
  }

  @Test("a camera that is not there is an error and leaves nothing open")
  func aCameraThatIsNotThereIsAnErrorAndLeavesNothingOpen() async throws {
    do {
      _ = try await Camera.open(.device("/dev/video-none"), timeout: .seconds(20))
      Issue.record("it was opened")
    } catch {
      #expect(error.code == .noCamera)
    }
  }

  @Test("live pictures are each newer and end with the camera")
  func livePicturesAreEachNewerAndEndWithTheCamera() async throws {
    let camera = try await Camera.open(.demo)
    var numbers: [FrameID] = []
    for await picture in camera.preview.pictures {
      numbers.append(picture.id)
      if numbers.count == 3 { await camera.stop() }
    }
    #expect(numbers.count == 3)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test("a consumer that works long misses pictures") func aConsumerThatWorksLongMissesPictures()
    async throws
  {
    let stage = try FrameStage(frames: 4)
    var pictures = stage.camera.preview.pictures.makeAsyncIterator()
    let first = try #require(await pictures.next()).id
    for _ in 0..<1000 where stage.camera.counts.published < 9 { stage.step() }
    let second = try #require(await pictures.next()).id
    #expect(second == stage.camera.ring.newestID)
    #expect(second > first + 1)
  }

  @Test("a still is saved without its parts") func aStillIsSavedWithoutItsParts() async throws {
    let root = "/var/tmp/retake-shots-\(UInt64.random(in: .min ... .max))"
    defer { try? FileManager.default.removeItem(atPath: root) }
    let stage = try FrameStage(frames: 6)
    let shot = try await stage.camera.still(nearest: stage.kernel.clock.now)
    let library = try await PhotoLibrary.open(LibraryConfiguration(root: root, album: "party"))
    let photo = try await library.save(shot.still)
    #expect(try Data(contentsOf: URL(fileURLWithPath: photo.path)) == Data(shot.still.bytes()))
    let listed = try await library.photos()
    #expect(listed == [photo])
    #expect(photo.date != nil)
    do {
      _ = try await PhotoLibrary.open(LibraryConfiguration(root: root, album: "party"))
      Issue.record("a second program has it, too")
    } catch {
      #expect(error.code == .inUse)
      #expect(!error.message.contains("library.path"))
      #expect(error.fix?.contains("'library.path'") == true)
    }
  }
}
