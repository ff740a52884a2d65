import Capture
import FoundationEssentials
import Glibc
import ImagePicker
import Platform
import StationConfiguration

/// The station as the host of pickers, which answers and informs `ImagePickerController`.
///
/// The answers come from the last known states of the camera and the library. A session that began
/// with a button belongs to no presentation.
@MainActor final class StationPickerHost: ImagePickerHost {
  let presenter = PickerPresenter()
  private weak var station: Station?
  private var lastSession: SessionID?
  /// The last session that a presentation began, after which the camera and the flash are restored.
  private var presentedSession: SessionID?

  init(_ station: Station) { self.station = station }

  // MARK: Questions

  func accessProblem(of source: ImagePickerController.SourceType) -> AccessProblem? {
    guard let station else { return .stationEnded }
    switch source {
    case .camera: return station.camera.condition.reason.map { $0.problem ?? .init($0) }
    case .photoLibrary: return station.library.current.access.all
    case .savedPhotosAlbum: return station.library.current.access.own
    }
  }

  func mediaTypes(
    of source: ImagePickerController.SourceType
  ) -> [ImagePickerController.MediaType] {
    // Saved movies can be chosen even when no movies can be recorded.
    source != .camera || station?.recordsMovies == true ? [.image, .movie] : [.image]
  }

  var longestMovie: Duration { station?.configuration.movie.maximum ?? .seconds(10) }

  func startVideoCapture(session: SessionID) -> Bool {
    station?.startMovie(session) ?? false
  }

  func stopVideoCapture(session: SessionID) { send(.stopRecording, session: session) }

  var defaultCameraDevice: ImagePickerController.CameraDevice? {
    station.map { .init(rawValue: $0.camera.defaultName) }
  }

  func isCameraDeviceAvailable(_ device: ImagePickerController.CameraDevice) -> Bool {
    station?.camera.isAvailable(device.rawValue) ?? false
  }

  func authorizationStatus(
    for resource: ImagePickerController.Resource
  ) -> ImagePickerController.AuthorizationStatus {
    station?.access[resource].status ?? .notDetermined
  }

  func requestAccess(
    for resource: ImagePickerController.Resource
  ) async -> ImagePickerController.AuthorizationStatus {
    await station?.probeAccess(to: resource).status ?? .notDetermined
  }

  // MARK: Sessions

  func beginSession(
    _ request: PickRequest, as style: ImagePickerController.PresentationStyle
  ) async throws(PickerError) -> SessionID {
    guard let station else { throw PickerError.sessionFailed(PickerReason(.stationFault)) }
    let library = PickerMachine.Condition(station.library.current.access, for: request.source)
    // A session that began with a button keeps its camera.
    if request.source == .camera, await !station.core.machine.isOccupied {
      try await station.camera.borrow(request.cameraDevice)
      station.flashMode = request.cameraFlashMode
    }
    do {
      let session = try await station.core.begin(
        request.machineRequest, library: library,
        look: PageLook(style: style, showsCameraControls: request.showsCameraControls))
      presentedSession = session
      return session
    } catch {
      restoreCamera()
      throw error
    }
  }

  /// Restores the configured camera and flash after a session.
  private func restoreCamera() {
    guard let station else { return }
    if station.flashMode != .auto { station.flashMode = .auto }
    Task { await station.camera.giveBack() }
  }

  func send(_ event: PickerMachine.Event, session: SessionID) {
    station?.core.perform { $0.send(event, session: session) }
  }

  // MARK: Events

  /// An event of the station's loop; events arrive in the loop's order.
  enum Event: Sendable {
    /// The session has an outcome, and may have a result.
    case outcome(SessionID, PickerMachine.Outcome, Picked?)
    /// The present session changed; `nil` means that no session is present.
    case session(SessionID?)
    /// The review of the session offers frames; `nil` means that it offers none.
    case frames(SessionID, ReviewFrames?)
  }

  /// Passes an event to the presenter of its session.
  func handle(_ event: Event) {
    switch event {
    case .session(let session):
      if let lastSession, lastSession != session {
        if presentedSession == lastSession { restoreCamera() }
        presenter.sessionEnded(lastSession)
      }
      lastSession = session
    case .frames(let session, let frames): presenter.offer(frames, of: session)
    case .outcome(let session, .cancelled, _): presenter.deliver(.cancelled, of: session)
    case .outcome(let session, .failed(let reason), _):
      presenter.deliver(.failed(reason), of: session)
    case .outcome(let session, .finished, let picked):
      let media = picked?.media() ?? []
      guard !media.isEmpty else {
        return presenter.deliver(.failed(PickerReason(.stationFault)), of: session)
      }
      presenter.deliver(.finished(media), of: session)
    }
  }
}

extension Station {
  /// Presents the picker on this station; its delegate receives the outcome.
  ///
  /// Throws without presenting the picker when its settings cannot be met now, or when another
  /// presentation is up.
  @MainActor public func present(
    _ picker: ImagePickerController,
    as style: ImagePickerController.PresentationStyle = .fullScreen
  ) async throws(PickerError) {
    try await pickerHost.present(picker, as: style)
  }

  /// Presents a picker for the request and waits for the result.
  ///
  /// Cancelling the task cancels the session, unless a save is under way, whose result is returned.
  @MainActor public func pick(
    _ request: PickRequest, as style: ImagePickerController.PresentationStyle = .fullScreen
  ) async throws(PickerError) -> PickerResult {
    try await pickerHost.pick(request, as: style)
  }
}

extension AccessProblem {
  static let stationEnded = AccessProblem(
    subject: "the program", object: "the station", cause: "it has ended", fix: "start it again")

  init(_ reason: PickerReason) {
    self.init(
      subject: "the station", object: "the camera", cause: reason.guestMessage,
      fix: "'retake cameras' lists the cameras and what keeps one from use")
  }
}
