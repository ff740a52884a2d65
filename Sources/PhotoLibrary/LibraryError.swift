import Platform

/// The reason why a photo could not be kept, or a library could not be opened.
public struct LibraryError: OperatorError, Sendable, Equatable {
  /// The kind of the problem, for programs.
  public enum Code: String, Sendable, CaseIterable {
    /// The album's name cannot be one.
    case invalidAlbum = "invalid-album"
    /// A file that is no directory has the directory's name.
    case notADirectory = "not-a-directory"
    /// The station's user has no permission to write there.
    case denied
    /// The disk cannot be written.
    case readOnly = "read-only"
    /// No room, or no quota, is left.
    case full
    /// The directory or its disk is not there.
    case gone
    /// Another station has the library.
    case inUse = "in-use"
    /// The disk reports errors.
    case failing
    /// The disk does not answer in time.
    case silent
    /// The candidate was committed, discarded, or lost with a failed commit.
    case spent
    /// The album has used all numbers of eight digits.
    case numbersUsedUp = "numbers-used-up"
    /// The photo or album does not exist.
    case notFound = "not-found"
    /// The name is already in use.
    case exists
  }

  /// The kind of the problem, for programs.
  public var code: Code
  /// The problem, in words that hold for any program.
  public var message: String
  /// The remedy in terms of a station's configuration and commands; nil if there is none.
  public var fix: String?
  /// The failed system call.
  public var cause: SystemError?

  /// Creates an error.
  public init(_ code: Code, _ message: String, fix: String? = nil, cause: SystemError? = nil) {
    self.code = code
    self.message = message
    self.fix = fix
    self.cause = cause
  }

  /// Describes a failed call on `path` in the operator's words.
  init(_ cause: SystemError, at path: String) {
    let code = Code(errno: cause.errno)
    let (reason, fix) =
      switch code {
      case .notADirectory:
        ("\(path) is not a directory", "move what is there, or set another 'library.path'")
      case .denied:
        (
          "no permission to write in \(path)",
          "give the directory to the user who runs the station (chown), or set another "
            + "'library.path'"
        )
      case .readOnly:
        (
          "\(path) cannot be written: its file system is read-only",
          "check the card or its mount"
        )
      case .full: ("no room is left in \(path)", "delete or move files there")
      case .gone: ("\(path) does not exist", "check that its disk is plugged in and mounted")
      case .silent: (LibraryError.silence(path), LibraryError.silenceFix)
      default:
        (
          "\(path) cannot be written: \(cause.reason)", "check the disk and the kernel's log"
        )
      }
    self.init(code, reason, fix: fix, cause: cause)
  }

  /// Describes a failed call on the target of an export, for the person who named the target.
  init(exporting cause: SystemError, to path: String) {
    let place = cause.path ?? path
    switch Code(errno: cause.errno) {
    case .notADirectory:
      self.init(
        .notADirectory,
        "\(place) is not a directory; name a directory, or a file that ends with .zip", cause: cause
      )
    case .denied:
      self.init(
        .denied, "no permission to write in \(place); name a directory of yours", cause: cause)
    case .gone where cause.errno == Errno.noEntry && !CopyPlace.isForeign(path):
      self.init(
        .gone, "the directory \(place) does not exist; make it, or name another place",
        cause: cause)
    default: self.init(cause, at: place)
    }
  }
}

extension LibraryError {
  /// Creates the error of a disk that did not answer in time.
  public init(_ silence: MediumSilence) {
    self.init(
      .silent, LibraryError.silence(silence.medium), fix: LibraryError.silenceFix,
      cause: silence.systemError)
  }

  /// Returns the sentence about a disk that does not answer.
  static func silence(_ path: String) -> String { "the disk of \(path) does not answer" }

  /// The fix for a disk that does not answer.
  static let silenceFix =
    "unplug it and plug it in again, or replace it; the kernel's log (dmesg) says more"
}

extension LibraryError.Code {
  /// Maps a file system's error number to the library's codes.
  init(errno: Int32) {
    self =
      switch errno {
      case Errno.notADirectory, Errno.isADirectory, Errno.loop: .notADirectory
      case Errno.accessDenied, Errno.notPermitted: .denied
      case Errno.readOnly: .readOnly
      case Errno.noSpace, Errno.quota, Errno.fileTooLarge: .full
      case Errno.noEntry, Errno.noDevice, Errno.noSuchDevice, Errno.stale, Errno.notConnected: .gone
      case Errno.timedOut: .silent
      default: .failing
      }
  }
}
