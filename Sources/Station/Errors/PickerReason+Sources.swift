import ImagePicker
import Imaging
import Movies
import PhotoLibrary
import Platform

// The boundary to the picker and its page: guests read the sentence of the reason's code, and the
// operator reads the problem.

extension AccessProblem {
  /// Creates the problem that another module's error describes.
  ///
  /// The module's message explains `cause` where its fix stands apart. A message without a separate
  /// fix says what to do, and is the fix.
  init(
    subject: String = currentUser(), object: String, cause: String, _ error: some OperatorError
  ) {
    self.init(
      subject: subject, object: object,
      cause: error.fix == nil ? cause : "\(cause): \(error.message)",
      fix: error.fix ?? error.message)
  }

  /// Creates the problem of a library at `path` that guests cannot see.
  init(_ error: LibraryError, at path: String) {
    self.init(
      object: "the library \(path)", cause: error.cause?.reason ?? "it is not to be shown", error)
  }
}

extension PickerReason {
  /// Creates the reason for which no still could be made.
  init(_ code: Code, _ error: StillError) {
    // The page has its own words for a frame that did not come.
    let problem =
      error.code == .noFrame
      ? nil
      : AccessProblem(
        subject: "the station", object: "the frame", cause: error.cause ?? "it cannot be used",
        error)
    self.init(code, problem: problem)
  }

  /// Creates the reason for which a photo was not saved.
  init(_ error: LibraryError) {
    self.init(
      error.code == .full ? .storageFull : .saveFailed,
      problem: AccessProblem(
        object: "the library", cause: error.cause?.reason ?? "it does not take the photo", error))
  }

  /// Creates the reason for which there is no movie.
  init(movie error: MovieError) {
    let code: Code =
      switch error.code {
      case .full: .storageFull
      case .output: .saveFailed
      case .noEncoder, .unsupported: .moviesUnavailable
      case .noFrames, .encoder: .captureFailed
      }
    self.init(
      code,
      problem: AccessProblem(
        subject: "the station", object: "the movie",
        cause: error.cause?.reason ?? "it cannot be recorded", error))
  }

  /// Creates the reason for which a photo was saved without the requested edit.
  init(edit error: StillError, of path: String) {
    self.init(
      .saveFailed,
      problem: AccessProblem(
        subject: "the station", object: "the edit of \(path), which is saved as it was taken",
        cause: error.cause ?? "it cannot be made", error))
  }

  /// Creates the reason for which a chosen picture cannot be read.
  init(picture: ItemID, _ error: LibraryError) {
    self.init(
      .libraryUnavailable,
      problem: AccessProblem(
        object: "the picture \(picture.rawValue)", cause: error.cause?.reason ?? "it is gone",
        error))
  }

  /// Creates the reason for which a chosen picture cannot be decoded.
  init(picture: ItemID, _ error: StillError) {
    self.init(
      .libraryUnavailable,
      problem: AccessProblem(
        subject: "the station", object: "the picture \(picture.rawValue)",
        cause: error.cause ?? "it cannot be opened", error))
  }
}
