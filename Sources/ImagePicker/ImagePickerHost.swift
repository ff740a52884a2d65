/// An object that presents pickers: a station, or a test.
///
/// A host answers questions from state that it keeps up to date, drives a ``PickerMachine``, and
/// owns a ``PickerPresenter``. The presenter allows one presentation at a time, calls the delegates
/// and implements `pick`. The host reports to its presenter every `deliver` effect and every
/// session that has returned to `idle`.
@MainActor public protocol ImagePickerHost: AnyObject, Sendable {
  /// Returns why the source cannot be used now, or nil if it can; opens no device and does not
  /// block.
  func accessProblem(of source: ImagePickerController.SourceType) -> AccessProblem?

  /// Returns the media types that the source offers; opens no device and does not block.
  func mediaTypes(
    of source: ImagePickerController.SourceType
  ) -> [ImagePickerController.MediaType]

  /// The first camera of the configuration; nil if it names none.
  var defaultCameraDevice: ImagePickerController.CameraDevice? { get }

  /// The maximum movie duration that a request may ask for.
  var longestMovie: Duration { get }

  /// Returns whether the camera with that name delivers frames now; opens no device and does not
  /// block.
  func isCameraDeviceAvailable(_ device: ImagePickerController.CameraDevice) -> Bool

  /// Returns whether the station may use the resource, as last probed; opens no device and does not
  /// block.
  func authorizationStatus(
    for resource: ImagePickerController.Resource
  ) -> ImagePickerController.AuthorizationStatus

  /// Probes again whether the station may use the resource, and returns the new status.
  func requestAccess(
    for resource: ImagePickerController.Resource
  ) async -> ImagePickerController.AuthorizationStatus

  /// The presenter of this host, always the same object.
  var presenter: PickerPresenter { get }

  /// Sends `begin` to the machine and shows the picker in the given style.
  ///
  /// The presenter has checked the request. Throws `alreadyPresenting` if the machine is occupied,
  /// and `sessionFailed` with the machine's reason if the machine refused.
  func beginSession(
    _ request: PickRequest, as style: ImagePickerController.PresentationStyle
  ) async throws(PickerError) -> SessionID

  /// Sends the event to the machine with the current time.
  func send(_ event: PickerMachine.Event, session: SessionID)

  /// Starts recording a movie and returns whether it runs; the default implementation returns
  /// false.
  func startVideoCapture(session: SessionID) -> Bool

  /// Ends the recording; the default implementation does nothing.
  func stopVideoCapture(session: SessionID)
}

extension ImagePickerHost {
  /// Ten seconds.
  public var longestMovie: Duration { .seconds(10) }

  /// Returns false without recording a movie.
  public func startVideoCapture(session: SessionID) -> Bool { false }

  /// Does nothing.
  public func stopVideoCapture(session: SessionID) {}

  /// Presents the picker, whose delegate is notified of the outcome.
  ///
  /// Throws without presenting anything if the picker's settings cannot be met now or another
  /// presentation is active. After a `dismiss`, this waits for the dismissed session's outcome
  /// first.
  public func present(
    _ picker: ImagePickerController,
    as style: ImagePickerController.PresentationStyle = .fullScreen
  ) async throws(PickerError) {
    try await presenter.present(picker, as: style, on: self)
  }

  /// Presents a picker for the request and waits for what is picked.
  ///
  /// Cancelling the task cancels the session; the result of a save in progress is still returned.
  /// Throws the errors of `present`, and `sessionFailed` if the session failed.
  public func pick(
    _ request: PickRequest, as style: ImagePickerController.PresentationStyle = .fullScreen
  ) async throws(PickerError) -> PickerResult {
    try await presenter.pick(request, as: style, on: self)
  }
}
