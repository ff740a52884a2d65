import Platform

/// A movie that grows on the disk, under no name.
///
/// Whoever records writes to its descriptor. Dropped, it is gone, as it is when the process dies.
/// Once it is prepared, its bytes stay readable here until this is dropped, for the review.
public final class Recording: @unchecked Sendable {
  // Unchecked: the descriptor does not change as long as this lives.
  private let file: Descriptor
  private let system: any SystemCalls

  init(_ file: consuming Descriptor, system: any SystemCalls) {
    self.file = file
    self.system = system
  }

  /// The file, for who writes it; valid as long as this lives.
  public var descriptor: Int32 { file.number }

  /// A further descriptor of the file, for who reads it by parts (`pread(2)`).
  public func duplicate() throws(SystemError) -> Descriptor {
    let number = system.retrying { $0.duplicate(descriptor) }
    return Descriptor(owning: try system.check(number, "dup"), system: system)
  }
}

extension PhotoLibrary {
  /// Opens a file for a movie, and makes sure that a number is at hand.
  ///
  /// Where the file system has no unnamed files it is in memory.
  public func beginMovie() throws(LibraryError) -> Recording {
    try withStore { (store, system) throws(LibraryError) in
      Recording(try store.beginMovie(), system: system)
    }
  }

  /// Waits until the disk has the whole movie; then it can be committed.
  public func prepare(_ movie: Recording, bytes: Int) throws(LibraryError) -> Candidate {
    let path = path
    return try withStore { (store, _) throws(LibraryError) in
      let file: Descriptor
      do throws(SystemError) {
        file = try movie.duplicate()
      } catch {
        throw LibraryError(error, at: path)
      }
      return try store.prepare(file, bytes: bytes)
    }
  }
}
