import CArchive
import CLinux
import Glibc
import Platform

extension LibraryDesk {
  /// What an export did.
  public struct Export: Sendable, Hashable, Encodable {
    /// Pictures written now.
    public var written = 0
    /// Pictures that were there before, with the same bytes.
    public var present = 0
    /// Pictures left out, with the reason.
    public var refused: [String] = []
  }

  /// Copies an album's pictures into a directory, which is made where it is missing.
  ///
  /// Nothing is replaced. After it returns all of it is on the disk, read back. With `asRoot` the
  /// directory is root's, who has become the library's owner.
  public func export(
    album: String, toDirectory path: String, asRoot: Bool = false,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws(LibraryError) -> Export {
    let source = OpenDirectory(try catalog.open(album: album))
    let target = OpenDirectory(try makeDirectory(path, asRoot))
    let origin = "\(catalog.root)/\(album)"
    let total = try catalog.size(album: album).photos
    var export = Export()
    var done = 0
    let copying = FileCopy(system: asRoot ? RaisedSystemCalls(in: target.number) : system)
    try forEach(album: album) { entry throws(LibraryError) in
      do throws(CopyFailure) {
        let result = try copying.copy(
          entry.photo.name, from: source.number, at: origin, to: target.number, path: path,
          expected: entry.checksum)
        switch result {
        case .copied: export.written += 1
        case .present: export.present += 1
        case .conflict:
          export.refused.append("\(path)/\(entry.photo.name) is another picture, and was left")
        case .damaged:
          export.refused.append("\(entry.photo.path) is not what was saved")
        case .gone: break
        }
      } catch {
        // One photo that cannot be read does not keep the others.
        guard error.side == .photo else { throw LibraryError(exporting: error.cause, to: path) }
        export.refused.append(error.words)
      }
      done += 1
      progress(done, max(total, done))
    }
    do throws(SystemError) {
      try system.check(system.retrying { $0.fsync(target.number) }, "fsync", path)
    } catch {
      throw LibraryError(exporting: error, to: path)
    }
    return export
  }

  private func makeDirectory(_ path: String, _ asRoot: Bool) throws(LibraryError) -> Descriptor {
    do throws(SystemError) {
      let (parent, name) = LibraryDesk.split(path)
      let system = asRoot ? RaisedSystemCalls() : system
      guard asRoot || geteuid() == 0 else {
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
    } catch {
      throw LibraryDesk.refusal(error, at: path)
    }
  }

  private func make(
    _ name: String, in folder: Int32, _ path: String, _ system: any SystemCalls
  ) throws(SystemError) {
    let made = system.mkdirat(folder, name, 0o755)
    guard made != -Errno.exists else { return }
    try system.check(made, "mkdir", path)
    try system.check(system.fsync(folder), "fsync", path)
  }

  // The directory of a new file; as root no link of others leads to it.
  private static func openDirectory(
    _ path: String, _ system: any SystemCalls, isRoot: Bool
  ) throws(SystemError) -> Descriptor {
    guard isRoot else {
      return try Descriptor(opening: path, flags: clinux_o_directory, system: system)
    }
    return try RootWalk.to(path, system: system).open(path)
  }

  private static func refusal(_ error: SystemError, at path: String) -> LibraryError {
    guard error.errno == Errno.loop else { return LibraryError(exporting: error, to: path) }
    return LibraryError(
      .denied,
      "\(error.path ?? path) is a link that others than root can change, and root follows none; "
        + "name the place that it leads to", cause: error)
  }

  static func split(_ path: String) -> (parent: String, name: String) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let parent = String(path[..<slash])
    return (parent.isEmpty ? "/" : parent, String(path[path.index(after: slash)...]))
  }

  // MARK: - Zip

  /// Writes an album's pictures into a new zip archive; pictures are compressed already and are
  /// stored as they are.
  ///
  /// The archive gets its name when it is whole and on the disk; one that is there is not replaced.
  /// With `asRoot` its directory is root's, who has become the library's owner.
  public func export(
    album: String, toZip path: String, asRoot: Bool = false,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws(LibraryError) -> Export {
    let (parent, name) = LibraryDesk.split(path)
    let temporary = ".\(name).part"
    let source = OpenDirectory(try catalog.open(album: album))
    let total = try catalog.size(album: album).photos
    do throws(SystemError) {
      let folder = try LibraryDesk.openDirectory(
        parent, asRoot ? RaisedSystemCalls() : system, isRoot: asRoot || geteuid() == 0)
      let system = asRoot ? RaisedSystemCalls(in: folder.number) : system
      let there = system.openat(folder.number, name, clinux_o_path | clinux_o_nofollow, 0)
      if there >= 0 {
        _ = system.close(there)
        throw SystemError(errno: Errno.exists, call: "open", path: path)
      }
      // Never one that is there: it may be another name of somebody's file.
      _ = system.unlinkat(folder.number, temporary)
      let flags = O_WRONLY | O_CREAT | O_EXCL | clinux_o_nofollow
      let fd = system.openat(folder.number, temporary, flags, 0o644)
      try system.check(fd, "open", path)
      let file = Descriptor(owning: fd, system: system)
      var export = Export()
      do throws(SystemError) {
        let archive = try ZipWriter.open(file.number, path)
        var done = 0
        var failure: SystemError?
        // An album is listed a page at a time, and written as it is listed.
        let listing = Result { () throws(LibraryError) in
          try forEach(album: album) { entry throws(LibraryError) in
            guard failure == nil else { return }
            do throws(SystemError) {
              try add(entry, to: archive, from: source.number, &export)
            } catch {
              failure = error
            }
            done += 1
            progress(done, max(total, done))
          }
        }
        if let failure { throw failure }
        if case .failure(let error) = listing {
          throw error.cause ?? SystemError(errno: Errno.io, call: "list", path: album)
        }
        try archive.finish()
        try system.check(system.retrying { $0.fsync(file.number) }, "fsync", path)
        let placed = system.renameNew(folder.number, temporary, name)
        if [-Errno.invalid, -Errno.notImplemented, -Errno.notSupported].contains(placed) {
          try system.check(system.rename(folder.number, temporary, name), "rename", path)
        } else {
          try system.check(placed, "rename", path)
        }
        let synced = system.syncRenamed(file.number, in: folder.number)
        if synced < 0 { _ = system.unlinkat(folder.number, name) }
        try system.check(synced, "fsync", parent)
      } catch {
        _ = system.unlinkat(folder.number, temporary)
        throw error
      }
      return export
    } catch {
      if error.errno == Errno.exists {
        throw LibraryError(
          .exists, "\(path) exists already; delete it, or give another name", cause: error)
      }
      throw LibraryDesk.refusal(error, at: path)
    }
  }

  private func add(
    _ entry: CatalogEntry, to archive: ZipWriter, from source: Int32,
    _ export: inout Export
  ) throws(SystemError) {
    guard let file = try PhotoFile.open(entry.photo.name, in: source, system) else { return }
    let name = "\(entry.photo.album)/\(entry.photo.name)"
    try archive.begin(name, bytes: file.bytes, modified: file.modified)
    var digest = SHA256()
    try file.readAll { (piece) throws(SystemError) in
      digest.update(piece)
      try archive.write(piece)
    }
    if let expected = entry.checksum, Checksum(digest) != expected {
      export.refused.append(
        "\(entry.photo.path) is not what was saved; it is in the archive as it is")
    } else {
      export.written += 1
    }
  }
}

/// The one owner of libarchive's writer of one zip archive.
///
/// A class, and not a structure that cannot be copied: closures hold it, which Swift 6.0 does not
/// allow for those.
private final class ZipWriter {
  private let handle: OpaquePointer
  private let path: String

  private init(handle: OpaquePointer, path: String) {
    self.handle = handle
    self.path = path
  }

  deinit { archive_write_free(handle) }

  static func open(_ fd: Int32, _ path: String) throws(SystemError) -> ZipWriter {
    guard let handle = archive_write_new() else {
      throw SystemError(errno: 12, call: "archive_write_new", path: path)
    }
    let writer = ZipWriter(handle: handle, path: path)
    try writer.check(archive_write_set_format_zip(handle), "archive_write_set_format_zip")
    try writer.check(
      archive_write_set_options(handle, "zip:compression=store"), "archive_write_set_options")
    try writer.check(archive_write_open_fd(handle, fd), "archive_write_open_fd")
    return writer
  }

  private func check(_ result: Int32, _ call: String) throws(SystemError) {
    guard result < ARCHIVE_OK else { return }
    let number = archive_errno(handle)
    throw SystemError(errno: number > 0 ? number : Errno.io, call: call, path: path)
  }

  func begin(_ name: String, bytes: Int, modified: Int64) throws(SystemError) {
    let entry = archive_entry_new()
    defer { archive_entry_free(entry) }
    archive_entry_set_pathname_utf8(entry, name)
    archive_entry_set_size(entry, Int64(bytes))
    archive_entry_set_filetype(entry, 0o100000)
    archive_entry_set_perm(entry, 0o644)
    archive_entry_set_mtime(entry, Int(modified), 0)
    try check(archive_write_header(handle, entry), "archive_write_header")
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = archive_write_data(handle, rest.baseAddress, rest.count)
      if count < 0 { try check(ARCHIVE_FATAL, "archive_write_data") }
      // Zero: the file grew since its size was written down.
      guard count > 0 else { return }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
  }

  func finish() throws(SystemError) {
    try check(archive_write_close(handle), "archive_write_close")
  }
}
