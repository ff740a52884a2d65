import CLinux
import Glibc
import Imaging
import Platform

/// A file that appears under its name only when it is whole and synced.
///
/// Until then it has no name, where the file system can do that: nothing is left of it however the
/// program ends. Elsewhere it has a hidden one.
struct OutputFile: ~Copyable {
  private let path: String
  private let temporary: String
  private let directory: String
  private let number: Int32
  private var hasTemporaryName: Bool
  private let isUnnamed: Bool

  /// Makes the file beside `path`, so that it can be moved there in one step.
  ///
  /// A link is followed. What exists and is no regular file is refused: moving a file there would
  /// replace a device or a pipe.
  static func create(_ name: String) throws(StationError) -> OutputFile {
    guard name != "-" else {
      throw StationError(.configuration, "photos are written to files only; name one, not '-'")
    }
    var status = stat()
    var path = name
    if lstat(name, &status) == 0 {
      guard let resolved = realpath(name, nil) else {
        throw StationError(.configuration, "'\(name)' is a link that leads nowhere; name a file")
      }
      defer { free(resolved) }
      path = String(cString: resolved)
      guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
        throw StationError(.configuration, "'\(name)' is a directory; name a file in it")
      }
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw StationError(
          .configuration, "'\(name)' is a device, a pipe or a socket; name a file, or a new name")
      }
    }
    let slash = path.lastIndex(of: "/")
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    let directory = slash.map { String(path[...$0]) } ?? "./"
    guard !name.isEmpty, name != ".", name != ".." else {
      throw StationError(.configuration, "'\(path)' names no file; name one that ends with .jpg")
    }
    let temporary = "\(directory).retake-\(getpid())-\(name.prefix(200)).part"
    // Without /proc an unnamed file can never get a name.
    var number = Int32(-1)
    if access("/proc/self/fd", X_OK) == 0 {
      number = open(directory, clinux_o_tmpfile | O_WRONLY | O_CLOEXEC, 0o644)
    }
    let isUnnamed = number >= 0
    if !isUnnamed {
      number = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
    }
    guard number >= 0 else { throw problem("open", path) }
    return OutputFile(
      path: path, temporary: temporary, directory: directory, number: number,
      isUnnamed: isUnnamed)
  }

  private init(
    path: String, temporary: String, directory: String, number: Int32, isUnnamed: Bool
  ) {
    self.path = path
    self.temporary = temporary
    self.directory = directory
    self.number = number
    self.hasTemporaryName = !isUnnamed
    self.isUnnamed = isUnnamed
  }

  /// The file, for who writes it by itself; valid as long as this lives.
  var descriptor: Int32 { number }

  /// Adds `parts` to the file.
  func write(_ parts: UnsafeBufferPointer<iovec>) throws(StationError) {
    for part in parts {
      var rest = UnsafeRawBufferPointer(start: part.iov_base, count: part.iov_len)
      while !rest.isEmpty {
        let count = Glibc.write(number, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw Self.problem("write", path) }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      }
    }
  }

  /// Writes a still to it.
  func write(_ still: Still) throws(StationError) {
    let written = still.withParts { parts -> Result<Void, StationError> in
      do throws(StationError) {
        return .success(try write(parts))
      } catch {
        return .failure(error)
      }
    }
    try written.get()
  }

  /// Syncs it and gives it its name; returns the absolute path.
  mutating func publish() throws(StationError) -> String {
    guard fsync(number) == 0 else { throw Self.problem("fsync", path) }
    // A link does not replace what is there; a move does, in one step.
    if !hasTemporaryName {
      unlink(temporary)
      guard clinux_link_unnamed(number, AT_FDCWD, temporary) == 0 else {
        throw Self.problem("link", path)
      }
      hasTemporaryName = true
    }
    guard rename(temporary, path) == 0 else { throw Self.problem("rename", path) }
    hasTemporaryName = false
    // Once more for FAT, whose new name has no bytes until then; it has no unnamed files.
    if !isUnnamed, fsync(number) != 0 { throw Self.problem("fsync", path) }
    let parent = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if parent >= 0 {
      fsync(parent)
      close(parent)
    }
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  deinit {
    close(number)
    if hasTemporaryName { unlink(temporary) }
  }

  private static func problem(_ call: String, _ path: String) -> StationError {
    let error = SystemError(errno: errno, call: call, path: path)
    switch error.errno {
    case EACCES, EPERM:
      return StationError(
        .noPermission, "'\(path)' cannot be written: \(error.reason); choose a place that is yours",
        cause: error)
    case ENOENT, ENOTDIR:
      return StationError(
        .cannotSave, "the directory of '\(path)' does not exist; make it first", cause: error)
    case ENOSPC, EDQUOT:
      return StationError(
        .cannotSave, "'\(path)' cannot be written: there is no room left; free some", cause: error)
    default:
      return StationError(
        .cannotSave, "'\(path)' cannot be written: \(error.reason)", cause: error)
    }
  }
}
