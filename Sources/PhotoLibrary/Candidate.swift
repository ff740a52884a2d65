import Platform
import Synchronization

/// A still under review: on the disk already, under no name.
///
/// Dropped without ``PhotoLibrary/commit(_:)`` it is gone, as it is when the process dies.
public final class Candidate: Sendable {
  /// Where the bytes are.
  enum Content: ~Copyable, @unchecked Sendable {
    /// In an unnamed file, synced.
    case unnamed(Descriptor)
    /// Here, where the file system has no unnamed files.
    case memory([UInt8])
    /// With the photo, or nowhere.
    case spent
  }

  /// Tells candidates of one library apart.
  public let id: Int
  /// The size in bytes.
  public let bytes: Int
  /// Of the bytes as they were handed in, before the disk had them; nil for a movie, which is read
  /// once it is saved.
  public let checksum: Checksum?
  /// What it is.
  public let kind: PhotoKind
  private let content: Mutex<Content>

  init(
    id: Int, bytes: Int, checksum: Checksum?, content: consuming Content, kind: PhotoKind = .image
  ) {
    self.id = id
    self.kind = kind
    self.bytes = bytes
    self.checksum = checksum
    self.content = Mutex(content)
  }

  /// Whether it can still be committed.
  public var isPending: Bool {
    content.withLock { content in
      switch content {
      case .spent: false
      case .unnamed: true
      case .memory: true
      }
    }
  }

  /// Hands the bytes over; whoever comes second finds it spent.
  func take() -> Content {
    content.withLock { content in
      let taken = consume content
      content = .spent
      return taken
    }
  }

  /// Takes the bytes back after a commit that did not happen.
  func giveBack(_ kept: consuming Content) {
    var kept: Content? = consume kept
    content.withLock { content in if let back = kept.take() { content = back } }
  }
}
