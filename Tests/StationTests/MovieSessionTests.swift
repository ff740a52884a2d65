import FoundationEssentials
import ImagePicker
import Platform
import StationTestSupport
import Testing

@testable import Station

extension WholeStationTests {
  /// Movies through the picker's interface, with the demo camera.
  @Suite(.serialized) struct MovieSessionTests {
    @MainActor private final class Delegate: ImagePickerControllerDelegate {
      var results: [PickedMedia]?

      func imagePickerController(
        _ picker: ImagePickerController,
        didFinishPickingMediaWithInfo info: [ImagePickerController.InfoKey: Any]
      ) {}

      func imagePickerController(
        _ picker: ImagePickerController, didFinishPicking results: [PickedMedia]
      ) {
        self.results = results
        picker.dismiss()
      }
    }

    @MainActor private func moviePicker(_ station: Station) async throws -> ImagePickerController {
      try await station.startForTest()
      try await station.waitUntilReadyForMovies(timeout: .seconds(30))
      #expect(ImagePickerController.availableMediaTypes(for: .camera) == [.image, .movie])
      let picker = ImagePickerController()
      picker.sourceType = .camera
      picker.mediaTypes = [.image, .movie]
      picker.cameraCaptureMode = .video
      return picker
    }

    private func frames(_ count: Int, of station: Station) async {
      await pause(while: { station.status.state == "live" })
      // A movie that ended by itself gets no more: what follows then fails, and says so.
      while (station.status.movies?.frames ?? 0) < count, station.status.state == "recording" {
        await pause()
      }
    }

    @MainActor @Test("a movie is picked with a photo that was taken meanwhile")
    func aMovieIsPickedWithAPhotoThatWasTakenMeanwhile() async throws {
      let place = try Place()
      let station = try place.station { $0.movie.codec = .copy }
      let picker = try await moviePicker(station)
      let delegate = Delegate()
      picker.delegate = delegate
      #expect(picker.videoMaximumDuration == .seconds(10))
      try await station.present(picker, as: .headless)
      await station.reach("live")
      #expect(picker.startVideoCapture())
      await station.reach("recording")
      #expect(!picker.startVideoCapture())
      await frames(3, of: station)
      // A second press within 0.8 s is a bounce.
      try await Task.sleep(for: .milliseconds(820))
      picker.takePicture()
      await frames(6, of: station)
      picker.stopVideoCapture()
      await station.reach("reviewing")
      let movie = try #require(station.reviewMovie)
      let file = try movie.open()
      var head = [UInt8](repeating: 0, count: 8)
      let count = head.withUnsafeMutableBytes { file.system.pread(file.number, $0, 0) }
      #expect(count == 8 && head[4...].elementsEqual("ftyp".utf8))
      let before = try FileManager.default.contentsOfDirectory(atPath: place.album)
      #expect(before == [])
      await station.accept()
      await pause(while: { delegate.results == nil })
      let results = try #require(delegate.results)
      #expect(results.map(\.mediaType) == [.movie, .image])
      let url = try #require(results[0].mediaURL)
      #expect(url.path.hasSuffix("/IMG_00000001.mp4"))
      #expect(try Data(contentsOf: url).count == movie.bytes)
      #expect(results[1].imageURL?.path.hasSuffix("/IMG_00000002.jpg") == true)
      // The photo is its file, and the movie's file is not held any more.
      let photo = try #require(results[1].originalImage)
      let saved = try #require(results[1].imageURL)
      #expect(photo.bytesInMemory == 0)
      #expect(try photo.load() == Data(contentsOf: saved))
      await pause(while: { station.movies.movie(of: movie.candidate) != nil })
      await station.stop()
    }

    @MainActor @Test("frames are copied only while a session may take movies")
    func framesAreCopiedOnlyWhileASessionMayTakeMovies() async throws {
      let place = try Place()
      let station = try place.station { $0.movie.codec = .copy }
      let picker = try await moviePicker(station)
      #expect(station.status.movies?.framesCopied == 0)
      try await station.present(picker, as: .headless)
      await station.reach("live")
      await pause(while: { station.status.movies?.framesCopied == 0 })
      picker.dismiss()
      await station.reach("idle")
      let copied = station.status.movies?.framesCopied ?? 0
      let published = station.status.camera.framesPublished
      await pause(while: { station.status.camera.framesPublished < published + 5 })
      #expect((station.status.movies?.framesCopied ?? 0) <= copied + 1)
      #expect(station.status.camera.framesCopied == 0)
      await station.stop()
    }

    @MainActor @Test("the camera's delay moves both ends of a movie")
    func theCamerasDelayMovesBothEndsOfAMovie() async throws {
      let delay = Duration.milliseconds(400)
      let place = try Place()
      let station = try place.station {
        $0.movie.codec = .copy
        $0.movie.preroll = .zero
        var camera = Configuration.Camera()
        camera.delay = delay
        $0.cameras["demo"] = camera
      }
      let picker = try await moviePicker(station)
      try await station.present(picker, as: .headless)
      await station.reach("live")
      let began = station.system.monotonicTime()
      #expect(picker.startVideoCapture())
      await frames(3, of: station)
      let stopped = station.system.monotonicTime()
      picker.stopVideoCapture()
      await station.reach("reviewing")
      let report = try #require(station.reviewMovie).report
      #expect(report.startNanoseconds >= (began + delay).nanoseconds)
      // A frame's time may lie between the stop and the last frame.
      let last = MonotonicTime(nanoseconds: report.lastNanoseconds)
      #expect(last > stopped + delay - .milliseconds(150))
      picker.dismiss()
      await station.reach("idle")
      await station.stop()
    }

    @MainActor @Test("a camera that is lost ends the movie with what there is")
    func aCameraThatIsLostEndsTheMovieWithWhatThereIs() async throws {
      let place = try Place()
      let station = try place.station { $0.movie.codec = .copy }
      let picker = try await moviePicker(station)
      try await station.present(picker, as: .headless)
      await station.reach("live")
      #expect(picker.startVideoCapture())
      await frames(3, of: station)
      station.movies.cameraLost()
      await station.reach("reviewing")
      #expect(station.reviewMovie?.report.end == "camera-lost")
      #expect(station.status.lastRefusal != nil)
      picker.dismiss()
      await station.reach("idle")
      // Nothing of a discarded movie is left, and its pool is idle.
      #expect(try FileManager.default.contentsOfDirectory(atPath: place.album) == [])
      await station.stop()
    }

    @MainActor @Test("a picker's own maximum counts the time before the press")
    func aPickersOwnMaximumCountsTheTimeBeforeThePress() async throws {
      let place = try Place()
      let station = try place.station { $0.movie.codec = .copy }
      let picker = try await moviePicker(station)
      picker.videoMaximumDuration = .milliseconds(1_200)
      try await station.present(picker, as: .headless)
      await station.reach("live")
      // More than the pre-roll's frames are there.
      let before = station.status.movies?.framesCopied ?? 0
      await pause(while: { (station.status.movies?.framesCopied ?? 0) < before + 35 })
      #expect(picker.startVideoCapture())
      await station.reach("reviewing")
      let report = try #require(station.reviewMovie).report
      #expect(report.durationMilliseconds <= 1_250)
      #expect(report.end == "maximum")
      picker.dismiss()
      await station.reach("idle")
      await station.stop()
    }

    @MainActor @Test("a movie that is too long is refused before anything is presented")
    func aMovieThatIsTooLongIsRefusedBeforeAnythingIsPresented() async throws {
      let place = try Place()
      let station = try place.station {
        $0.movie.codec = .copy
        $0.movie.maximum = .seconds(5)
      }
      let picker = try await moviePicker(station)
      for duration in [Duration.zero, .seconds(6)] {
        picker.videoMaximumDuration = duration
        await #expect(throws: PickerError.self) { try await station.present(picker) }
      }
      await station.stop()
    }
  }
}
