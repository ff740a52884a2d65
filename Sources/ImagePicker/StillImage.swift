import FoundationEssentials

/// A finished JPEG: upright, portrait where that is enforced.
///
/// The module does not look into the bytes; `Imaging` decodes them.
public struct StillImage: Hashable, Sendable {
  /// The whole JPEG file.
  public var jpegData: Data
  /// The picture's extent, upright.
  public var size: PixelSize
  /// The durable file with these bytes; nil: they are in memory only.
  public var fileURL: URL?

  /// Makes the image of those bytes; nothing is checked.
  public init(jpegData: Data, size: PixelSize, fileURL: URL? = nil) {
    self.jpegData = jpegData
    self.size = size
    self.fileURL = fileURL
  }
}
