import Imaging
import Platform
import Synchronization

/// An album of photos on the disk that a power cut cannot hurt.
///
/// A still becomes a photo in two steps. ``prepare(segments:)`` writes and syncs it into an unnamed
/// file while the guest looks at it. ``commit(_:)`` gives it a name and syncs the directory. A
/// still that was not committed leaves no file. A photo that `commit` returned survives any power
/// cut.
///
/// Calls may come from any thread and are serialized. Calls that are not asynchronous block, on a
/// disk that may be slow; they belong on a worker thread. ``open(_:system:)`` and ``save(_:)`` are
/// for asynchronous code.
///
/// The disk has these files below the root: `ALBUM/IMG_00000001.jpg` and so on; `.retake.lock`,
/// which the running station holds; and `.retake.ALBUM.sequence`, the highest number that was ever
/// reserved for a photo. The sequence lies beside the album so that it outlives the album.
public final class PhotoLibrary: Sendable {
  /// The configuration that the library was opened with.
  public let configuration: LibraryConfiguration
  // The lock is held during calls to the disk, an exception to the rule for locks. The threads that
  // write to this album queue here, and no thread that must not block takes the lock.
  private let store: Mutex<AlbumStore>
  private let system: any SystemCalls
  private let log = Log("library")

  /// Opens the album, creates it if it is missing, and removes what a crash left half-done.
  ///
  /// A root below `/media`, `/mnt` or `/run/media` is not created on the system's own disk, because
  /// its absence there means that a disk is not mounted.
  @available(*, noasync, message: "this call blocks; await 'PhotoLibrary.open'")
  public init(
    configuration: LibraryConfiguration, system: any SystemCalls = LinuxSystemCalls()
  ) throws(LibraryError) {
    self.configuration = configuration
    self.system = system
    store = Mutex(try AlbumStore.open(configuration, system))
  }

  deinit { close() }

  /// Releases the library for other stations, even if other owners still hold this object.
  ///
  /// Later calls write nothing and throw ``LibraryError/Code/gone``. Closing again has no effect.
  public func close() { store.withLock { $0.close() } }

  /// The album's path.
  public var path: String { "\(configuration.root)/\(configuration.album)" }

  /// Writes a still, given in pieces, into an unnamed file and blocks until the disk has it.
  ///
  /// The call also reserves a number, so that ``commit(_:)`` has nothing else to write. Where the
  /// file system has no unnamed files, the bytes are copied and stay in memory.
  @available(*, noasync, message: "this call blocks; await 'prepare' of a still")
  public func prepare(segments: [UnsafeRawBufferPointer]) throws(LibraryError) -> Candidate {
    try store.withLock { (store) throws(LibraryError) in try store.prepare(segments) }
  }

  /// Writes a still into an unnamed file and blocks until the disk has it.
  @available(*, noasync, message: "this call blocks; await the asynchronous one")
  package func prepare(_ still: Still) throws(LibraryError) -> Candidate {
    let result = still.withParts { parts -> Result<Candidate, LibraryError> in
      do throws(LibraryError) {
        return .success(
          try prepare(
            segments: parts.map { UnsafeRawBufferPointer(start: $0.iov_base, count: $0.iov_len) }))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Calls `body` with exclusive access to the album.
  func withStore<Value: Sendable>(
    _ body: (inout AlbumStore, any SystemCalls) throws(LibraryError) -> Value
  ) throws(LibraryError) -> Value {
    let system = system
    return try store.withLock { (store) throws(LibraryError) in try body(&store, system) }
  }

  /// Turns the candidate into a photo: gives it a new name and syncs the directory.
  ///
  /// The new name never replaces a file. After an error there is no photo. The candidate can be
  /// committed again while it is still pending; otherwise the still has to be prepared anew.
  @available(*, noasync, message: "this call blocks; await the asynchronous one")
  package func commit(_ candidate: Candidate) throws(LibraryError) -> Photo {
    let photo = try store.withLock { (store) throws(LibraryError) in try store.commit(candidate) }
    log.info("saved", [("photo", photo.path), ("bytes", String(photo.bytes))])
    return photo
  }

  /// Discards the candidate and its bytes.
  public func discard(_ candidate: Candidate) { _ = candidate.take() }

  /// Returns whether the disk has room for a photo of at most `bytes` bytes.
  ///
  /// Call it before the countdown.
  public func room(for bytes: Int) -> StorageState {
    store.withLock { $0.room(for: bytes) }
  }

  /// Returns whether the disk has room for a movie of at most `bytes` bytes.
  ///
  /// Where the file system has no unnamed files, the movie needs its room twice for a moment.
  public func room(forMovieOf bytes: Int) -> StorageState {
    store.withLock { store in
      let isTwice = !store.hasUnnamedFiles && bytes <= .max / 2
      return store.room(for: isTwice ? 2 * bytes : bytes)
    }
  }

  /// The names of the album's files whose commit failed and could not be undone.
  ///
  /// ``PhotoBrowser`` hides them.
  public var hiddenNames: Set<String> { store.withLock { $0.unwanted } }

  /// Returns the photos of an album, by default of this one, newest first.
  @available(*, noasync, message: "this call blocks; await the asynchronous one")
  package func photos(album: String? = nil) throws(LibraryError) -> [Photo] {
    let album = album ?? configuration.album
    let hidden = album.hasBytes(of: configuration.album) ? store.withLock { $0.unwanted } : []
    // The listing runs outside the lock, so that a long list does not delay a guest's photo.
    return try PhotoLibrary.photos(root: configuration.root, album: album, system: system)
      .filter { !hidden.contains($0.name) }
  }
}
