import Platform

/// Why a photo could not be kept, or a library not be opened.
public struct LibraryError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What to do about it.
  public enum Code: String, Sendable, CaseIterable {
    /// The album's name cannot be one.
    case invalidAlbum = "invalid-album"
    /// Something else than a directory is in the way.
    case notADirectory = "not-a-directory"
    /// The user who runs the station may not write there.
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
    /// All eight digits are nines.
    case numbersUsedUp = "numbers-used-up"
    /// There is no such photo or album.
    case notFound = "not-found"
    /// What was to be made is there already.
    case exists
  }

  /// What to do about it, for programs.
  public var code: Code
  /// What is wrong and how it is put right, for the operator.
  public var message: String
  /// How it is put right, where ``message`` ends with that.
  public private(set) var fix: String?
  /// What the system said.
  public var cause: SystemError?

  /// Makes an error.
  public init(_ code: Code, _ message: String, cause: SystemError? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// Makes an error whose message is what is wrong and then the fix.
  init(_ code: Code, _ reason: String, fix: String, cause: SystemError? = nil) {
    self.init(code, "\(reason); \(fix)", cause: cause)
    self.fix = fix
  }

  /// The problem, without the fix.
  public var reason: String {
    guard let fix, message.hasSuffix("; \(fix)") else { return message }
    return String(message.dropLast(fix.count + 2))
  }

  /// The message, with the cause.
  public var description: String {
    cause.map { "\(message) [\($0)]" } ?? message
  }

  /// Puts a failed call on `path` into the operator's words.
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

  /// Puts a failed call on the place of an export into words for the person who named it.
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
  /// Says that a disk did not answer in time.
  public init(_ silence: MediumSilence) {
    self.init(
      .silent, LibraryError.silence(silence.medium), fix: LibraryError.silenceFix,
      cause: silence.systemError)
  }

  /// The problem of a disk that does not answer.
  static func silence(_ path: String) -> String { "the disk of \(path) does not answer" }

  /// How a disk that does not answer is put right.
  static let silenceFix =
    "unplug it and plug it in again, or replace it; the kernel's log (dmesg) says more"
}

extension LibraryError.Code {
  /// What an error number of a file system means for a library.
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
