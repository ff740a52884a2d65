import FoundationEssentials
import Glibc
import ImagePicker
import Station

/// A whole camera session and a whole library session, as an app would have them.
@main @MainActor struct Main {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  static func main() async {
    do {
      try await run()
      print("consumer: all sessions passed")
    } catch {
      print("consumer: \(error)")
      exit(1)
    }
  }

  static func check(_ condition: Bool, _ what: String) throws {
    guard condition else { throw Failure(description: "not so: \(what)") }
  }

  private static func run() async throws {
    try check(!ImagePickerController.isSourceTypeAvailable(.camera), "no host, no camera")
    try check(
      ImagePickerController.authorizationStatus(for: .camera) == .notDetermined,
      "no host, no status")

    var template = Array("/var/tmp/retake-consumer-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure(description: "no directory") }
    let place = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { try? FileManager.default.removeItem(atPath: place) }

    var configuration = Configuration()
    configuration.countdown = .zero
    configuration.libraryPath = "\(place)/photos"
    configuration.socketPath = "\(place)/socket"
    var options = Station.Options()
    options.camera = "demo"
    let station = try Station(configuration: configuration, options: options)
    try await station.start()
    let coordinator = PhotoCoordinator(station: station)
    let guest = Guest(station)

    let first = try await takePhoto(coordinator, guest)
    try await cancel(coordinator, guest)
    let second = try await takePhoto(coordinator, guest)
    try check(first != second, "two photos")
    try await choose(coordinator, guest, of: [first, second])
    try await newCode(station, guest)
    try await refusals(coordinator, station)
    await station.stop()
    try check(!ImagePickerController.isSourceTypeAvailable(.camera), "a stopped station has none")
  }

  private static func takePhoto(
    _ coordinator: PhotoCoordinator, _ guest: Guest
  ) async throws -> URL {
    let outcome = try await session(coordinator, .camera) {
      coordinator.picker?.takePicture()
      await guest.reach("reviewing")
      await guest.accept()
    }
    guard case .picked(let info) = outcome else {
      throw Failure(description: "no photo was picked")
    }
    try check(info[.mediaType] as? String == "public.image", "mediaType")
    guard let image = info[.originalImage] as? StillImage, let url = info[.imageURL] as? URL else {
      throw Failure(description: "no image in \(info.keys)")
    }
    try check(image.size.height > image.size.width, "the photo is portrait")
    try check(try Data(contentsOf: url) == image.jpegData, "the file is the image")
    try check(info[.mediaMetadata] is [String: any Sendable], "mediaMetadata")
    return url
  }

  private static func cancel(_ coordinator: PhotoCoordinator, _ guest: Guest) async throws {
    let outcome = try await session(coordinator, .camera) { await guest.does(.cancel) }
    guard case .cancelled = outcome else { throw Failure(description: "it was not cancelled") }
  }

  private static func choose(
    _ coordinator: PhotoCoordinator, _ guest: Guest, of photos: [URL]
  ) async throws {
    let page = guest.station.browser?.page()
    try check(page?.items.map(\.path) == photos.reversed().map(\.path), "the newest is first")
    let box = PixelRect(x: 16, y: 16, width: 240, height: 320)
    for isEdited in [false, true] {
      let outcome = try await session(coordinator, .photoLibrary, allowsEditing: isEdited) {
        guard let id = page?.items.last?.id else { return }
        let item = ItemID(rawValue: id)
        if isEdited {
          guest.station.send(.openEditor(item))
          guest.station.send(.edit(PickerEdit(crop: box)))
          guest.station.send(.accept)
        } else {
          guest.station.send(.select(item))
        }
        guest.station.send(.accept)
      }
      guard case .picked(let info) = outcome else { throw Failure(description: "nothing chosen") }
      try check((info[.imageURL] as? URL)?.path == photos[0].path, "the chosen photo")
      try check((info[.cropRect] as? PixelRect) == (isEdited ? box : nil), "cropRect")
      try check(
        (info[.editedImage] as? StillImage)?.size == (isEdited ? box.size : nil), "editedImage")
    }
  }

  /// `pick` in place of a delegate, and its cancellation.
  private static func newCode(_ station: Station, _ guest: Guest) async throws {
    let task = Task { @MainActor in try await station.pick(PickRequest(source: .camera)) }
    await guest.reach("live")
    task.cancel()
    guard case .cancelled = try await task.value else {
      throw Failure(description: "a cancelled task is a cancelled session")
    }
  }

  private static func refusals(_ coordinator: PhotoCoordinator, _ station: Station) async throws {
    for (code, change) in [
      (PickerError.Code.mediaTypesEmpty, { $0.mediaTypes = [] }),
      (.selectionLimitInvalid, { $0.selectionLimit = -1 }),
      (
        .cameraDeviceUnavailable,
        {
          $0.sourceType = .camera; $0.cameraDevice = "nowhere"
        }
      ),
    ] as [(PickerError.Code, (ImagePickerController) -> Void)] {
      let picker = ImagePickerController()
      change(picker)
      do {
        try await station.present(picker)
        throw Failure(description: "presented in spite of \(code)")
      } catch let error as PickerError {
        try check(error.code == code, "\(code)")
      }
    }
  }

  private static func session(
    _ coordinator: PhotoCoordinator, _ source: ImagePickerController.SourceType,
    allowsEditing: Bool = false, guest: @MainActor () async -> Void
  ) async throws -> PhotoCoordinator.Outcome {
    let (outcomes, queue) = AsyncStream.makeStream(of: Void.self)
    var result: PhotoCoordinator.Outcome?
    try await coordinator.show(source, allowsEditing: allowsEditing) { outcome in
      result = outcome
      queue.yield()
    }
    await guest()
    for await _ in outcomes {
      if let result { return result }
    }
    throw Failure(description: "no outcome")
  }
}

/// A guest at the booth's buttons.
@MainActor struct Guest {
  let station: Station

  init(_ station: Station) { self.station = station }

  func reach(_ state: String) async {
    while station.status.state != state { try? await Task.sleep(for: .milliseconds(5)) }
  }

  func does(_ action: PickerMachine.Event) async {
    station.send(action)
  }

  func accept() async {
    // An accept counts once the photo has been shown for 0.8 s.
    while ["reviewing"].contains(station.status.state) {
      station.send(.accept)
      try? await Task.sleep(for: .milliseconds(20))
    }
  }
}
