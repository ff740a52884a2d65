import FoundationEssentials

/// One picked medium.
public struct PickedMedia: Sendable {
  /// The kind of the medium.
  public var mediaType: ImagePickerController.MediaType
  /// The picture as taken or stored; nil for a movie.
  public var originalImage: StillImage?
  /// The picture as cropped and turned; nil if it was not edited.
  public var editedImage: StillImage?
  /// The crop rectangle, in the original's pixels; nil if the picture was not cropped.
  public var cropRect: PixelRect?
  /// The photo's file, which was synced to the disk before the outcome was delivered.
  public var imageURL: URL?
  /// The movie's file, which was synced to the disk before the outcome was delivered.
  public var mediaURL: URL?
  /// The known properties of the exposure.
  public var mediaMetadata: [String: any Sendable]

  /// Creates a picked medium; an omitted value is unknown.
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

  /// The info dictionary that UIKit's delegates expect; an unknown value has no key.
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
  /// The guest picked these media, in the order chosen; never empty.
  case finished([PickedMedia])
  /// Nothing was picked because the guest or the program cancelled, or a time limit passed.
  case cancelled
}

/// The outcome of a session with the picked media, which a host passes to its presenter.
public enum PickerDelivery: Sendable {
  /// The guest picked these media, in the order chosen.
  case finished([PickedMedia])
  /// Nothing was picked.
  case cancelled
  /// The session failed for this reason.
  case failed(PickerReason)
}
