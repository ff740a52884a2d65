import Platform

/// A movie that grows on the disk, in a file without a name.
///
/// The movie recorder writes to the descriptor. A recording that is released is lost, as it is when
/// the process dies. After it is prepared, its bytes stay readable through this object, for the
/// review.
public final class Recording: @unchecked Sendable {
  // Unchecked: the descriptor does not change while this object lives.
  private let file: Descriptor
  private let system: any SystemCalls

  init(_ file: consuming Descriptor, system: any SystemCalls) {
    self.file = file
    self.system = system
  }

  /// The file's descriptor for the writer, valid while this object lives.
  public var descriptor: Int32 { file.number }

  /// Duplicates the descriptor for a reader of parts of the file (`pread(2)`).
  public func duplicate() throws(SystemError) -> Descriptor {
    let number = system.retrying { $0.duplicate(descriptor) }
    return Descriptor(owning: try system.check(number, "dup"), system: system)
  }
}

extension PhotoLibrary {
  /// Opens a file for a movie, and reserves a number.
  ///
  /// Where the file system has no unnamed files, the file has a name for a moment.
  public func beginMovie() throws(LibraryError) -> Recording {
    try withStore { (store, system) throws(LibraryError) in
      Recording(try store.beginMovie(), system: system)
    }
  }

  /// Blocks until the disk has the whole movie, which can then be committed.
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
