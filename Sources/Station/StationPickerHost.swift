import Capture
import FoundationEssentials
import Glibc
import ImagePicker
import Platform

/// The station as the host of pickers: what `ImagePickerController` asks and tells.
///
/// It answers from what the camera and the library last said. Sessions that a button began belong
/// to nobody here.
@MainActor final class StationPickerHost: ImagePickerHost {
  let presenter = PickerPresenter()
  private weak var station: Station?
  private var lastSession: SessionID?

  init(_ station: Station) { self.station = station }

  // MARK: Questions

  func accessProblem(of source: ImagePickerController.SourceType) -> AccessProblem? {
    guard let station else { return .stationEnded }
    switch source {
    case .camera: return station.cameraCondition.reason.map { $0.problem ?? .init($0) }
    case .photoLibrary, .savedPhotosAlbum:
      return AccessProblem(
        who: "the station", what: "the library", why: "photos cannot be chosen from it yet",
        fix: "use the source .camera")
    }
  }

  func mediaTypes(
    of source: ImagePickerController.SourceType
  ) -> [ImagePickerController.MediaType] { source == .camera ? [.image] : [] }

  var defaultCameraDevice: ImagePickerController.CameraDevice? {
    station.map { .init(rawValue: $0.configuration.camera.device ?? "auto") }
  }

  func isCameraDeviceAvailable(_ device: ImagePickerController.CameraDevice) -> Bool {
    guard let station, device == defaultCameraDevice else { return false }
    return station.cameraCondition.reason == nil
  }

  func authorizationStatus(
    for resource: ImagePickerController.Resource
  ) -> ImagePickerController.AuthorizationStatus {
    guard let station else { return .notDetermined }
    switch resource {
    case .camera: return station.cameraAuthorization
    case .library: return station.libraryAuthorization
    case .buttons: return .notDetermined
    }
  }

  func requestAccess(
    for resource: ImagePickerController.Resource
  ) async -> ImagePickerController.AuthorizationStatus {
    // Camera and library are probed all the time; the answer is at most seconds old.
    authorizationStatus(for: resource)
  }

  // MARK: Sessions

  func beginSession(
    _ request: PickRequest, as style: ImagePickerController.PresentationStyle
  ) async throws(PickerError) -> SessionID {
    guard let station else { throw PickerError.sessionFailed(PickerReason(.stationFault)) }
    return try await station.core.begin(request.machineRequest)
  }

  func send(_ event: PickerMachine.Event, session: SessionID) {
    station?.core.perform { $0.send(event, session: session) }
  }

  // MARK: What the station tells

  /// What the station's loop tells, in its order.
  enum Event: Sendable {
    /// A session has an outcome, with its photo if there is one.
    case outcome(SessionID, PickerMachine.Outcome, PhotoReport?)
    /// This is the present session now; nil: there is none.
    case session(SessionID?)
  }

  /// Passes it on to whoever presented the session.
  func handle(_ event: Event) {
    switch event {
    case .session(let session):
      if let lastSession, lastSession != session { presenter.sessionEnded(lastSession) }
      lastSession = session
    case .outcome(let session, .cancelled, _): presenter.deliver(.cancelled, of: session)
    case .outcome(let session, .failed(let reason), _):
      presenter.deliver(.failed(reason), of: session)
    case .outcome(let session, .finished, let report):
      guard let report else {
        return presenter.deliver(.failed(PickerReason(.stationFault)), of: session)
      }
      presenter.deliver(.finished([PickedMedia(report)]), of: session)
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

  /// What a press would meet at the camera.
  var cameraCondition: PickerMachine.Condition {
    let (camera, label, problem) = parts.withLock {
      ($0.camera, $0.cameraLabel, $0.configurationProblem)
    }
    if let problem {
      return .unavailable(
        PickerReason(
          .cameraUnavailable,
          problem: AccessProblem(
            who: "the station", what: "the configuration", why: "it cannot be used",
            fix: "\(problem); then 'retake trigger reload'")))
    }
    return PickerMachine.Condition(camera?.state ?? .stopped, label: label, error: camera?.error)
  }

  var cameraAuthorization: ImagePickerController.AuthorizationStatus {
    switch parts.withLock({ $0.camera })?.state {
    case nil, .stopped, .starting: .notDetermined
    case .denied: .denied
    default: .authorized
    }
  }

  var libraryAuthorization: ImagePickerController.AuthorizationStatus {
    switch parts.withLock({ $0.storage.state }) {
    case "starting": .notDetermined
    case "denied": .denied
    case "read-only": .restricted
    default: .authorized
    }
  }
}

extension AccessProblem {
  static let stationEnded = AccessProblem(
    who: "the program", what: "the station", why: "it has ended", fix: "start it again")

  init(_ reason: PickerReason) {
    self.init(
      who: "the station", what: "the camera", why: reason.guestMessage,
      fix: "'retake cameras' lists the cameras and what keeps one from use")
  }
}

extension PickedMedia {
  /// A photo that was just saved; its bytes are read from the durable file.
  init(_ report: PhotoReport) {
    let url = URL(fileURLWithPath: report.path)
    let still = (try? Data(contentsOf: url)).map { data in
      StillImage(
        jpegData: data, size: ImagePicker.PixelSize(width: report.width, height: report.height),
        fileURL: url)
    }
    self.init(
      originalImage: still, imageURL: url,
      mediaMetadata: [
        "camera": report.camera, "deltaMilliseconds": report.deltaMilliseconds,
        "sequence": Int(report.sequence),
      ])
  }
}
