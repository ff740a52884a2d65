/// What is to be picked, as a value: the settings of an ``ImagePickerController`` for new code.
public struct PickRequest: Hashable, Sendable {
  /// Where pictures come from.
  public var source: ImagePickerController.SourceType
  /// What may be picked.
  public var mediaTypes: [ImagePickerController.MediaType] = [.image]
  /// Whether the guest may crop and turn before use.
  public var allowsEditing: Bool
  /// How many may be chosen from a library; 0: no limit.
  public var selectionLimit: Int
  /// The camera; nil: the configuration's first.
  public var cameraDevice: ImagePickerController.CameraDevice?
  /// Whether the lamp is lit around the exposure.
  public var cameraFlashMode: ImagePickerController.CameraFlashMode = .auto
  /// What the shutter takes.
  public var cameraCaptureMode: ImagePickerController.CameraCaptureMode = .photo
  /// The longest movie; nil: the configuration's.
  public var videoMaximumDuration: Duration?
  /// How many frames around the press a review offers, from 1, which is only the nearest, to
  /// ``ReviewFrames/limit``; nil: as many as the configuration says.
  public var reviewFrames: Int?
  /// Whether the page shows its buttons.
  public var showsCameraControls = true

  /// Makes the request for pictures from `source`; nothing is checked before it is presented.
  public init(
    source: ImagePickerController.SourceType = .photoLibrary, allowsEditing: Bool = false,
    selectionLimit: Int = 1
  ) {
    self.source = source
    self.allowsEditing = allowsEditing
    self.selectionLimit = selectionLimit
  }

  /// What the state machine needs of it.
  public var machineRequest: PickerMachine.Request {
    PickerMachine.Request(
      source: source, allowsEditing: allowsEditing, selectionLimit: selectionLimit,
      mediaTypes: mediaTypes, captureMode: cameraCaptureMode, longestMovie: videoMaximumDuration,
      reviewFrames: reviewFrames)
  }

  /// Checks the request against what `host` has now.
  @MainActor public func validate(on host: any ImagePickerHost) throws(PickerError) {
    if selectionLimit < 0 {
      throw PickerError(
        .selectionLimitInvalid, message: "the selection limit is \(selectionLimit)",
        fix: "set selectionLimit to 1 or more, or to 0 for no limit")
    }
    if mediaTypes.isEmpty {
      throw PickerError(
        .mediaTypesEmpty, message: "no media types are asked for",
        fix: "put at least one of availableMediaTypes(for:) into mediaTypes")
    }
    if let problem = host.accessProblem(of: source) {
      throw PickerError.sourceUnavailable(source, problem)
    }
    try validateMediaTypes(host.mediaTypes(of: source))
    try validateDuration(host.longestMovie)
    try validateFrames()
    if source == .camera, let cameraDevice, !host.isCameraDeviceAvailable(cameraDevice) {
      throw PickerError(
        .cameraDeviceUnavailable, message: "there is no camera \(cameraDevice.rawValue) now",
        fix: "plug it in, or name another one; 'retake cameras' lists them")
    }
  }

  private func validateMediaTypes(
    _ available: [ImagePickerController.MediaType]
  ) throws(PickerError) {
    var wanted = mediaTypes
    if source == .camera, cameraCaptureMode == .video { wanted.append(.movie) }
    if let missing = wanted.first(where: { !available.contains($0) }) {
      throw PickerError(
        .mediaTypeUnavailable, message: "this source has no \(missing.rawValue)",
        fix: "ask for one of availableMediaTypes(for:) only")
    }
  }

  private func validateFrames() throws(PickerError) {
    guard let reviewFrames, !(1...ReviewFrames.limit).contains(reviewFrames) else { return }
    throw PickerError(
      .reviewFramesInvalid, message: "a review cannot offer \(reviewFrames) frames",
      fix: "set reviewFrames from 1 to \(ReviewFrames.limit), or leave it out")
  }

  private func validateDuration(_ longest: Duration) throws(PickerError) {
    guard mediaTypes.contains(.movie) || (source == .camera && cameraCaptureMode == .video),
      let wanted = videoMaximumDuration
    else { return }
    if wanted <= .zero {
      throw PickerError(
        .videoDurationInvalid, message: "the longest movie is \(wanted)",
        fix: "set videoMaximumDuration above zero")
    }
    if source == .camera, wanted > longest {
      throw PickerError(
        .videoDurationInvalid, message: "the longest movie is \(wanted), more than \(longest)",
        fix: "set videoMaximumDuration to that or less, or 'movie.maximum' to more")
    }
  }
}
