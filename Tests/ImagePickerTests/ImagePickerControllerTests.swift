import FoundationEssentials
import ImagePicker
import Testing

@Suite("The picker controller") @MainActor
struct ImagePickerControllerTests {
  let host = FakeHost()

  private func camera() -> ImagePickerController {
    let picker = ImagePickerController(host: host)
    picker.sourceType = .camera
    return picker
  }

  @Test("has UIKit's defaults")
  func defaults() {
    let picker = ImagePickerController()
    #expect(picker.sourceType == .photoLibrary)
    #expect(picker.mediaTypes == [.image])
    #expect(!picker.allowsEditing)
    #expect(picker.selectionLimit == 1)
    #expect(picker.cameraFlashMode == .auto)
    #expect(picker.cameraCaptureMode == .photo)
    #expect(picker.showsCameraControls)
    #expect(picker.delegate == nil)
    #expect(!picker.isPresented)
    #expect(ImagePickerController(host: host).cameraDevice == "booth")
  }

  @Test("hands its settings over as a request")
  func request() {
    let picker = camera()
    picker.mediaTypes = [.image, .movie]
    picker.allowsEditing = true
    picker.selectionLimit = 4
    picker.cameraDevice = .front
    picker.cameraFlashMode = .on
    picker.cameraCaptureMode = .video
    picker.videoMaximumDuration = .seconds(9)
    picker.showsCameraControls = false
    var expected = PickRequest(source: .camera, allowsEditing: true, selectionLimit: 4)
    expected.mediaTypes = [.image, .movie]
    expected.cameraDevice = .front
    expected.cameraFlashMode = .on
    expected.cameraCaptureMode = .video
    expected.videoMaximumDuration = .seconds(9)
    expected.showsCameraControls = false
    #expect(picker.request == expected)
  }

  @Test(
    "is not presented with settings that cannot be met",
    arguments: [
      ("empty media types", PickerError.Code.mediaTypesEmpty),
      ("unavailable media types", .mediaTypeUnavailable),
      ("movies without a recorder", .mediaTypeUnavailable),
      ("limit below 0", .selectionLimitInvalid),
      ("unavailable source", .sourceUnavailable),
      ("unknown camera", .cameraDeviceUnavailable),
      ("movies of no length", .videoDurationInvalid),
      ("storage of no library", .sessionFailed),
    ])
  func validation(what: String, code: PickerError.Code) async {
    let picker = camera()
    let problem = AccessProblem(
      subject: "user retake", object: "/dev/video0", cause: "permission denied",
      fix: "sudo usermod -aG video retake")
    switch what {
    case "empty media types": picker.mediaTypes = []
    case "unavailable media types": picker.mediaTypes = [.image, .movie]
    case "movies without a recorder": picker.cameraCaptureMode = .video
    case "limit below 0": picker.selectionLimit = -1
    case "unavailable source": host.problems[.camera] = problem
    case "unknown camera": picker.cameraDevice = "attic"
    case "movies of no length":
      host.types = [.image, .movie]
      picker.mediaTypes = [.movie]
      picker.videoMaximumDuration = .zero
    default:
      host.input(.condition(.camera, .unavailable(PickerReason(.starting))))
    }
    let error = await failure { try await self.host.present(picker) }
    #expect(error?.code == code)
    #expect(error?.fix.isEmpty == false)
    #expect(!picker.isPresented)
    #expect(host.machine.session == nil)
    #expect(!host.presenter.isOccupied)
    if code == .sourceUnavailable {
      #expect(error?.fix == problem.fix)
      #expect(error?.reason?.problem == problem)
    }
  }

  @Test("is refused while another is up, which goes on; and after that it is not")
  func oneAtATime() async throws {
    let (first, second) = (camera(), camera())
    let coordinator = Coordinator()
    first.delegate = coordinator
    try await host.present(first)
    #expect(await failure { try await self.host.present(second) }?.code == .alreadyPresenting)
    #expect(await failure { try await self.host.present(first) }?.code == .alreadyPresenting)
    #expect(
      await failure { _ = try await self.host.pick(PickRequest(source: .camera)) }?.code
        == .alreadyPresenting)
    #expect(first.isPresented)
    host.advance(to: .finished)
    #expect(coordinator.infos.count == 1)
    try await host.present(second)
    #expect(second.isPresented)
  }

  @Test("is refused while a guest's own session is under way")
  func guestFirst() async {
    host.input(.shutter)
    #expect(
      await failure { try await self.host.present(self.camera()) }?.code == .alreadyPresenting)
    #expect(!host.presenter.isOccupied)
  }

  @Test("tells its delegate what was picked, under UIKit's keys")
  func finished() async throws {
    let (picker, coordinator) = (camera(), Coordinator())
    picker.delegate = coordinator
    try await host.present(picker, as: .sheet)
    #expect(host.styles == [.sheet])
    #expect(host.presenter.style == .sheet)
    picker.takePicture()
    #expect(host.machine.state.name == .capturing)
    host.advance(to: .finished)
    let info = try #require(coordinator.infos.first)
    #expect(coordinator.infos.count == 1)
    #expect(info[.mediaType] as? String == "public.image")
    #expect((info[.originalImage] as? StillImage)?.size == PixelSize(width: 3, height: 4))
    #expect((info[.imageURL] as? URL)?.path == "/photos/IMG_1.jpg")
    #expect(info[.editedImage] == nil && info[.mediaURL] == nil)
    #expect(!picker.isPresented)
    #expect(host.machine.state.name == .idle)
  }

  @Test("tells a delegate of all results, in their order")
  func several() async throws {
    let (picker, listener) = (camera(), Listener())
    picker.delegate = listener
    try await host.present(picker)
    host.advance(to: .finished)
    #expect(listener.results.map { $0.imageURL?.lastPathComponent } == ["IMG_1.jpg", "second.jpg"])
  }

  @Test("tells its delegate that the guest gave up; by default it is dismissed")
  func cancelled() async throws {
    let (picker, coordinator, listener) = (camera(), Coordinator(), Listener())
    picker.delegate = coordinator
    try await host.present(picker)
    host.input(.cancel)
    #expect(coordinator.cancels == 1)
    picker.delegate = listener
    try await host.present(picker)
    host.input(.cancel)
    #expect(!picker.isPresented)
  }

  @Test("tells of a failure, and who does not listen for it hears a cancel")
  func failed() async throws {
    let (picker, coordinator, listener) = (camera(), Coordinator(), Listener())
    picker.delegate = listener
    try await host.present(picker)
    host.input(.fault(PickerReason(.stationFault)))
    #expect(listener.errors.map(\.code) == [.sessionFailed])
    host.expire()
    picker.delegate = coordinator
    try await host.present(picker)
    host.input(.fault(PickerReason(.stationFault)))
    #expect(coordinator.cancels == 1)
  }

  @Test(
    "is dismissed from every state without telling the delegate, and a next one can come",
    arguments: [
      PickerMachine.State.Name.live, .capturing, .reviewing,
    ])
  func dismissed(state: PickerMachine.State.Name) async throws {
    let (picker, coordinator) = (camera(), Coordinator())
    picker.delegate = coordinator
    try await host.present(picker)
    host.advance(to: state)
    picker.dismiss()
    picker.dismiss()
    picker.takePicture()
    #expect(!picker.isPresented)
    #expect(host.machine.state.name == .idle)
    #expect(coordinator.cancels == 0 && coordinator.infos.isEmpty)
    try await host.present(picker)
    #expect(picker.isPresented)
  }

  @Test("that is dismissed during a save still tells its outcome, once")
  func dismissedDuringSave() async throws {
    let (picker, coordinator) = (camera(), Coordinator())
    picker.delegate = coordinator
    try await host.present(picker)
    host.advance(to: .saving)
    picker.dismiss()
    #expect(host.machine.state.name == .saving)
    let next = Task { try await self.host.present(self.camera()) }
    await Task.yield()
    host.input(.saved(host.machine.state.candidate ?? CandidateID(rawValue: 0)))
    #expect(coordinator.infos.count == 1)
    try await next.value
    #expect(host.presenter.isOccupied)
  }

  @Test("does not hold up the station if its delegate never dismisses it")
  func neverDismissed() async throws {
    let (picker, coordinator) = (camera(), Coordinator())
    coordinator.dismisses = false
    picker.delegate = coordinator
    try await host.present(picker)
    host.advance(to: .finished)
    #expect(picker.isPresented)
    host.expire()
    #expect(!picker.isPresented)
    try await host.present(picker)
    #expect(picker.isPresented)
  }

  @Test("does not hold up the station if its delegate is gone")
  func delegateGone() async throws {
    let picker = camera()
    var coordinator: Coordinator? = Coordinator()
    picker.delegate = coordinator
    try await host.present(picker)
    coordinator = nil
    #expect(picker.delegate == nil)
    host.advance(to: .finished)
    #expect(!picker.isPresented)
    #expect(coordinator == nil)
  }

  @Test("lives as long as it is presented, and no longer")
  func retained() async throws {
    weak var weakly: ImagePickerController?
    do {
      let picker = camera()
      weakly = picker
      try await host.present(picker)
    }
    #expect(weakly != nil)
    host.input(.cancel)
    #expect(weakly == nil)
  }

  @Test("can be presented again by its delegate, at once")
  func presentedByDelegate() async throws {
    let (picker, listener, next) = (camera(), Listener(), camera())
    var presented: Task<Void, any Error>?
    listener.onOutcome = { picker in
      picker.dismiss()
      presented = Task { try await self.host.present(next) }
    }
    picker.delegate = listener
    try await host.present(picker)
    host.advance(to: .finished)
    try await presented?.value
    #expect(next.isPresented)
  }

  @Test("dismissed while its session begins is gone when that has begun")
  func dismissedEarly() async throws {
    let picker = camera()
    host.beforeBegun = { picker.dismiss() }
    try await host.present(picker)
    #expect(!picker.isPresented && !host.presenter.isOccupied)
    #expect(host.machine.state.name == .idle)
  }

  @Test("hears an outcome that comes before its session's name")
  func earlyOutcome() async throws {
    let (picker, coordinator) = (camera(), Coordinator())
    picker.delegate = coordinator
    host.beforeBegun = { self.host.input(.cancel) }
    try await host.present(picker)
    #expect(coordinator.cancels == 1)
    #expect(!host.presenter.isOccupied)
  }

  @Test("obeys whoever presents it, whichever host it was made with", arguments: [true, false])
  func presentedByAnother(ownHost: Bool) async throws {
    let other = FakeHost()
    let picker = ImagePickerController(host: ownHost ? other : nil)
    picker.sourceType = .camera
    try await host.present(picker)
    picker.takePicture()
    #expect(host.machine.state.name == .capturing)
    picker.dismiss()
    #expect(!host.presenter.isOccupied)
    #expect(host.machine.state == .idle && other.machine.state == .idle)
  }

  @Test(
    "whose session is over before its name is known holds up nobody",
    arguments: [
      true, false,
    ])
  func overEarly(dismisses: Bool) async throws {
    let (picker, coordinator) = (camera(), Coordinator())
    coordinator.dismisses = dismisses
    picker.delegate = coordinator
    host.beforeBegun = {
      self.host.input(.cancel)
      self.host.expire()
    }
    try await host.present(picker)
    #expect(coordinator.cancels == 1)
    #expect(!host.presenter.isOccupied)
  }

  @Test("dismissed during a save that fails still tells its outcome")
  func dismissedDuringFailingSave() async throws {
    let (picker, listener) = (camera(), Listener())
    picker.delegate = listener
    try await host.present(picker)
    host.advance(to: .saving)
    picker.dismiss()
    let candidate = host.machine.state.candidate ?? CandidateID(rawValue: 0)
    host.input(.saveFailed(candidate, PickerReason(.saveFailed)))
    #expect(listener.errors.map(\.reason?.code) == [.saveFailed])
    #expect(!host.presenter.isOccupied)
  }

  @Test("is let go if the host stops while its session begins")
  func shutDownWhileBeginning() async throws {
    let (picker, coordinator) = (camera(), Coordinator())
    picker.delegate = coordinator
    host.beforeBegun = { self.host.presenter.shutDown() }
    try await host.present(picker)
    #expect(coordinator.cancels == 1)
    #expect(!host.presenter.isOccupied)
    #expect(host.machine.state == .idle)
  }

  @Test("records no movies, and says so")
  func movies() async throws {
    let picker = camera()
    #expect(!picker.startVideoCapture())
    try await host.present(picker)
    #expect(!picker.startVideoCapture())
    picker.stopVideoCapture()
    #expect(host.machine.state == .live)
  }

  @Test("is ended when the host stops")
  func shutDown() async throws {
    let (picker, coordinator) = (camera(), Coordinator())
    picker.delegate = coordinator
    try await host.present(picker)
    host.presenter.shutDown()
    #expect(coordinator.cancels == 1)
    #expect(!picker.isPresented)
  }
}

/// The picker error that `body` throws.
@MainActor func failure(_ body: @MainActor () async throws -> Void) async -> PickerError? {
  do {
    try await body()
    return nil
  } catch {
    return error as? PickerError
  }
}
