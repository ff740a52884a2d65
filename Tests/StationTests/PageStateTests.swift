import FoundationEssentials
import ImagePicker
import KioskServer
import Platform
import StationTestSupport
import Testing

@testable import Station

extension Station {
  /// Waits until photos go to that album.
  fileprivate func reachAlbum(_ album: String) async {
    await pause(while: { configuration.album != album })
  }

  fileprivate var shownPage: KioskState { get async { await page.state() } }
}

extension WholeStationTests {
  /// Tests of the page of a whole station.
  @Suite(.serialized) struct PageStateTests {
    @MainActor
    @Test(
      "a presented session is shown in its form, with the buttons that it wants",
      arguments: zip(
        ImagePickerController.PresentationStyle.allCases, [true, false, false, true]))
    func presentation(
      _ style: ImagePickerController.PresentationStyle, _ showsControls: Bool
    ) async throws {
      let place = try Place()
      let station = try place.station()
      try await station.startForTest()
      let picker = ImagePickerController()
      picker.sourceType = .camera
      picker.showsCameraControls = showsControls
      try await station.present(picker, as: style)
      await station.reach("live")
      var page = await station.shownPage
      #expect(page.presentation == "\(style)")
      #expect(page.showsCameraControls == showsControls)
      picker.dismiss()
      await station.reach("idle")
      page = await station.shownPage
      #expect(page.presentation == "fullScreen" && page.showsCameraControls)
      // A guest's own session has nothing of it.
      await station.trigger(.shutter, source: "test")
      await station.reach("reviewing")
      page = await station.shownPage
      #expect(page.presentation == "fullScreen" && page.showsCameraControls)
      await station.stop()
    }

    private func ask(
      _ event: PickerMachine.Event, _ web: WebStation, session: SessionID? = nil
    ) async -> KioskReply {
      await withCheckedContinuation { done in
        web.send(event, session: session) { done.resume(returning: $0) }
      }
    }

    @Test("a movie is recorded, seen, kept and listed by the page")
    func movie() async throws {
      let place = try Place()
      let station = try place.station { $0.movie.codec = .copy }
      try await station.startForTest()
      try await station.waitUntilReadyForMovies(timeout: .seconds(30))
      let web = WebStation(station)
      let settings = await station.shownPage.settings
      #expect(settings.modes == ["photo", "movie"] && settings.movieSeconds == 10)
      guard case .done = await ask(.startRecording, web) else {
        Issue.record("not recorded")
        return
      }
      await station.reach("recording")
      let session = try #require(await station.shownPage.snapshot.session)
      while station.status.state == "recording", (station.status.movies?.frames ?? 0) < 5 {
        await pause()
      }
      _ = await ask(.stopRecording, web, session: session)
      await station.reach("reviewing")
      let file = try #require(try web.reviewMovie(of: session))
      #expect(file.type == "video/mp4" && file.size == station.reviewMovie?.bytes)
      #expect(try web.reviewMovie(of: SessionID(rawValue: session.rawValue + 1)) == nil)
      #expect(web.review(of: session, frame: nil) == nil)
      await station.accept()
      await station.reach("finished")
      var listed: [KioskPhoto] = []
      while listed.first?.duration == nil {
        listed = try web.photos(before: nil, limit: 10, album: nil).photos
        try await Task.sleep(for: .milliseconds(20))
      }
      let photo = try #require(listed.first)
      #expect(listed.count == 1 && photo.isMovie && photo.name == "IMG_00000001.mp4")
      let small = try #require(try web.thumbnail(of: photo.id))
      #expect(small.starts(with: [0xFF, 0xD8]))
      let original = try #require(try web.original(of: photo.id))
      #expect(original.type == "video/mp4" && original.size == file.size)
      await station.stop()
    }

    @Test("a movie that cannot be recorded is refused with the reason, and nobody is left waiting")
    func refusal() async throws {
      let place = try Place()
      let station = try place.station { $0.movie.codec = .copy }
      try await station.startForTest()
      try await station.waitUntilReadyForMovies(timeout: .seconds(30))
      await station.core.record(.movies, .unavailable(PickerReason(.moviesUnavailable)))
      #expect(await station.shownPage.settings.modes == ["photo"])
      guard case .refused(let problem) = await ask(.startRecording, WebStation(station)) else {
        Issue.record("not refused")
        return
      }
      #expect(problem.status == 409 && problem.code == "moviesUnavailable")
      #expect(await station.shownPage.snapshot.state == .idle)
      await station.stop()
    }

    @Test("a test shot is a picture as it would be saved, and nothing is saved")
    func testShot() async throws {
      let place = try Place()
      let station = try place.station()
      let web = WebStation(station)
      #expect(throws: KioskProblem.self) { _ = try web.testShot() }
      try await station.startForTest()
      try await station.waitUntilReady(timeout: .seconds(10))
      let picture = try web.testShot()
      #expect(picture.starts(with: [0xFF, 0xD8]))
      #expect(try web.photos(before: nil, limit: 10, album: nil).photos.isEmpty)
      #expect(await station.shownPage.snapshot.state == .idle)
      await station.stop()
    }

    @Test("the operator's next album takes the photos from then on")
    func album() async throws {
      let place = try Place()
      let station = try place.station()
      try await station.startForTest()
      let web = WebStation(station)
      let before = station.configuration.album
      #expect(try web.startAlbum(nil) == "\(before)-2")
      await station.reachAlbum("\(before)-2")
      #expect(try web.startAlbum(nil) == "\(before)-3")
      await station.reachAlbum("\(before)-3")
      #expect(station.configuration.configuredAlbum == before)
      #expect(throws: KioskProblem.self) { _ = try web.startAlbum("../elsewhere") }
      #expect(station.configuration.album == "\(before)-3")
      await station.stop()
    }

    @Test("a station that nobody would start again refuses to restart; another one ends")
    func restart() async throws {
      let place = try Place()
      let alone = try place.station()
      #expect(throws: KioskProblem.self) { try WebStation(alone).restart() }
      var options = Station.Options()
      options.camera = "demo"
      options.manager = ServiceManager { _ in }
      let managed = try Station(configuration: alone.configuration, options: options)
      try await managed.startForTest()
      try WebStation(managed).restart()
      await managed.waitForQuit()
      await managed.stop()
    }

    @Test("the panel's buttons are drawn in their rows and columns, with the lamps inside of them")
    func panel() async throws {
      let place = try Place()
      let station = try place.station {
        for (name, colour, column) in [
          ("cancel", .red, 3), ("accept", .green, 1), ("shutter", .white, nil), ("retake", nil, 2),
        ] as [(String, Configuration.ButtonColour?, Int?)] {
          var button = Configuration.Button()
          (button.line, button.colour, button.column) = ("L-\(name)", colour, column)
          $0.buttons[name] = button
        }
        var lamp = Configuration.Lamp()
        (lamp.line, lamp.button) = ("L-lamp", "shutter")
        $0.lamps["ready"] = lamp
      }
      let panel = await station.shownPage.panel
      #expect(panel.map(\.name) == ["accept", "cancel", "shutter"])
      #expect(panel.map(\.lamp) == [nil, nil, "ready"])
      #expect(panel.map(\.colour) == ["green", "red", "white"])
    }

    @Test("the list of cameras is not made anew for each who asks")
    func cameras() async throws {
      let place = try Place()
      let station = try place.station()
      let web = WebStation(station)
      let first = web.cameras()
      var fastest = Duration.seconds(10)
      for _ in 0..<20 {
        let begin = station.now
        #expect(web.cameras() == first)
        fastest = min(fastest, station.now - begin)
      }
      #expect(fastest < .milliseconds(1))
    }
  }
}
