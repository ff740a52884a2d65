import FoundationEssentials
import Glibc
import ImagePicker
import Imaging
import Media
import StationTestSupport
import Testing

@testable import Station

extension WholeStationTests {
  /// Sessions with the library as their source, on whole stations.
  @Suite(.serialized) struct LibraryPickTests {
    private let place: Place
    private let station: Station

    init() async throws {
      let place = try Place()
      self.place = place
      station = try place.station { $0.libraryRoots = ["\(place.path)/stick"] }
      try await station.startForTest()
    }

    /// Takes photos, the first first.
    private func takePhotos(_ count: Int) async throws -> [String] {
      var paths: [String] = []
      for _ in 0..<count { paths.append(try await station.takePhoto().path) }
      await station.reach("idle")
      return paths
    }

    private func waitUntil(_ condition: () async -> Bool) async {
      await pause(while: { await !condition() })
    }

    private func choices() async -> [String] {
      await station.core.machine.state.items.map(\.rawValue)
    }

    private func pick(
      _ request: PickRequest, _ events: [PickerMachine.Event]
    ) async throws -> [PickedMedia] {
      let picked = station.picking(request)
      await station.reach("browsing")
      for event in events { station.send(event) }
      guard case .finished(let media) = try await picked.value else { return [] }
      return media
    }

    @Test("gives what was chosen, in the order chosen, from all albums and a stick")
    func order() async throws {
      let paths = try await takePhotos(2)
      mkdir("\(place.path)/stick", 0o755)
      try FileManager.default.copyItem(atPath: paths[0], toPath: "\(place.path)/stick/guest.jpg")
      await waitUntil { station.browser?.page().count == 3 }
      let browser = try #require(station.browser)
      let items = browser.page().items
      #expect(
        Set(items.map(\.id)) == [
          "booth/IMG_00000001.jpg", "booth/IMG_00000002.jpg", ".1/guest.jpg",
        ])
      let media = try await pick(
        PickRequest(source: .photoLibrary, selectionLimit: 0),
        [
          .select("booth/IMG_00000002.jpg"), .select(".1/guest.jpg"),
          .select("booth/IMG_00000001.jpg"), .accept,
        ])
      #expect(
        media.map { $0.imageURL?.path } == [
          paths[1], "\(place.path)/stick/guest.jpg", paths[0],
        ])
      for one in media {
        let url = try #require(one.imageURL)
        let saved = try Data(contentsOf: url)
        #expect(one.originalImage?.jpegData == saved)
        #expect(one.originalImage?.size == PixelSize(width: 540, height: 720))
        #expect(one.editedImage == nil && one.cropRect == nil)
        #expect(one.mediaType == .image)
      }
      await station.stop()
    }

    @Test("has the station's own album only for the saved photos")
    func saved() async throws {
      let paths = try await takePhotos(1)
      let media = try await pick(
        PickRequest(source: .savedPhotosAlbum), [.select("booth/IMG_00000001.jpg"), .accept])
      #expect(media.first?.imageURL?.path == paths[0])
      await station.stop()
    }

    @Test("makes an edit without decoding where the box lies on blocks, and says what was cropped")
    func edit() async throws {
      _ = try await takePhotos(1)
      let box = PixelRect(x: 32, y: 64, width: 320, height: 400)
      let media = try await pick(
        PickRequest(source: .photoLibrary, allowsEditing: true),
        [
          .openEditor("booth/IMG_00000001.jpg"), .edit(PickerEdit(crop: box, quarterTurns: 1)),
          .accept, .accept,
        ])
      let one = try #require(media.first)
      #expect(one.cropRect == box)
      #expect(one.editedImage?.size == PixelSize(width: 400, height: 320))
      #expect(one.originalImage?.size == PixelSize(width: 540, height: 720))
      #expect(one.info[.editedImage] is StillImage && one.info[.cropRect] is PixelRect)
      // Nothing is written for it.
      #expect(try FileManager.default.contentsOfDirectory(atPath: place.album).count == 1)
      await station.stop()
    }

    @Test("lets go of a picture that vanishes while it is chosen, and of one that cannot be opened")
    func vanished() async throws {
      let paths = try await takePhotos(2)
      mkdir("\(place.path)/stick", 0o755)
      #expect(
        FileManager.default.createFile(
          atPath: "\(place.path)/stick/bomb.jpg",
          contents: Data([0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0xFF, 0xFF, 0xFF, 0xFF, 1, 1, 17, 0]),
          attributes: [.modificationDate: Date(timeIntervalSince1970: 1_000_000)]))
      await waitUntil { station.browser?.page().count == 3 }
      let picked = station.picking(PickRequest(source: .photoLibrary, selectionLimit: 0))
      await station.reach("browsing")
      for id in ["booth/IMG_00000001.jpg", ".1/bomb.jpg", "booth/IMG_00000002.jpg"] {
        station.send(.select(ItemID(rawValue: id)))
      }
      await waitUntil { await choices() == ["booth/IMG_00000001.jpg", "booth/IMG_00000002.jpg"] }
      #expect(await station.lastRefusal?.problem?.object == "the picture .1/bomb.jpg")
      unlink(paths[0])
      await waitUntil { await choices() == ["booth/IMG_00000002.jpg"] }
      station.send(.accept)
      guard case .finished(let media) = try await picked.value else {
        Issue.record("nothing was picked")
        return await station.stop()
      }
      #expect(media.map { $0.imageURL?.path } == [paths[1]])
      await station.stop()
    }

    @Test("reads no picture for a guest who has cancelled")
    func cancelledChoice() async throws {
      _ = try await takePhotos(1)
      let browser = try #require(station.browser)
      await waitUntil { browser.page().count == 1 }
      let choices = [PickerChoice(item: "booth/IMG_00000001.jpg")]
      var collector = PhotoCollector(allowsMovies: false)
      var asked = 0
      #expect(try collector.collect(choices, from: browser) { true }.count == 1)
      do {
        let media = try collector.collect(choices + choices, from: browser) {
          asked += 1
          return asked < 2
        }
        Issue.record("\(media.count) pictures were read")
      } catch {
        #expect(error.code == .libraryUnavailable)
      }
      await station.stop()
    }

    @Test("copies wait while a guest is there, and go on afterwards")
    func copies() async throws {
      let usb = "\(place.path)/usb"
      await station.stop()
      let station = try place.station { $0.copies = [usb] }
      try await station.startForTest()
      let path = try await station.takePhoto().path
      await station.reach("idle")
      await station.trigger(.shutter, source: "test")
      await station.reach("reviewing")
      mkdir(usb, 0o755)
      let keeper = try #require(station.library.open.keeper)
      keeper.look()
      await keeper.settle()
      let copy = "\(usb)/booth/\(URL(fileURLWithPath: path).lastPathComponent)"
      #expect(access(copy, F_OK) != 0)
      await station.trigger(.cancel, source: "test")
      await station.trigger(.cancel, source: "test")
      await station.reach("idle")
      await waitUntil { access(copy, F_OK) == 0 }
      await station.stop()
    }

    @Test(
      "gives a program all that it chose, or none and the name of the one that failed",
      arguments: [[".1/bomb.jpg"], ["booth/IMG_00000001.jpg", ".1/bomb.jpg"]])
    func choice(names: [String]) async throws {
      _ = try await takePhotos(1)
      mkdir("\(place.path)/stick", 0o755)
      #expect(
        FileManager.default.createFile(
          atPath: "\(place.path)/stick/bomb.jpg", contents: Data("no picture".utf8),
          // One that may still be written is listed later.
          attributes: [.modificationDate: Date(timeIntervalSince1970: 1_000_000)]))
      await waitUntil { station.browser?.page().count == 2 }
      let choices = names.map { PickerChoice(item: ItemID(rawValue: $0)) }
      do {
        let media = try await pick(
          PickRequest(source: .photoLibrary, selectionLimit: 0), [.choose(choices)])
        Issue.record("\(media.count) pictures were given")
      } catch {
        let problem = (error as? PickerError)?.reason?.problem
        #expect(problem?.object == "the picture .1/bomb.jpg")
      }
      await station.stop()
    }

    @Test("fails the session when the library goes, says why, and works again when it is back")
    func libraryGone() async throws {
      _ = try await takePhotos(1)
      let (photos, away) = ("\(place.path)/photos", "\(place.path)/away")
      let picked = station.picking(PickRequest(source: .savedPhotosAlbum))
      await station.reach("browsing")
      rename(photos, away)
      do {
        _ = try await picked.value
        Issue.record("a library that is not there gave something")
      } catch {
        #expect((error as? PickerError)?.reason?.code == .libraryUnavailable)
        #expect((error as? PickerError)?.fix.isEmpty == false)
      }
      #expect(await !ImagePickerController.isSourceTypeAvailable(.savedPhotosAlbum))
      #expect(await ImagePickerController.availableMediaTypes(for: .photoLibrary) == nil)
      do {
        _ = try await station.pick(PickRequest(source: .photoLibrary))
        Issue.record("presented without a library")
      } catch {
        #expect(error.code == .sourceUnavailable)
      }
      rename(away, photos)
      await waitUntil { await ImagePickerController.isSourceTypeAvailable(.savedPhotosAlbum) }
      let media = try await pick(
        PickRequest(source: .savedPhotosAlbum), [.select("booth/IMG_00000001.jpg"), .accept])
      #expect(media.count == 1)
      await station.stop()
    }

    @Test("saves neither the photo nor its edit where there is room for one of them only")
    func editWithoutRoom() async throws {
      await station.stop()
      let system = FaultySystemCalls()
      let full = try Place()
      let station = try full.station(system: system)
      try await station.startForTest()
      let picked = station.picking(PickRequest(source: .camera, allowsEditing: true))
      await station.press()
      await station.reach("reviewing")
      let box = PixelRect(x: 10, y: 20, width: 300, height: 400)
      station.send(.edit(PickerEdit(crop: box)))
      // The photo itself waits under no name by then; its edit is what is written next.
      await waitUntil { system.calls.contains("openUnnamed") }
      await waitUntil {
        let calls = system.calls
        return calls.lastIndex(of: "fdatasync") ?? -1 > calls.lastIndex(of: "openUnnamed") ?? 0
      }
      system.fail("openUnnamed", with: ENOSPC)
      await station.accept()
      do {
        _ = try await picked.value
        Issue.record("it was saved")
      } catch let error as PickerError {
        #expect(error.reason?.code == .storageFull)
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: full.album)
      #expect(names.filter { !$0.hasPrefix(".") } == [])
      await station.stop()
    }

    @Test("keeps the original and saves the edited photo beside it after a review")
    func editedReview() async throws {
      let box = PixelRect(x: 10, y: 20, width: 300, height: 400)
      let picked = station.picking(PickRequest(source: .camera, allowsEditing: true))
      await station.press()
      await station.reach("reviewing")
      station.send(.edit(PickerEdit(crop: box)))
      await station.accept()
      guard case .finished(let media) = try await picked.value, let one = media.first else {
        Issue.record("nothing was picked")
        return await station.stop()
      }
      #expect(one.imageURL?.path == "\(place.album)/IMG_00000001.jpg")
      #expect(one.editedImage?.fileURL?.path == "\(place.album)/IMG_00000002.jpg")
      #expect(one.cropRect == box)
      #expect(one.editedImage?.size == box.size)
      let url = try #require(one.editedImage?.fileURL)
      #expect(try Data(contentsOf: url) == one.editedImage?.jpegData)
      #expect(one.originalImage?.size == PixelSize(width: 540, height: 720))
      #expect(station.status.lastPhoto?.edited?.crop == box)
      await station.stop()
    }

    @Test(
      "survives any crop box that a page may send",
      arguments: [
        (
          PixelRect(x: -5, y: -5, width: 100, height: 100),
          PixelRect(x: 0, y: 0, width: 95, height: 95)
        ),
        (
          PixelRect(x: 500, y: 700, width: .max, height: .max),
          PixelRect(x: 500, y: 700, width: 40, height: 20)
        ),
        (PixelRect(x: 0, y: 0, width: 540, height: 720), nil),
      ] as [(PixelRect, PixelRect?)])
    func anyBox(_ box: PixelRect, kept: PixelRect?) async throws {
      let edit = try PictureEdit(PickerEdit(crop: box), in: 540, 720)
      #expect(edit?.crop == kept)
      await station.stop()
    }

    static let outside = [
      PixelRect(x: 540, y: 0, width: 10, height: 10),
      PixelRect(x: .max, y: .max, width: .max, height: .max),
      PixelRect(x: 0, y: 0, width: 0, height: -1),
      PixelRect(x: .min, y: .min, width: .min, height: .min),
    ]

    @Test("refuses a box outside of a library's picture, in words")
    func boxOutside() async throws {
      for box in LibraryPickTests.outside {
        #expect(throws: StillError.self) {
          _ = try PictureEdit(PickerEdit(crop: box), in: 540, 720)
        }
      }
      let box = LibraryPickTests.outside[0]
      _ = try await takePhotos(1)
      let picked = station.picking(PickRequest(source: .photoLibrary, allowsEditing: true))
      await station.reach("browsing")
      let item = ItemID(rawValue: "booth/IMG_00000001.jpg")
      for event in [.openEditor(item), .edit(PickerEdit(crop: box)), .accept, .accept]
        as [PickerMachine.Event]
      {
        station.send(event)
      }
      let result = await picked.result
      let error = { () -> PickerError? in
        guard case .failure(let error) = result else { return nil }
        return error as? PickerError
      }()
      #expect(error?.message.contains("outside the picture, which is 540x720") == true)
      await station.stop()
    }

    @Test("saves a photo whose edit lies outside, and says that the edit was not made")
    func editOutside() async throws {
      let picked = station.picking(PickRequest(source: .camera, allowsEditing: true))
      await station.press()
      await station.reach("reviewing")
      station.send(.edit(PickerEdit(crop: LibraryPickTests.outside[0])))
      await station.accept()
      let result = await picked.result
      guard case .failure(let error) = result else {
        Issue.record("an edit outside of the photo was made")
        return await station.stop()
      }
      #expect((error as? PickerError)?.message.contains("outside the picture") == true)
      #expect(try FileManager.default.contentsOfDirectory(atPath: place.album).count == 1)
      await station.stop()
    }
  }
}
