import FoundationEssentials
import Glibc
import ImagePicker
import KioskServer
import Platform
import StationTestSupport
import Testing

@testable import Station

extension WholeStationTests {
  /// Tests of presenting on whole stations, with every style, every state and several kinds of
  /// delegates.
  @MainActor @Suite(.serialized) struct PresentationTests {
    /// A delegate that counts its calls, and dismisses the picker if the test asks for it.
    private final class Listener: ImagePickerControllerDelegate {
      var dismisses = false
      var finished = 0
      var cancelled = 0
      var failed: [PickerError] = []

      func imagePickerController(
        _ picker: ImagePickerController,
        didFinishPickingMediaWithInfo info: [ImagePickerController.InfoKey: Any]
      ) {
        finished += 1
        if dismisses { picker.dismiss() }
      }

      func imagePickerControllerDidCancel(_ picker: ImagePickerController) {
        cancelled += 1
        if dismisses { picker.dismiss() }
      }

      func imagePickerController(
        _ picker: ImagePickerController, didFailWith error: PickerError
      ) {
        failed.append(error)
        if dismisses { picker.dismiss() }
      }
    }

    private func picker(
      _ source: ImagePickerController.SourceType = .camera, _ delegate: Listener?
    ) -> ImagePickerController {
      let picker = ImagePickerController()
      picker.sourceType = source
      picker.allowsEditing = true
      picker.delegate = delegate
      return picker
    }

    private func photos(_ place: Place) throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: place.album)
        .count { $0.hasSuffix(".jpg") }
    }

    @Test(
      "one at a time, in every style; after it is dismissed the next one can come",
      arguments: ImagePickerController.PresentationStyle.allCases)
    func styles(_ style: ImagePickerController.PresentationStyle) async throws {
      let place = try Place()
      let station = try place.station()
      try await station.startForTest()
      let listener = Listener()
      let first = picker(.camera, listener)
      first.showsCameraControls = style == .fullScreen
      try await station.present(first, as: style)
      #expect(station.pickerHost.presenter.style == style)
      var page = await station.page.state()
      #expect(page.presentation == "\(style)")
      #expect(page.showsCameraControls == (style == .fullScreen))
      for other in ImagePickerController.PresentationStyle.allCases {
        await #expect(throws: PickerError.alreadyPresenting) {
          try await station.present(picker(.photoLibrary, nil), as: other)
        }
        await #expect(throws: PickerError.alreadyPresenting) {
          _ = try await station.pick(PickRequest(source: .camera), as: other)
        }
      }
      #expect(first.isPresented)
      first.dismiss()
      #expect(!first.isPresented)
      // The second presentation waits for the end of the dismissed session.
      let second = picker(.camera, listener)
      try await station.present(second, as: style)
      #expect(second.isPresented)
      second.dismiss()
      await station.reach("idle")
      #expect(listener.cancelled == 0 && listener.finished == 0)
      // A session that a guest began has no dialog.
      await station.trigger(.shutter, source: "test")
      page = await station.page.state()
      #expect(page.snapshot.session != nil)
      #expect(page.presentation == "fullScreen" && page.showsCameraControls)
      await station.stop()
    }

    @Test("is dismissed from every state of the camera; nothing of it is left")
    func dismissCamera() async throws {
      let place = try Place()
      let station = try place.station { $0.countdown = .seconds(30) }
      try await station.startForTest()
      let listener = Listener()
      for state in ["live", "countdown"] {
        let picker = picker(.camera, listener)
        try await station.present(picker)
        if state == "countdown" { picker.takePicture() }
        await station.reach(state)
        picker.dismiss()
        await station.reach("idle")
      }
      await station.stop()
      let quick = try place.station()
      try await quick.startForTest()
      for state in ["capturing", "reviewing", "cancelled"] {
        let picker = picker(.camera, listener)
        try await quick.present(picker)
        picker.takePicture()
        if state != "capturing" { await quick.reach("reviewing") }
        if state == "cancelled" {
          quick.send(.cancel)
          await pause(while: { listener.cancelled == 0 })
        }
        picker.dismiss()
        await quick.reach("idle")
      }
      #expect(listener.finished == 0 && listener.cancelled == 1)
      #expect(try photos(place) == 0)
      await quick.stop()
    }

    @Test("has let its library go when it has stopped; the next station opens it at once")
    func succession() async throws {
      let place = try Place()
      var stopped: [Station] = []
      for number in 1...3 {
        let station = try place.station()
        try await station.startForTest()
        // A program that still holds a stopped station does not lock the library.
        stopped.append(station)
        #expect(try await station.takePhoto().path.hasSuffix("IMG_0000000\(number).jpg"))
        await station.stop()
      }
      #expect(stopped.count == 3)
    }

    @Test("goes on with a save that runs when it is dismissed, and tells its outcome once")
    func dismissSaving() async throws {
      let place = try Place()
      let station = try place.station()
      try await station.startForTest()
      let listener = Listener()
      let picker = picker(.camera, listener)
      try await station.present(picker)
      picker.takePicture()
      await station.reach("reviewing")
      try await Task.sleep(for: PickerMachine.guardTime)
      station.send(.accept)
      picker.dismiss()
      await pause(while: { listener.finished == 0 })
      await station.reach("idle")
      #expect(listener.finished == 1 && listener.cancelled == 0)
      #expect(try photos(place) == 1)
      await station.stop()
    }

    @Test("is dismissed from every state of the library")
    func dismissLibrary() async throws {
      let place = try Place()
      let station = try place.station()
      try await station.startForTest()
      _ = try await station.takePhoto()
      await station.reach("idle")
      _ = station.browser?.page()
      let listener = Listener()
      for source in [ImagePickerController.SourceType.photoLibrary, .savedPhotosAlbum] {
        for state in ["browsing", "editing"] {
          let picker = picker(source, listener)
          try await station.present(picker)
          if state == "editing" { station.send(.openEditor("booth/IMG_00000001.jpg")) }
          await station.reach(state)
          picker.dismiss()
          await station.reach("idle")
        }
      }
      #expect(listener.finished == 0 && listener.cancelled == 0)
      await station.stop()
    }

    @Test("does not hang the station with a delegate that never dismisses, or one that is gone")
    func delegates() async throws {
      let place = try Place()
      let station = try place.station()
      try await station.startForTest()
      let stubborn = Listener()
      let first = picker(.camera, stubborn)
      try await station.present(first)
      station.send(.cancel)
      await pause(while: { stubborn.cancelled == 0 })
      #expect(first.isPresented)
      // The end screen goes by itself, and the picker with it.
      await station.reach("idle")
      await pause(while: { first.isPresented })

      var leaving: Listener? = Listener()
      let second = picker(.camera, leaving)
      try await station.present(second)
      leaving = nil
      #expect(second.delegate == nil)
      await station.press()
      await station.accept()
      await station.reach("idle")
      #expect(try photos(place) == 1)

      // The station does not retain the picker either.
      try await station.present(picker(.camera, nil))
      station.send(.cancel)
      await station.reach("idle")
      await pause(while: { station.pickerHost.presenter.isOccupied })
      try await station.present(picker(.camera, stubborn))
      await station.stop()
      #expect(stubborn.cancelled == 2)
    }

    @Test("refuses what cannot be met, with a named error, and presents nothing")
    func badInput() async throws {
      let place = try Place()
      let station = try place.station()
      try await station.startForTest()
      let cases: [(PickerError.Code, (ImagePickerController) -> Void)] = [
        (.mediaTypesEmpty, { $0.mediaTypes = [] }),
        (.selectionLimitInvalid, { $0.selectionLimit = -1 }),
        (.selectionLimitInvalid, { $0.selectionLimit = .min }),
        (.cameraDeviceUnavailable, { $0.cameraDevice = "" }),
        (.cameraDeviceUnavailable, { $0.cameraDevice = "../../dev/null" }),
      ]
      for (code, change) in cases {
        let picker = picker(.camera, nil)
        change(picker)
        do {
          try await station.present(picker)
          Issue.record("presented in spite of \(code)")
        } catch {
          #expect(error.code == code)
        }
        #expect(!picker.isPresented)
      }
      #expect(station.status.state == "idle")
      await station.stop()
      do {
        try await station.present(picker(.camera, nil))
        Issue.record("a stopped station presented")
      } catch {
        #expect(error.code == .sourceUnavailable)
      }
      await station.stop()
    }

    @Test("uses the camera that a picker names, and the usual one after it")
    func cameraDevices() async throws {
      let place = try Place()
      let station = try place.station {
        var camera = Configuration.Camera()
        camera.device = "demo"
        $0.cameras["front"] = camera
        camera.device = "/dev/video99"
        $0.cameras["rear"] = camera
      }
      try await station.startForTest()
      #expect(ImagePickerController.isCameraDeviceAvailable(.front))
      #expect(ImagePickerController.isCameraDeviceAvailable("demo"))
      #expect(!ImagePickerController.isCameraDeviceAvailable(.rear))
      var request = PickRequest(source: .camera)
      request.cameraDevice = .front
      request.cameraFlashMode = .off
      let picked = station.picking(request)
      await station.press()
      #expect(station.camera.current.label == "front")
      #expect(station.flashMode == .off)
      await station.accept()
      guard case .finished = try await picked.value else {
        Issue.record("nothing was picked")
        return await station.stop()
      }
      await pause(while: { station.camera.current.label != "demo" })
      await pause(while: { station.flashMode != .auto })
      await station.stop()
    }

    @Test("answers what it may use from what it found, and finds out again when it is asked")
    func access() async throws {
      let place = try Place()
      let station = try place.station()
      #expect(station.access == AccessReport())
      try await station.startForTest()
      #expect(ImagePickerController.authorizationStatus(for: .camera) == .authorized)
      #expect(ImagePickerController.authorizationStatus(for: .library) == .authorized)
      #expect(await ImagePickerController.requestAccess(for: .camera) == .authorized)
      #expect(await ImagePickerController.requestAccess(for: .buttons) == .notDetermined)
      // A missing directory is a question of availability, not of permission.
      rename("\(place.path)/photos", "\(place.path)/away")
      #expect(await ImagePickerController.requestAccess(for: .library) == .notDetermined)
      rename("\(place.path)/away", "\(place.path)/photos")
      #expect(await ImagePickerController.requestAccess(for: .library) == .authorized)
      await station.stop()
      #expect(await ImagePickerController.requestAccess(for: .library) == .authorized)
      let limited = try place.station { $0.shownAlbums = ["booth"] }
      try await limited.startForTest()
      #expect(ImagePickerController.authorizationStatus(for: .library) == .limited)
      await limited.stop()
      let dark = try place.station { $0.camera.device = "off" }
      #expect(dark.access.camera.status == .notDetermined)
      await dark.stop()
    }
  }
}
