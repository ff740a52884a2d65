import FoundationEssentials

/// A finished JPEG: upright, portrait where that is enforced.
///
/// The module does not look into the bytes; `Imaging` decodes them.
public struct StillImage: Hashable, Sendable {
  private enum Content: Hashable, Sendable {
    case bytes(Data)
    case source(ImageSource)
  }

  private var content: Content
  /// The picture's extent, upright.
  public var size: PixelSize
  /// The durable file with these bytes; nil: the picture has none.
  public var fileURL: URL?

  /// The whole JPEG file; empty where it can no longer be had.
  ///
  /// A picture of a library is read from its file each time, which blocks; ``load()`` says why it
  /// cannot be had. A caller that needs it more than once keeps the value.
  public var jpegData: Data {
    get { (try? load()) ?? Data() }
    set { content = .bytes(newValue) }
  }

  /// Makes the image of those bytes; nothing is checked.
  public init(jpegData: Data, size: PixelSize, fileURL: URL? = nil) {
    content = .bytes(jpegData)
    self.size = size
    self.fileURL = fileURL
  }

  /// Makes an image whose bytes `load` gives each time they are asked for.
  ///
  /// So many chosen pictures take no more memory than one. `load` may block, on any thread.
  public init(
    size: PixelSize, fileURL: URL? = nil, load: @escaping @Sendable () throws -> Data
  ) {
    content = .source(ImageSource(load))
    self.size = size
    self.fileURL = fileURL
  }

  /// Returns the whole JPEG file, or throws why it can no longer be had; it may block.
  public func load() throws -> Data {
    switch content {
    case .bytes(let data): data
    case .source(let source): try source.load()
    }
  }

  /// How many bytes of memory the picture itself holds.
  public var bytesInMemory: Int {
    if case .bytes(let data) = content { return data.count }
    return 0
  }
}

/// Where an image's bytes come from; two images are alike if they have the same source.
private final class ImageSource: Hashable, Sendable {
  let load: @Sendable () throws -> Data

  init(_ load: @escaping @Sendable () throws -> Data) { self.load = load }

  static func == (lhs: ImageSource, rhs: ImageSource) -> Bool { lhs === rhs }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
