import Platform

/// A call of a copy that failed, and on which side.
struct CopyFailure: Error, Sendable, Hashable {
  /// What is to blame.
  enum Side: Sendable, Hashable {
    /// The photo in the library, or its album.
    case photo
    /// The directory that copies go to.
    case target
  }

  var side: Side
  var errno: Int32
  var call: String
  var path: String

  init(_ side: Side, _ error: SystemError, at path: String) {
    (self.side, errno, call) = (side, error.errno, error.call)
    self.path = error.path.map { $0.hasPrefix("/") ? $0 : path } ?? path
  }

  /// What the system said.
  var cause: SystemError { SystemError(errno: errno, call: call, path: path) }

  /// Whether the copy was given up because something else goes first.
  var isCancelled: Bool { errno == Errno.cancelled }

  /// Whether the directory has no room left for it.
  var isFull: Bool {
    side == .target && errno != Errno.fileTooLarge && LibraryError.Code(errno: errno) == .full
  }

  /// Whether the same would happen to every photo of the album.
  var isAboutAlbum: Bool { side == .target && LibraryError.Code(errno: errno) == .denied }

  /// Whether nothing else would succeed in the directory either.
  var endsRound: Bool {
    guard side == .target else { return false }
    return switch LibraryError.Code(errno: errno) {
    case .gone, .readOnly: true
    default: false
    }
  }

  /// What is wrong and how it is put right, for the operator.
  var words: String {
    let reason = SystemError.reason(errno)
    switch side {
    case .photo:
      return switch LibraryError.Code(errno: errno) {
      case .denied:
        "the photo \(path) cannot be read: \(reason); give it to the station's user (chown)"
      default:
        "the photo \(path) cannot be read: \(reason); see 'retake photos verify', and check the "
          + "library's disk"
      }
    case .target:
      if errno == Errno.notAFile {
        return "\(path) is no regular file: delete it, and the station makes its own"
      }
      // Its own limit of a file's size is no lack of room.
      if errno == Errno.fileTooLarge {
        return "\(path) is too large for that file system: format the stick with exFAT or ext4"
      }
      return switch LibraryError.Code(errno: errno) {
      case .denied:
        "no permission to write \(path); give its directory to the station's user (chown)"
      case .readOnly:
        "\(path) cannot be written: its file system is read-only; see its switch, or check it on "
          + "another computer"
      case .full: "no room is left for \(path): make some there, or plug in a larger stick"
      case .notADirectory:
        "\(path) is in the way: it is no directory, or a link, and links there are not followed; "
          + "move it away"
      default:
        "\(path) cannot be written: \(reason) (\(call)); plug in another stick if that stays"
      }
    }
  }
}

/// Why a directory cannot have copies.
enum CopyRefusal: Error, Sendable {
  /// The system's reason, which may pass.
  case failed(SystemError)
  /// The library cannot be looked at.
  case library(LibraryError)
  /// It would be no place for copies, in words with the fix.
  case unfit(String)
}
