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
/// The settings are checked when the picker is presented; later changes have no effect on that
/// presentation. The static functions answer from the host's own records, which are at most one
/// second old; they open no device and do not block.
@MainActor public final class ImagePickerController {
  /// The station that answers the static functions and presents pickers; it registers itself, as an
  /// app object does on iOS.
  public static weak var host: (any ImagePickerHost)?

  private weak var ownHost: (any ImagePickerHost)?
  private var chosenDevice: CameraDevice?
  private var chosenDuration: Duration?

  /// Creates a picker with UIKit's defaults.
  ///
  /// - Parameter host: The host of this picker, which is not retained; nil stands for the static
  ///   ``host``.
  public init(host: (any ImagePickerHost)? = nil) {
    ownHost = host
  }

  /// The host that presents the picker now, which may differ from the host passed to `init`.
  weak var presentingHost: (any ImagePickerHost)?

  private var activeHost: (any ImagePickerHost)? { presentingHost ?? ownHost ?? Self.host }

  // MARK: Settings

  /// The source of the pictures; presenting the picker checks it.
  public var sourceType: SourceType = .photoLibrary
  /// The media types that may be picked; presenting the picker throws if the array is empty or
  /// contains an unavailable type.
  public var mediaTypes: [MediaType] = [.image]
  /// Whether the guest may crop and turn the picture before using it.
  public var allowsEditing = false
  /// The maximum number of items that may be chosen from a library; 0 means no limit, and
  /// presenting the picker throws for a negative value.
  public var selectionLimit = 1
  /// The camera, by its name in the configuration; the default is the first camera there.
  public var cameraDevice: CameraDevice {
    get { chosenDevice ?? activeHost?.defaultCameraDevice ?? .rear }
    set { chosenDevice = newValue }
  }
  /// Whether the lamp is lit around the exposure.
  public var cameraFlashMode: CameraFlashMode = .auto
  /// The kind of medium that the shutter button takes.
  public var cameraCaptureMode: CameraCaptureMode = .photo
  /// The maximum movie duration; the default is the configuration's, which is ten seconds unless
  /// the configuration sets another.
  ///
  /// If movies are asked for, presenting the picker throws for a zero or negative duration and for
  /// a duration above the configuration's maximum.
  public var videoMaximumDuration: Duration {
    get { chosenDuration ?? activeHost?.longestMovie ?? .seconds(10) }
    set { chosenDuration = newValue }
  }
  /// The number of frames around the press that a review offers, from 1 (only the nearest) to
  /// ``ReviewFrames/limit``; nil, the default, means the configuration's number.
  ///
  /// Presenting the picker throws for a number out of range.
  public var reviewFrames: Int?
  /// Whether the page shows its buttons; if false, the guest uses the hardware buttons and keys.
  public var showsCameraControls = true
  /// The object that is notified of the picked media.
  ///
  /// The picker does not retain its delegate. A picker without a delegate dismisses itself.
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

  /// Presses the shutter; does nothing unless the picker is presented.
  ///
  /// While a movie is being recorded, this takes a photo of that moment and the recording
  /// continues. The guest then picks both, with the movie first, or neither.
  public func takePicture() {
    send(.still)
  }

  /// Starts recording a movie.
  ///
  /// - Returns: Whether the recording runs; false if the picker is not presented or the camera
  ///   records no movies.
  public func startVideoCapture() -> Bool {
    guard let host = activeHost, let session = host.presenter.session(of: self) else {
      return false
    }
    return host.startVideoCapture(session: session)
  }

  /// Ends the recording; does nothing unless a movie is being recorded.
  public func stopVideoCapture() {
    guard let host = activeHost, let session = host.presenter.session(of: self) else { return }
    host.stopVideoCapture(session: session)
  }

  /// The frames around the press that the guest can choose among for the photo under review; nil if
  /// none are offered.
  public var offeredFrames: ReviewFrames? { activeHost?.presenter.frames(of: self) }

  /// Chooses another of the ``offeredFrames`` for the photo under review; does nothing if no frames
  /// are offered or the index is out of range.
  ///
  /// The delegate is notified by
  /// ``ImagePickerControllerDelegate/imagePickerController(_:didOffer:)``.
  public func chooseFrame(_ choice: FrameChoice) {
    send(.chooseFrame(choice))
  }

  /// Dismisses the picker, in any state; the delegate is not notified of the cancellation.
  ///
  /// A save in progress continues, and the delegate is notified of its outcome. Does nothing unless
  /// the picker is presented.
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
  /// Returns whether pictures can be picked from the source now; false without a host.
  public static func isSourceTypeAvailable(_ sourceType: SourceType) -> Bool {
    guard let host else { return false }
    return host.accessProblem(of: sourceType) == nil
  }

  /// Returns the media types that the source offers; nil if the source is not available.
  public static func availableMediaTypes(for sourceType: SourceType) -> [MediaType]? {
    guard let host, host.accessProblem(of: sourceType) == nil else { return nil }
    let types = host.mediaTypes(of: sourceType)
    return types.isEmpty ? nil : types
  }

  /// Returns whether the camera with that name delivers frames now; false without a host.
  public static func isCameraDeviceAvailable(_ cameraDevice: CameraDevice) -> Bool {
    host?.isCameraDeviceAvailable(cameraDevice) ?? false
  }

  /// Returns whether the station may use the resource; `notDetermined` without a host.
  public static func authorizationStatus(for resource: Resource) -> AuthorizationStatus {
    host?.authorizationStatus(for: resource) ?? .notDetermined
  }

  /// Probes again whether the station may use the resource; `notDetermined` without a host.
  public static func requestAccess(for resource: Resource) async -> AuthorizationStatus {
    await host?.requestAccess(for: resource) ?? .notDetermined
  }
}
