import CLinux
import Glibc
import Imaging
import Platform
import Station

/// A file that appears under its name only when it is complete and synced.
///
/// Until then the file has no name, if the file system supports that, so a crash leaves nothing
/// behind. On other file systems it has a hidden name.
struct OutputFile: ~Copyable {
  // The path serves only for messages.
  private let path: String
  private let name: String
  private let folder: Descriptor
  private let file: Descriptor
  // The hidden name, or `nil` while the file has no name.
  private var temporary: String?
  private let isUnnamed: Bool

  /// Creates the file beside `path`, so that one rename moves it there.
  ///
  /// Links are followed. Root follows only links that no other user can have made. An existing
  /// object that is no regular file is refused, since the rename would replace a device or a pipe.
  static func create(
    _ name: String, _ system: any SystemCalls = LinuxSystemCalls()
  ) throws(StationError) -> OutputFile {
    guard name != "-" else {
      throw StationError(.configuration, "the output goes to a file only; name one, not '-'")
    }
    let place: OutputPlace
    do throws(SystemError) {
      place = try OutputPlace(name, system)
    } catch {
      throw problem(error, name)
    }
    let folder = Descriptor(owning: place.folder, system: system)
    if let refusal = place.refusal { throw StationError(.configuration, refusal) }
    let (number, temporary) = open(place, folder.number, system)
    guard number >= 0 else {
      throw problem(SystemError(errno: 0 - number, call: "open", path: place.path), place.path)
    }
    return OutputFile(
      path: place.path, name: place.name, folder: folder,
      file: Descriptor(owning: number, system: system), temporary: temporary)
  }

  // Opens a file without a name in a directory, or with the hidden name that is returned.
  private static func open(
    _ place: OutputPlace, _ directory: Int32, _ system: any SystemCalls
  ) -> (number: Int32, hidden: String?) {
    // Without /proc an unnamed file can never get a name.
    var number = system.open("/proc/self/fd", clinux_o_path | clinux_o_directory, 0)
    if number >= 0 {
      _ = system.close(number)
      number = system.retrying { $0.openat(directory, ".", clinux_o_tmpfile | O_WRONLY, 0o644) }
    }
    if number >= 0 { return (number, nil) }
    let hidden = OutputFile.hidden(place.name, 1)
    _ = system.unlinkat(directory, hidden)
    let flags = O_WRONLY | O_CREAT | O_EXCL | clinux_o_nofollow
    return (system.retrying { $0.openat(directory, hidden, flags, 0o644) }, hidden)
  }

  private init(
    path: String, name: String, folder: consuming Descriptor, file: consuming Descriptor,
    temporary: String?
  ) {
    (self.path, self.name, self.temporary) = (path, name, temporary)
    isUnnamed = temporary == nil
    self.file = file
    self.folder = folder
  }

  private static func hidden(_ name: String, _ number: Int) -> String {
    let count = number == 1 ? "" : "-\(number)"
    return DurableFile.temporaryName(of: name, prefix: ".retake-\(getpid())\(count)-")
  }

  /// The descriptor for other writers, which is valid as long as this value lives.
  var descriptor: Int32 { file.number }

  /// Appends `parts` to the file.
  func write(_ parts: UnsafeBufferPointer<iovec>) throws(StationError) {
    let (number, system) = (file.number, file.system)
    for part in parts {
      let bytes = UnsafeRawBufferPointer(start: part.iov_base, count: part.iov_len)
      do throws(SystemError) {
        try system.writeAll(number, bytes, path)
      } catch {
        throw Self.problem(error, path)
      }
    }
  }

  /// Appends a still to the file.
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

  /// Syncs the file and gives it its name; returns the absolute path.
  mutating func publish() throws(StationError) -> String {
    let (number, directory, system) = (file.number, folder.number, file.system)
    try check(system.retrying { $0.fsync(number) }, "fsync")
    // A link cannot replace an existing file, so the file gets a hidden name and is renamed.
    if temporary == nil {
      var linked = -EEXIST
      // A hidden name that cannot be removed is skipped, up to ten times.
      for count in 1...10 where linked == -EEXIST {
        let hidden = OutputFile.hidden(name, count)
        _ = system.unlinkat(directory, hidden)
        linked = system.retrying { $0.linkUnnamed(number, directory, hidden) }
        if linked >= 0 { temporary = hidden }
      }
      try check(linked, "link")
    }
    if let hidden = temporary {
      try check(system.rename(directory, hidden, name), "rename")
      temporary = nil
    }
    // On FAT, which has no unnamed files, the renamed file has no bytes before another sync.
    if !isUnnamed { try check(system.retrying { $0.fsync(number) }, "fsync") }
    let parent = system.openat(directory, ".", clinux_o_directory, 0)
    if parent >= 0 {
      _ = system.fsync(parent)
      _ = system.close(parent)
    }
    guard case .success(let real) = system.readlink("/proc/self/fd/\(directory)"),
      real.hasPrefix("/")
    else { return path }
    return real == "/" ? "/\(name)" : "\(real)/\(name)"
  }

  deinit {
    if let temporary { _ = folder.system.unlinkat(folder.number, temporary) }
  }

  private func check(_ result: Int32, _ call: String) throws(StationError) {
    if result < 0 { throw problem(result, call) }
  }

  private func problem(_ result: Int32, _ call: String) -> StationError {
    Self.problem(SystemError(errno: 0 - result, call: call, path: path), path)
  }

  private static func problem(_ error: SystemError, _ path: String) -> StationError {
    switch error.errno {
    case ELOOP:
      return StationError(
        .noPermission,
        "'\(error.path ?? path)' is a link that others than root can change, and root follows none; "
          + "name the place that it leads to", cause: error)
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
