import FoundationEssentials

/// A finished JPEG, which is upright, and portrait if the configuration enforces that.
///
/// This module does not parse the bytes; `Imaging` decodes them.
public struct StillImage: Hashable, Sendable {
  private enum Content: Hashable, Sendable {
    case bytes(Data)
    case source(ImageSource)
  }

  private var content: Content
  /// The width and height of the upright picture, in pixels.
  public var size: PixelSize
  /// The file with these bytes, synced to the disk; nil if there is none.
  public var fileURL: URL?

  /// The bytes of the whole JPEG file; empty if they can no longer be read.
  ///
  /// The bytes of a library's picture are read from its file on each access, which blocks.
  /// ``load()`` throws the reason why they cannot be read. A caller that needs the bytes more than
  /// once keeps the value.
  public var jpegData: Data {
    get { (try? load()) ?? Data() }
    set { content = .bytes(newValue) }
  }

  /// Creates the image of those bytes without checking them.
  public init(jpegData: Data, size: PixelSize, fileURL: URL? = nil) {
    content = .bytes(jpegData)
    self.size = size
    self.fileURL = fileURL
  }

  /// Creates an image that calls `load` for its bytes on each access.
  ///
  /// Many chosen pictures then need no more memory than one. `load` is called on the accessing
  /// thread, and may block.
  public init(
    size: PixelSize, fileURL: URL? = nil, load: @escaping @Sendable () throws -> Data
  ) {
    content = .source(ImageSource(load))
    self.size = size
    self.fileURL = fileURL
  }

  /// Returns the bytes of the whole JPEG file, or throws the reason why they can no longer be read;
  /// may block.
  public func load() throws -> Data {
    switch content {
    case .bytes(let data): data
    case .source(let source): try source.load()
    }
  }

  /// The number of bytes of memory that the picture itself holds.
  public var bytesInMemory: Int {
    if case .bytes(let data) = content { return data.count }
    return 0
  }
}

/// The source of an image's bytes; two sources are equal if they are the same object.
private final class ImageSource: Hashable, Sendable {
  let load: @Sendable () throws -> Data

  init(_ load: @escaping @Sendable () throws -> Data) { self.load = load }

  static func == (lhs: ImageSource, rhs: ImageSource) -> Bool { lhs === rhs }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
