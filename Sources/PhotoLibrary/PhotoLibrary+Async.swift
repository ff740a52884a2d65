import Imaging
import Platform

// The calls for asynchronous code, which block no thread of Swift's pool.
extension PhotoLibrary {
  /// Opens the album of a configuration, creates it if it is missing, and removes what a crash left
  /// half-done.
  ///
  /// A root below `/media`, `/mnt` or `/run/media` is not created on the system's own disk, because
  /// its absence there means that a disk is not mounted.
  public static func open(
    _ configuration: LibraryConfiguration, system: any SystemCalls = LinuxSystemCalls()
  ) async throws(LibraryError) -> PhotoLibrary {
    try await OffPool.run("library-open") { () throws(LibraryError) in
      try PhotoLibrary(configuration: configuration, system: system)
    }
  }

  /// Saves a still as a new photo, which survives any power cut when the call returns.
  ///
  /// The call does what ``prepare(_:)`` and ``commit(_:)`` do. After an error
  /// there is no photo.
  public func save(_ still: Still) async throws(LibraryError) -> Photo {
    try await OffPool.run("library-save") { () throws(LibraryError) in
      try self.commit(self.prepare(still))
    }
  }

  /// Writes a still into an unnamed file and returns when the disk has it.
  public func prepare(_ still: Still) async throws(LibraryError) -> Candidate {
    try await OffPool.run("library-prepare") { () throws(LibraryError) in
      try self.prepare(still)
    }
  }

  /// Turns the candidate into a photo: gives it a new name and syncs the directory.
  ///
  /// The new name never replaces a file. After an error there is no photo. The candidate can be
  /// committed again while it is still pending; otherwise the still has to be prepared anew.
  public func commit(_ candidate: Candidate) async throws(LibraryError) -> Photo {
    try await OffPool.run("library-commit") { () throws(LibraryError) in
      try self.commit(candidate)
    }
  }

  /// Returns the photos of an album, by default of this one, newest first.
  public func photos(album: String? = nil) async throws(LibraryError) -> [Photo] {
    try await OffPool.run("library-list") { () throws(LibraryError) in
      try self.photos(album: album)
    }
  }
}
