import Capture
import FoundationEssentials
import Glibc
import ImagePicker
import Platform
import StationConfiguration

/// The station as the host of pickers: what `ImagePickerController` asks and tells.
///
/// It answers from what the camera and the library last said. Sessions that a button began belong
/// to nobody here.
@MainActor final class StationPickerHost: ImagePickerHost {
  let presenter = PickerPresenter()
  private weak var station: Station?
  private var lastSession: SessionID?
  /// The last session that a presentation began; its camera and flash are given back.
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
    // Movies that were saved can be chosen also where none can be taken.
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
    // A session of somebody at the button keeps its camera.
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

  /// After a session: the camera and its flash are as configured.
  private func restoreCamera() {
    guard let station else { return }
    if station.flashMode != .auto { station.flashMode = .auto }
    Task { await station.camera.giveBack() }
  }

  func send(_ event: PickerMachine.Event, session: SessionID) {
    station?.core.perform { $0.send(event, session: session) }
  }

  // MARK: What the station tells

  /// What the station's loop tells, in its order.
  enum Event: Sendable {
    /// A session has an outcome, with what it gave.
    case outcome(SessionID, PickerMachine.Outcome, Picked?)
    /// This is the present session now; nil: there is none.
    case session(SessionID?)
    /// The review of the present session offers these frames; nil: none.
    case frames(SessionID, ReviewFrames?)
  }

  /// Passes it on to whoever presented the session.
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
  /// Presents the picker on this station; its delegate hears the outcome.
  ///
  /// Throws without presenting anything if its settings cannot be met now, or another presentation
  /// is up.
  @MainActor public func present(
    _ picker: ImagePickerController,
    as style: ImagePickerController.PresentationStyle = .fullScreen
  ) async throws(PickerError) {
    try await pickerHost.present(picker, as: style)
  }

  /// Presents a picker for the request and waits for what is picked.
  ///
  /// Cancelling the task cancels the session; a save that runs by then is still reported.
  @MainActor public func pick(
    _ request: PickRequest, as style: ImagePickerController.PresentationStyle = .fullScreen
  ) async throws(PickerError) -> PickerResult {
    try await pickerHost.pick(request, as: style)
  }
}

extension AccessProblem {
  /// Makes one of another part's message, which may have its own fix in it.
  init(who: String, what: String, why: String, telling message: String) {
    let sign = ". Fix: "
    guard let range = message.firstRange(of: sign) else {
      self.init(who: who, what: what, why: why, fix: message)
      return
    }
    let (reason, fix) = (message[..<range.lowerBound], message[range.upperBound...])
    self.init(who: who, what: what, why: "\(why): \(reason)", fix: String(fix))
  }

  static let stationEnded = AccessProblem(
    who: "the program", what: "the station", why: "it has ended", fix: "start it again")

  init(_ reason: PickerReason) {
    self.init(
      who: "the station", what: "the camera", why: reason.guestMessage,
      fix: "'retake cameras' lists the cameras and what keeps one from use")
  }
}
