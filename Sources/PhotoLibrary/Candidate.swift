import Platform
import Synchronization

/// A still or movie under review: already on the disk, without a name.
///
/// A candidate that is released without ``PhotoLibrary/commit(_:)`` is lost, as it is when the
/// process dies.
public final class Candidate: Sendable {
  /// The place of the bytes.
  enum Content: ~Copyable, @unchecked Sendable {
    /// In an unnamed file, synced.
    case unnamed(Descriptor)
    /// In memory, where the file system has no unnamed files.
    case memory([UInt8])
    /// Moved into the photo, or lost.
    case spent
  }

  /// The number that identifies the candidate among those of its library.
  public let id: Int
  /// The size in bytes.
  public let bytes: Int
  /// The checksum of the bytes in memory, before they were written.
  ///
  /// A movie has none here, because it is read after it was saved.
  public let checksum: Checksum?
  /// The kind of file.
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

  /// Whether the candidate can still be committed.
  public var isPending: Bool {
    content.withLock { content in
      switch content {
      case .spent: false
      case .unnamed: true
      case .memory: true
      }
    }
  }

  /// Takes the bytes out; a second call returns `spent`.
  func take() -> Content {
    content.withLock { content in
      let taken = consume content
      content = .spent
      return taken
    }
  }

  /// Puts the bytes back after a failed commit.
  func giveBack(_ kept: consuming Content) {
    var kept: Content? = consume kept
    content.withLock { content in if let back = kept.take() { content = back } }
  }
}
