import Platform

/// A failed call of a copy, and the side at fault.
struct CopyFailure: Error, Sendable, Hashable {
  /// The side at fault.
  enum Side: Sendable, Hashable {
    /// The photo in the library, or its album.
    case photo
    /// The target directory of the copies.
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

  /// The failed call as a system error.
  var cause: SystemError { SystemError(errno: errno, call: call, path: path) }

  /// Whether the copy was cancelled for more urgent work.
  var isCancelled: Bool { errno == Errno.cancelled }

  /// Whether the target has no room left for the photo.
  var isFull: Bool {
    side == .target && errno != Errno.fileTooLarge && LibraryError.Code(errno: errno) == .full
  }

  /// Whether the failure concerns every photo of the album.
  var isAboutAlbum: Bool { side == .target && LibraryError.Code(errno: errno) == .denied }

  /// Whether the failure concerns the whole target.
  var endsRound: Bool {
    guard side == .target else { return false }
    return switch LibraryError.Code(errno: errno) {
    case .gone, .readOnly: true
    default: false
    }
  }

  /// The problem and its fix, for the operator.
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
      // EFBIG is the file system's limit of a file's size, not a lack of room.
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

/// The reason why a directory cannot have copies.
enum CopyRefusal: Error, Sendable {
  /// The system's error, which may be temporary.
  case failed(SystemError)
  /// The library cannot be read.
  case library(LibraryError)
  /// The directory is unsuitable for copies, in words with the fix.
  case unfit(String)
}
