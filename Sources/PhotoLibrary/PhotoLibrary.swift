import Platform
import Synchronization

/// An album of photos on the disk that a power cut cannot hurt.
///
/// A still becomes a photo in two steps. ``prepare(segments:)`` writes and syncs it into an unnamed
/// file while the guest looks at it; ``commit(_:)`` gives it a name and syncs the directory. What
/// was not committed is findable nowhere, and what `commit` returned is there after any power cut.
///
/// All calls block, on a disk that may be slow: make them on a worker thread. They may come from
/// any thread and are done one after the other.
///
/// On the disk, below the root: `ALBUM/IMG_00000001.jpg` and so on; `.retake.lock`, which the
/// running station holds; `.retake.ALBUM.sequence`, the highest number that was ever promised to a
/// photo. It lies beside the album so that it outlives it.
public final class PhotoLibrary: Sendable {
  /// What it was opened with.
  public let configuration: LibraryConfiguration
  // Held during the calls to the disk, against the rule for locks: it is the queue of those who
  // write to this album, and nobody who must not wait comes here.
  private let store: Mutex<AlbumStore>
  private let system: any SystemCalls
  private let log = Log("library")

  /// Opens the album, and makes it where it is missing; removes what a crash left half-done.
  ///
  /// A root below `/media`, `/mnt` or `/run/media` is not made on the system's own disk: there its
  /// absence means that a disk is not mounted.
  public init(
    configuration: LibraryConfiguration, system: any SystemCalls = LinuxSystemCalls()
  ) throws(LibraryError) {
    self.configuration = configuration
    self.system = system
    store = Mutex(try AlbumStore.open(configuration, system))
  }

  deinit { close() }

  /// Lets other stations have the library, whoever still holds this object.
  ///
  /// From then on nothing is written: what would be is refused with ``LibraryError/Code/gone``. To
  /// close it again does nothing.
  public func close() { store.withLock { $0.close() } }

  /// Where the album is.
  public var path: String { "\(configuration.root)/\(configuration.album)" }

  /// Writes a still, given in pieces, into an unnamed file and waits until the disk has it.
  ///
  /// Also makes sure that a number is at hand, so that ``commit(_:)`` has nothing else to write.
  /// Where the file system has no unnamed files the bytes are copied and stay in memory.
  public func prepare(segments: [UnsafeRawBufferPointer]) throws(LibraryError) -> Candidate {
    try store.withLock { (store) throws(LibraryError) in try store.prepare(segments) }
  }

  /// Works on the album, one at a time.
  func withStore<Value: Sendable>(
    _ body: (inout AlbumStore, any SystemCalls) throws(LibraryError) -> Value
  ) throws(LibraryError) -> Value {
    let system = system
    return try store.withLock { (store) throws(LibraryError) in try body(&store, system) }
  }

  /// Makes the candidate a photo: a new name, never replacing a file, and a sync of the directory.
  ///
  /// After an error there is no photo. The candidate can be committed again while it is still
  /// pending; otherwise the still has to be prepared anew.
  public func commit(_ candidate: Candidate) throws(LibraryError) -> Photo {
    let photo = try store.withLock { (store) throws(LibraryError) in try store.commit(candidate) }
    log.info("saved", [("photo", photo.path), ("bytes", String(photo.bytes))])
    return photo
  }

  /// Drops the candidate; nothing of it is left.
  public func discard(_ candidate: Candidate) { _ = candidate.take() }

  /// Whether a photo of at most `bytes` bytes has a place.
  ///
  /// Ask before the countdown.
  public func room(for bytes: Int) -> StorageState {
    store.withLock { $0.room(for: bytes) }
  }

  /// The same for a movie of at most `bytes` bytes, which is there twice for a moment where the file
  /// system has no unnamed files.
  public func room(forMovieOf bytes: Int) -> StorageState {
    store.withLock { store in
      let isTwice = !store.hasUnnamedFiles && bytes <= .max / 2
      return store.room(for: isTwice ? 2 * bytes : bytes)
    }
  }

  /// Names in this album that are no photos, since their commit failed and could not be undone.
  ///
  /// For ``PhotoBrowser``.
  public var hiddenNames: Set<String> { store.withLock { $0.unwanted } }

  /// The photos of an album, by default of this one, newest first.
  public func photos(album: String? = nil) throws(LibraryError) -> [Photo] {
    let album = album ?? configuration.album
    let hidden = album.hasBytes(of: configuration.album) ? store.withLock { $0.unwanted } : []
    // Not under the lock: a long list must not keep a guest waiting.
    return try PhotoLibrary.photos(root: configuration.root, album: album, system: system)
      .filter { !hidden.contains($0.name) }
  }
}
