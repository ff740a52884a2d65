import CLinux
import Glibc
import Platform

extension LibraryDesk {
  /// The result of an export.
  public struct Export: Sendable, Hashable, Encodable {
    /// The number of pictures that were written.
    public var written = 0
    /// The number of pictures that existed before, with the same bytes.
    public var present = 0
    /// The pictures that were left out, with the reason.
    public var refused: [String] = []
  }

  /// Copies an album's pictures into a directory, which is created if it is missing.
  ///
  /// No file is replaced. When the call returns, all files are on the disk and have been read back.
  /// With `asRoot` the directory is opened as root, although the process has become the library's
  /// owner. A disk that does not answer makes the call throw. Blocks on the disks.
  public func export(
    album: String, toDirectory path: String, asRoot: Bool = false,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws(LibraryError) -> Export {
    let source = OpenDirectory(try catalog.open(album: album))
    let target = try openTarget(path, asRoot)
    let origin = "\(catalog.root)/\(album)"
    let total = try catalog.size(album: album).photos
    var export = Export()
    var done = 0
    let system = SteppedSystemCalls(asRoot ? RaisedSystemCalls(in: target.number) : system)
    try forEach(album: album) { entry throws(LibraryError) in
      let result = try exporting(to: path) { () throws(SystemError) in
        try onDisk(of: path, isWriting: true) { () throws(SystemError) in
          LibraryDesk.copy(entry, from: source, at: origin, to: target, path: path, system)
        }
      }
      do throws(CopyFailure) {
        switch try result.get() {
        case .copied: export.written += 1
        case .present: export.present += 1
        case .conflict:
          export.refused.append("\(path)/\(entry.photo.name) is another picture, and was left")
        case .damaged:
          export.refused.append("\(entry.photo.path) is not what was saved")
        case .gone: break
        }
      } catch {
        // A photo that cannot be read does not stop the others.
        guard error.side == .photo else { throw LibraryError(exporting: error.cause, to: path) }
        export.refused.append(error.words)
      }
      done += 1
      progress(done, max(total, done))
    }
    try exporting(to: path) { () throws(SystemError) in
      try onDisk(of: path, isWriting: true) { () throws(SystemError) in
        _ = try system.check(system.retrying { $0.fsync(target.number) }, "fsync", path)
      }
    }
    return export
  }

  private func exporting<Value>(
    to path: String, _ body: () throws(SystemError) -> Value
  ) throws(LibraryError) -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      throw LibraryDesk.refusal(error, at: path)
    }
  }

  private static func copy(
    _ entry: CatalogEntry, from source: OpenDirectory, at origin: String,
    to target: OpenDirectory, path: String, _ system: any SystemCalls
  ) -> Result<FileCopy.Result, CopyFailure> {
    do throws(CopyFailure) {
      return .success(
        try FileCopy(system: system).copy(
          entry.photo.name, from: source.number, at: origin, to: target.number, path: path,
          expected: entry.checksum))
    } catch {
      return .failure(error)
    }
  }

  /// Throws if the disk of a directory does not answer; ignores all other errors.
  ///
  /// This read comes before any write, because a silent disk is abandoned sooner for a read than
  /// for a write.
  func look(at path: String) throws(SystemError) {
    let system = SteppedSystemCalls(system)
    try onDisk(of: path) { () throws(SystemError) in
      let fd = system.open(path, clinux_o_directory | clinux_o_path, 0)
      guard fd >= 0 else { return }
      var status = statfs()
      _ = system.fstatfs(fd, &status)
      _ = system.close(fd)
    }
  }

  private func openTarget(_ path: String, _ asRoot: Bool) throws(LibraryError) -> OpenDirectory {
    let system = SteppedSystemCalls(asRoot ? RaisedSystemCalls() : system)
    let isRoot = asRoot || geteuid() == 0
    return try exporting(to: path) { () throws(SystemError) in
      for place in [LibraryDesk.split(path).parent, path] { try look(at: place) }
      return try onDisk(of: path, isWriting: true) { () throws(SystemError) in
        OpenDirectory(try LibraryDesk.makeDirectory(path, isRoot: isRoot, system))
      }
    }
  }

  private static func makeDirectory(
    _ path: String, isRoot: Bool, _ system: any SystemCalls
  ) throws(SystemError) -> Descriptor {
    let (parent, name) = split(path)
    guard isRoot else {
      let folder = try Descriptor(opening: parent, flags: clinux_o_directory, system: system)
      try make(name, in: folder.number, path, system)
      return try Descriptor(opening: path, flags: clinux_o_directory, system: system)
    }
    let walk = try RootWalk.to(path, system: system)
    if walk.missing.isEmpty { return try walk.open(path) }
    guard walk.missing.count == 1 else {
      throw SystemError(errno: Errno.noEntry, call: "open", path: parent)
    }
    let folder = try RootWalk.to(parent, system: system).open(parent)
    try make(walk.missing[0], in: folder.number, path, system)
    return try RootWalk.to(path, system: system).open(path)
  }

  private static func make(
    _ name: String, in folder: Int32, _ path: String, _ system: any SystemCalls
  ) throws(SystemError) {
    let made = system.mkdirat(folder, name, 0o755)
    guard made != -Errno.exists else { return }
    try system.check(made, "mkdir", path)
    try system.check(system.fsync(folder), "fsync", path)
  }

  static func refusal(_ error: SystemError, at path: String) -> LibraryError {
    guard error.errno == Errno.loop else { return LibraryError(exporting: error, to: path) }
    return LibraryError(
      .denied,
      "\(error.path ?? path) is a link that others than root can change, and root follows none",
      fix: "name the place that it leads to", cause: error)
  }

  static func split(_ path: String) -> (parent: String, name: String) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let parent = String(path[..<slash])
    return (parent.isEmpty ? "/" : parent, String(path[path.utf8.index(after: slash)...]))
  }
}
