import FoundationEssentials

/// One picked medium.
public struct PickedMedia: Sendable {
  /// What it is.
  public var mediaType: ImagePickerController.MediaType
  /// The picture as taken or stored; nil for a movie.
  public var originalImage: StillImage?
  /// The picture as cropped and turned; nil if it was not edited.
  public var editedImage: StillImage?
  /// What was cropped, in the original's pixels; nil if nothing was.
  public var cropRect: PixelRect?
  /// The photo's file, durable before anyone hears of it.
  public var imageURL: URL?
  /// The movie's file, durable before anyone hears of it.
  public var mediaURL: URL?
  /// What is known about the exposure.
  public var mediaMetadata: [String: any Sendable]

  /// Makes the medium; what is not given is not known.
  public init(
    mediaType: ImagePickerController.MediaType = .image, originalImage: StillImage? = nil,
    editedImage: StillImage? = nil, cropRect: PixelRect? = nil, imageURL: URL? = nil,
    mediaURL: URL? = nil, mediaMetadata: [String: any Sendable] = [:]
  ) {
    self.mediaType = mediaType
    self.originalImage = originalImage
    self.editedImage = editedImage
    self.cropRect = cropRect
    self.imageURL = imageURL
    self.mediaURL = mediaURL
    self.mediaMetadata = mediaMetadata
  }

  /// It as UIKit's delegates know it; what is not known has no key.
  public var info: [ImagePickerController.InfoKey: Any] {
    var info: [ImagePickerController.InfoKey: Any] = [.mediaType: mediaType.rawValue]
    if let originalImage { info[.originalImage] = originalImage }
    if let editedImage { info[.editedImage] = editedImage }
    if let cropRect { info[.cropRect] = cropRect }
    if let imageURL { info[.imageURL] = imageURL }
    if let mediaURL { info[.mediaURL] = mediaURL }
    if !mediaMetadata.isEmpty { info[.mediaMetadata] = mediaMetadata }
    return info
  }
}

/// How a pick ended.
public enum PickerResult: Sendable {
  /// Chosen, in the order chosen; never empty.
  case finished([PickedMedia])
  /// Nothing was chosen: the guest, the program or the time said no.
  case cancelled
}

/// How a session ended, with what was picked: what a host gives to its presenter.
public enum PickerDelivery: Sendable {
  /// Chosen, in the order chosen; durable.
  case finished([PickedMedia])
  /// Nothing was chosen.
  case cancelled
  /// The session could not go on.
  case failed(PickerReason)
}
