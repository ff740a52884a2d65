/// A picker as UIKit developers know it from `UIImagePickerController`, for a booth.
///
/// Set it up, give it a delegate, and let a station present it:
///
/// ```swift
/// guard ImagePickerController.isSourceTypeAvailable(.camera) else { return }
/// let picker = ImagePickerController()
/// picker.sourceType = .camera
/// picker.delegate = coordinator
/// try await station.present(picker, as: .fullScreen)
/// ```
///
/// What is set is checked when it is presented, and changes nothing after that. The static questions
/// are answered from what the host knows, at most a second old; asking opens and blocks nothing.
@MainActor public final class ImagePickerController {
  /// The station that answers and presents; it registers itself, as an app object does on iOS.
  public static weak var host: (any ImagePickerHost)?

  private weak var ownHost: (any ImagePickerHost)?
  private var chosenDevice: CameraDevice?
  private var chosenDuration: Duration?

  /// Makes a picker with UIKit's defaults.
  ///
  /// - Parameter host: The host of this picker, which is not retained; nil: the static one.
  public init(host: (any ImagePickerHost)? = nil) {
    ownHost = host
  }

  /// Who presents it now, which need not be the host it was made with.
  weak var presentingHost: (any ImagePickerHost)?

  private var activeHost: (any ImagePickerHost)? { presentingHost ?? ownHost ?? Self.host }

  // MARK: Settings

  /// Where pictures come from; checked when presented.
  public var sourceType: SourceType = .photoLibrary
  /// What may be picked; empty or unavailable is an error when presented.
  public var mediaTypes: [MediaType] = [.image]
  /// Whether the guest may crop and turn before use.
  public var allowsEditing = false
  /// How many may be chosen from a library; 0: no limit, below 0: an error when presented.
  public var selectionLimit = 1
  /// The camera, by its name in the configuration; by default the configuration's first.
  public var cameraDevice: CameraDevice {
    get { chosenDevice ?? activeHost?.defaultCameraDevice ?? .rear }
    set { chosenDevice = newValue }
  }
  /// Whether the lamp is lit around the exposure.
  public var cameraFlashMode: CameraFlashMode = .auto
  /// What the shutter takes.
  public var cameraCaptureMode: CameraCaptureMode = .photo
  /// The longest movie; by default the configuration's, which is ten seconds where nothing is said.
  ///
  /// Zero and below, and more than the configuration allows, are errors when a movie is asked for.
  public var videoMaximumDuration: Duration {
    get { chosenDuration ?? activeHost?.longestMovie ?? .seconds(10) }
    set { chosenDuration = newValue }
  }
  /// How many frames around the press a review offers, from 1, which is only the nearest, to
  /// ``ReviewFrames/limit``; nil, the default: as many as the configuration says.
  ///
  /// A number out of range is an error when presented.
  public var reviewFrames: Int?
  /// Whether the page shows its buttons; false: buttons and keys only.
  public var showsCameraControls = true
  /// Who hears what was picked.
  ///
  /// It is not retained. Without one the picker dismisses itself.
  public weak var delegate: (any ImagePickerControllerDelegate)?

  /// The settings as a value.
  public var request: PickRequest {
    var request = PickRequest(source: sourceType)
    request.mediaTypes = mediaTypes
    request.allowsEditing = allowsEditing
    request.selectionLimit = selectionLimit
    request.cameraDevice = chosenDevice
    request.cameraFlashMode = cameraFlashMode
    request.cameraCaptureMode = cameraCaptureMode
    request.videoMaximumDuration = chosenDuration
    request.reviewFrames = reviewFrames
    request.showsCameraControls = showsCameraControls
    return request
  }

  // MARK: While presented

  /// Whether a host presents this picker now.
  public var isPresented: Bool { activeHost?.presenter.isPresenting(self) ?? false }

  /// Presses the shutter; does nothing unless presented.
  ///
  /// While a movie is recorded it takes a photo of that moment, and the movie goes on: both are
  /// picked, the movie first, or neither.
  public func takePicture() {
    send(.still)
  }

  /// Starts a movie.
  ///
  /// - Returns: Whether it runs; false if not presented or the camera records no movies.
  public func startVideoCapture() -> Bool {
    guard let host = activeHost, let session = host.presenter.session(of: self) else {
      return false
    }
    return host.startVideoCapture(session: session)
  }

  /// Ends the movie; does nothing unless one runs.
  public func stopVideoCapture() {
    guard let host = activeHost, let session = host.presenter.session(of: self) else { return }
    host.stopVideoCapture(session: session)
  }

  /// The frames around the press that the photo under review can be made of; nil: there are none.
  public var offeredFrames: ReviewFrames? { activeHost?.presenter.frames(of: self) }

  /// Chooses another of the ``offeredFrames`` for the photo under review; does nothing where there
  /// are none, or none at that index.
  ///
  /// The delegate hears of it by ``ImagePickerControllerDelegate/imagePickerController(_:didOffer:)``.
  public func chooseFrame(_ choice: FrameChoice) {
    send(.chooseFrame(choice))
  }

  /// Takes the picker away, in any state; the delegate is not told that it was cancelled.
  ///
  /// A save that runs goes on, and the delegate hears its outcome. Does nothing unless presented.
  public func dismiss() {
    guard let host = activeHost else { return }
    host.presenter.dismiss(self, on: host)
  }

  private func send(_ event: PickerMachine.Event) {
    guard let host = activeHost, let session = host.presenter.session(of: self) else { return }
    host.send(event, session: session)
  }
}

extension ImagePickerController {
  /// Whether pictures can be picked from there now; false without a host.
  public static func isSourceTypeAvailable(_ sourceType: SourceType) -> Bool {
    guard let host else { return false }
    return host.accessProblem(of: sourceType) == nil
  }

  /// What can be picked from there; nil if the source is not available.
  public static func availableMediaTypes(for sourceType: SourceType) -> [MediaType]? {
    guard let host, host.accessProblem(of: sourceType) == nil else { return nil }
    let types = host.mediaTypes(of: sourceType)
    return types.isEmpty ? nil : types
  }

  /// Whether the camera of that name gives frames now; false without a host.
  public static func isCameraDeviceAvailable(_ cameraDevice: CameraDevice) -> Bool {
    host?.isCameraDeviceAvailable(cameraDevice) ?? false
  }

  /// Whether the station may use it; `notDetermined` without a host.
  public static func authorizationStatus(for resource: Resource) -> AuthorizationStatus {
    host?.authorizationStatus(for: resource) ?? .notDetermined
  }

  /// Probes again whether the station may use it; `notDetermined` without a host.
  public static func requestAccess(for resource: Resource) async -> AuthorizationStatus {
    await host?.requestAccess(for: resource) ?? .notDetermined
  }
}
