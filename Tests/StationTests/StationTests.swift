import FoundationEssentials
import Glibc
import ImagePicker
import Platform
import Testing

@testable import Station

/// Whole stations with the demo camera and a library in a directory of their own.
@Suite(.serialized) struct StationTests {
  private final class Place {
    let path: String

    init() throws {
      // Not below /tmp: it may be a RAM disk, on which a library is refused.
      var template = Array("/var/tmp/retake-station-XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { throw SystemError(errno: errno, call: "mkdtemp") }
      path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func station(_ change: (inout Configuration) -> Void = { _ in }) throws -> Station {
      Log.setLevel(.error)
      var configuration = Configuration()
      configuration.countdown = .zero
      configuration.libraryPath = "\(path)/photos"
      configuration.socketPath = "\(path)/socket"
      change(&configuration)
      var options = Station.Options()
      options.camera = "demo"
      return try Station(configuration: configuration, options: options)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  /// Presses once the presented picker shows the live picture; earlier it would begin a session.
  private func press(_ station: Station) async {
    while station.status.state != "live" { await Task.yield() }
    await station.trigger(.shutter, source: "test")
  }

  private func accept(_ station: Station) async {
    // It counts once the review has been on show for 0.8 s.
    while await !station.trigger(.accept, source: "test").isAccepted { await Task.yield() }
  }

  @MainActor @Test func aPickFromTheCameraGivesADurablePhoto() async throws {
    let place = try Place()
    let station = try place.station()
    try await station.start()
    #expect(ImagePickerController.isSourceTypeAvailable(.camera))
    #expect(!ImagePickerController.isSourceTypeAvailable(.photoLibrary))
    #expect(ImagePickerController.authorizationStatus(for: .camera) == .authorized)
    #expect(ImagePickerController.authorizationStatus(for: .library) == .authorized)
    async let picked = station.pick(PickRequest(source: .camera))
    await press(station)
    await accept(station)
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

  @MainActor @Test func aCancelledTaskCancelsTheSessionAndLeavesNothing() async throws {
    let place = try Place()
    let station = try place.station()
    try await station.start()
    let pick = Task { try await station.pick(PickRequest(source: .camera)) }
    await press(station)
    pick.cancel()
    guard case .cancelled = try await pick.value else {
      Issue.record("the pick was not cancelled")
      return await station.stop()
    }
    await station.stop()
    let files = try FileManager.default.contentsOfDirectory(atPath: "\(place.path)/photos/booth")
    #expect(files.filter { $0.hasSuffix(".jpg") } == [])
  }

  @MainActor @Test func aSecondPresentationIsRefused() async throws {
    let place = try Place()
    let station = try place.station()
    try await station.start()
    let picker = ImagePickerController()
    picker.sourceType = .camera
    try await station.present(picker)
    await #expect(throws: PickerError.self) {
      _ = try await station.pick(PickRequest(source: .camera))
    }
    picker.dismiss()
    await station.stop()
  }

  @Test func anUnattendedSessionReportsItsPhoto() async throws {
    let place = try Place()
    let station = try place.station()
    try await station.start()
    let report = try await station.takePhoto()
    #expect(access(report.path, R_OK) == 0)
    // Not a frame period: a busy machine leaves frames out. Never an old one, though.
    #expect(report.deltaMilliseconds.magnitude <= 250)
    #expect(station.status.camera.framesCopied == 0)
    await station.stop()
  }

  @Test func aLibraryThatCannotBeOpenedEndsTheStartWithAReasonAndAFix() async throws {
    let place = try Place()
    let station = try place.station { $0.libraryPath = "/proc/nowhere/photos" }
    await #expect(throws: StationError.self) { try await station.start() }
  }
}
