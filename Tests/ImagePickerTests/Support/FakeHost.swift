import FoundationEssentials
import ImagePicker

/// A station without devices, which drives a machine by hand and answers with the values that a
/// test has set.
@MainActor final class FakeHost: ImagePickerHost {
  var machine: PickerMachine
  var now = PickerInstant.milliseconds(0)
  let presenter = PickerPresenter()

  var problems: [ImagePickerController.SourceType: AccessProblem] = [:]
  var types: [ImagePickerController.MediaType] = [.image]
  var cameras: [ImagePickerController.CameraDevice] = ["booth", "rear"]
  var statuses: [ImagePickerController.Resource: ImagePickerController.AuthorizationStatus] = [:]
  var probes = 0
  var styles: [ImagePickerController.PresentationStyle] = []
  var effects: [PickerMachine.Effect] = []
  /// A closure that `beginSession` awaits before it returns, after the machine has begun the
  /// session.
  var beforeBegun: (@MainActor () async -> Void)?

  init() {
    var configuration = PickerMachine.Configuration()
    configuration.countdown = .zero
    machine = PickerMachine(configuration: configuration, conditions: .ready)
  }

  func accessProblem(of source: ImagePickerController.SourceType) -> AccessProblem? {
    problems[source]
  }

  func mediaTypes(
    of source: ImagePickerController.SourceType
  ) -> [ImagePickerController.MediaType] { types }

  var defaultCameraDevice: ImagePickerController.CameraDevice? { cameras.first }

  func isCameraDeviceAvailable(_ device: ImagePickerController.CameraDevice) -> Bool {
    cameras.contains(device)
  }

  func authorizationStatus(
    for resource: ImagePickerController.Resource
  ) -> ImagePickerController.AuthorizationStatus { statuses[resource] ?? .notDetermined }

  func requestAccess(
    for resource: ImagePickerController.Resource
  ) async -> ImagePickerController.AuthorizationStatus {
    probes += 1
    statuses[resource] = .authorized
    return .authorized
  }

  func beginSession(
    _ request: PickRequest, as style: ImagePickerController.PresentationStyle
  ) async throws(PickerError) -> SessionID {
    if machine.isOccupied { throw PickerError.alreadyPresenting }
    if let reason = machine.obstacle(to: request.machineRequest) {
      throw PickerError.sessionFailed(reason)
    }
    styles.append(style)
    input(.begin(request.machineRequest))
    guard let session = machine.session else {
      throw PickerError.sessionFailed(PickerReason(.stationFault))
    }
    await beforeBegun?()
    return session.id
  }

  func send(_ event: PickerMachine.Event, session: SessionID) {
    input(event, session: session)
  }

  func input(_ event: PickerMachine.Event, session: SessionID? = nil) {
    let before = machine.session?.id
    let effects = machine.handle(event, at: now, session: session)
    self.effects += effects
    for effect in effects {
      guard case .deliver(let session, let outcome) = effect else { continue }
      switch outcome {
      case .finished(let candidate):
        presenter.deliver(.finished(photos(candidate)), of: session)
      case .cancelled: presenter.deliver(.cancelled, of: session)
      case .failed(let reason): presenter.deliver(.failed(reason), of: session)
      }
    }
    if let session = machine.session { presenter.offer(machine.state.frames, of: session.id) }
    if let before, machine.session?.id != before { presenter.sessionEnded(before) }
  }

  private func photos(_ candidate: CandidateID) -> [PickedMedia] {
    ["IMG_\(candidate.rawValue)", "second"].map { name in
      let url = URL(fileURLWithPath: "/photos/\(name).jpg")
      let still = StillImage(
        jpegData: Data([0xFF, 0xD8]), size: PixelSize(width: 3, height: 4), fileURL: url)
      return PickedMedia(originalImage: still, imageURL: url)
    }
  }

  // MARK: Ways through a session

  /// Brings the current session to that state by inputs of a guest.
  func advance(to state: PickerMachine.State.Name) {
    let path: [PickerMachine.State.Name] = [.live, .capturing, .reviewing, .saving, .finished]
    for next in path {
      switch next {
      case .capturing: input(.shutter)
      case .reviewing: input(.captured(machine.state.candidate ?? CandidateID(rawValue: 0)))
      case .saving:
        now = now.advanced(by: .seconds(1))
        input(.accept)
      case .finished: input(.saved(machine.state.candidate ?? CandidateID(rawValue: 0)))
      default: break
      }
      if next == state { return }
    }
  }

  /// Lets the running timer fire.
  func expire() {
    guard let timer = machine.timer else { return }
    now = max(now, timer.deadline)
    input(.timer(timer.token))
  }
}

/// A coordinator as UIKit developers write one.
@MainActor final class Coordinator: ImagePickerControllerDelegate {
  var infos: [[ImagePickerController.InfoKey: Any]] = []
  var cancels = 0
  var dismisses = true

  func imagePickerController(
    _ picker: ImagePickerController,
    didFinishPickingMediaWithInfo info: [ImagePickerController.InfoKey: Any]
  ) {
    infos.append(info)
    if dismisses { picker.dismiss() }
  }

  func imagePickerControllerDidCancel(_ picker: ImagePickerController) {
    cancels += 1
    if dismisses { picker.dismiss() }
  }
}

/// A delegate that implements the newer calls.
@MainActor final class Listener: ImagePickerControllerDelegate {
  var results: [PickedMedia] = []
  var errors: [PickerError] = []
  var onOutcome: (@MainActor (ImagePickerController) -> Void)?

  func imagePickerController(
    _ picker: ImagePickerController,
    didFinishPickingMediaWithInfo info: [ImagePickerController.InfoKey: Any]
  ) {}

  func imagePickerController(
    _ picker: ImagePickerController, didFinishPicking results: [PickedMedia]
  ) {
    self.results = results
    onOutcome?(picker)
  }

  func imagePickerController(
    _ picker: ImagePickerController, didFailWith error: PickerError
  ) {
    errors.append(error)
    onOutcome?(picker)
  }
}
