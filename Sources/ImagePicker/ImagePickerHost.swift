/// Who presents pickers: a station, or a test.
///
/// A host answers questions from state that it keeps up to date, drives a ``PickerMachine``, and owns
/// a ``PickerPresenter``, which does the rest: one presentation at a time, delegates, `pick`. It
/// tells its presenter of every `deliver` effect, and of every session that has gone back to `idle`.
@MainActor public protocol ImagePickerHost: AnyObject, Sendable {
  /// Why the source cannot be used now; nil: it can. Opens and blocks nothing.
  func accessProblem(of source: ImagePickerController.SourceType) -> AccessProblem?

  /// What the source has; opens and blocks nothing.
  func mediaTypes(
    of source: ImagePickerController.SourceType
  ) -> [ImagePickerController.MediaType]

  /// The configuration's first camera; nil: there is none.
  var defaultCameraDevice: ImagePickerController.CameraDevice? { get }

  /// The longest movie that can be asked for.
  var longestMovie: Duration { get }

  /// Whether the camera of that name gives frames now; opens and blocks nothing.
  func isCameraDeviceAvailable(_ device: ImagePickerController.CameraDevice) -> Bool

  /// Whether the station may use the resource, as last probed; opens and blocks nothing.
  func authorizationStatus(
    for resource: ImagePickerController.Resource
  ) -> ImagePickerController.AuthorizationStatus

  /// Probes again, and reports.
  func requestAccess(
    for resource: ImagePickerController.Resource
  ) async -> ImagePickerController.AuthorizationStatus

  /// The one presenter of this host.
  var presenter: PickerPresenter { get }

  /// Sends `begin` to the machine and shows the picker in that style.
  ///
  /// The request has been checked. Throws `alreadyPresenting` if the machine is occupied, and
  /// `sessionFailed` with the machine's reason if it refused.
  func beginSession(
    _ request: PickRequest, as style: ImagePickerController.PresentationStyle
  ) async throws(PickerError) -> SessionID

  /// Sends the event, dated now, to the machine.
  func send(_ event: PickerMachine.Event, session: SessionID)

  /// Starts a movie; returns whether it runs. By default false: the host records none.
  func startVideoCapture(session: SessionID) -> Bool

  /// Ends the movie; by default nothing.
  func stopVideoCapture(session: SessionID)
}

extension ImagePickerHost {
  /// Ten seconds.
  public var longestMovie: Duration { .seconds(10) }

  /// Records no movies.
  public func startVideoCapture(session: SessionID) -> Bool { false }

  /// Records no movies.
  public func stopVideoCapture(session: SessionID) {}

  /// Presents the picker; its delegate hears the outcome.
  ///
  /// Throws without presenting anything if the picker's settings cannot be met now or another
  /// presentation is up. After a `dismiss` it waits for the dismissed session's outcome.
  public func present(
    _ picker: ImagePickerController,
    as style: ImagePickerController.PresentationStyle = .fullScreen
  ) async throws(PickerError) {
    try await presenter.present(picker, as: style, on: self)
  }

  /// Presents a picker for the request and waits for what is picked.
  ///
  /// Cancelling the task cancels the session; a save that runs by then is still reported. Throws as
  /// `present` does, and if the session failed.
  public func pick(
    _ request: PickRequest, as style: ImagePickerController.PresentationStyle = .fullScreen
  ) async throws(PickerError) -> PickerResult {
    try await presenter.pick(request, as: style, on: self)
  }
}
