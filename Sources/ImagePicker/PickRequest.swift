/// The settings of an ``ImagePickerController`` as a value, for code that awaits a result.
public struct PickRequest: Hashable, Sendable {
  /// The source of the pictures.
  public var source: ImagePickerController.SourceType
  /// The media types that may be picked.
  public var mediaTypes: [ImagePickerController.MediaType] = [.image]
  /// Whether the guest may crop and turn the picture before using it.
  public var allowsEditing: Bool
  /// The maximum number of items that may be chosen from a library; 0 means no limit.
  public var selectionLimit: Int
  /// The camera; nil stands for the first camera of the configuration.
  public var cameraDevice: ImagePickerController.CameraDevice?
  /// Whether the lamp is lit around the exposure.
  public var cameraFlashMode: ImagePickerController.CameraFlashMode = .auto
  /// The kind of medium that the shutter button takes.
  public var cameraCaptureMode: ImagePickerController.CameraCaptureMode = .photo
  /// The maximum movie duration; nil stands for the configuration's maximum.
  public var videoMaximumDuration: Duration?
  /// The number of frames around the press that a review offers, from 1 (only the nearest) to
  /// ``ReviewFrames/limit``; nil means the configuration's number.
  public var reviewFrames: Int?
  /// Whether the page shows its buttons.
  public var showsCameraControls = true

  /// Creates a request for pictures from `source`; presenting it checks its values.
  public init(
    source: ImagePickerController.SourceType = .photoLibrary, allowsEditing: Bool = false,
    selectionLimit: Int = 1
  ) {
    self.source = source
    self.allowsEditing = allowsEditing
    self.selectionLimit = selectionLimit
  }

  /// The part of the request that the state machine uses.
  public var machineRequest: PickerMachine.Request {
    PickerMachine.Request(
      source: source, allowsEditing: allowsEditing, selectionLimit: selectionLimit,
      mediaTypes: mediaTypes, captureMode: cameraCaptureMode, longestMovie: videoMaximumDuration,
      reviewFrames: reviewFrames)
  }

  /// Throws if `host` cannot meet the request now.
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
