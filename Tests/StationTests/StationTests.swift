import FoundationEssentials
import Glibc
import ImagePicker
import Platform
import Testing

@testable import Station

extension WholeStationTests {
  /// Whole stations with the demo camera and a library in a directory of their own.
  @Suite(.serialized) struct StationTests {
    @MainActor @Test("a pick from the camera gives a durable photo")
    func aPickFromTheCameraGivesADurablePhoto() async throws {
      let place = try Place()
      let station = try place.station()
      try await station.startForTest()
      #expect(ImagePickerController.isSourceTypeAvailable(.camera))
      #expect(ImagePickerController.isSourceTypeAvailable(.photoLibrary))
      #expect(ImagePickerController.isSourceTypeAvailable(.savedPhotosAlbum))
      #expect(ImagePickerController.authorizationStatus(for: .camera) == .authorized)
      #expect(ImagePickerController.authorizationStatus(for: .library) == .authorized)
      async let picked = station.pick(PickRequest(source: .camera))
      await station.press()
      await station.accept()
      guard case .finished(let media) = try await picked, let first = media.first else {
        Issue.record("nothing was picked")
        return await station.stop()
      }
      let url = try #require(first.imageURL)
      #expect(url.path.hasSuffix("/booth/IMG_00000001.jpg"))
      #expect(try Data(contentsOf: url) == first.originalImage?.jpegData)
      #expect(first.originalImage.map { $0.size.height > $0.size.width } == true)
      await station.stop()
    }

    @MainActor @Test("a cancelled task cancels the session and leaves nothing")
    func aCancelledTaskCancelsTheSessionAndLeavesNothing() async throws {
      let place = try Place()
      let station = try place.station()
      try await station.startForTest()
      let pick = Task { try await station.pick(PickRequest(source: .camera)) }
      await station.press()
      pick.cancel()
      guard case .cancelled = try await pick.value else {
        Issue.record("the pick was not cancelled")
        return await station.stop()
      }
      await station.stop()
      let files = try FileManager.default.contentsOfDirectory(atPath: "\(place.path)/photos/booth")
      #expect(files.filter { $0.hasSuffix(".jpg") } == [])
    }

    @MainActor @Test("a second presentation is refused") func aSecondPresentationIsRefused()
      async throws
    {
      let place = try Place()
      let station = try place.station()
      try await station.startForTest()
      let picker = ImagePickerController()
      picker.sourceType = .camera
      try await station.present(picker)
      await #expect(throws: PickerError.self) {
        _ = try await station.pick(PickRequest(source: .camera))
      }
      picker.dismiss()
      await station.stop()
    }

    @Test("an unattended session reports its photo") func anUnattendedSessionReportsItsPhoto()
      async throws
    {
      let place = try Place()
      let station = try place.station()
      try await station.startForTest()
      let report = try await station.takePhoto()
      #expect(access(report.path, R_OK) == 0)
      // Not a frame period: a busy machine leaves frames out. Never an old one, though.
      #expect(report.deltaMilliseconds.magnitude <= 250)
      #expect(station.status.camera.framesCopied == 0)
      await station.stop()
    }

    @Test("the camera's delay puts the frame later and is taken off in the report")
    func theCamerasDelayPutsTheFrameLaterAndIsTakenOffInTheReport() async throws {
      let place = try Place()
      let station = try place.station {
        $0.camera.device = "demo"
        $0.camera.delay = .milliseconds(700)
      }
      try await station.startForTest()
      let report = try await station.takePhoto()
      #expect(report.deltaMilliseconds.magnitude <= 250)
      let later = Double(report.frameNanoseconds - report.momentNanoseconds) / 1e6
      #expect((450...950).contains(later))
      await station.stop()
    }

    @Test("a station that was stopped does not start again")
    func aStationThatWasStoppedDoesNotStartAgain() async throws {
      let place = try Place()
      let station = try place.station()
      await station.stop()
      do throws(StationError) {
        try await station.start()
        Issue.record("it started")
      } catch {
        #expect(error.message.contains("make another one"))
      }
    }

    @Test("a library that cannot be opened ends the start with a reason and a fix")
    func aLibraryThatCannotBeOpenedEndsTheStartWithAReasonAndAFix() async throws {
      let place = try Place()
      let station = try place.station { $0.libraryPath = "/proc/nowhere/photos" }
      await #expect(throws: StationError.self) { try await station.startForTest() }
    }
  }
}
