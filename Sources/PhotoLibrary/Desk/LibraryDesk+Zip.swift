import CArchive
import CLinux
import Glibc
import Platform

extension LibraryDesk {
  /// Writes an album's pictures into a new zip archive.
  ///
  /// The pictures are stored as they are, because they are compressed already. The archive gets its
  /// name when it is complete and synced, and never replaces a file. With `asRoot` its directory is
  /// opened as root, although the process has become the library's owner. A disk that does not
  /// answer makes the call throw. Blocks on the disks.
  public func export(
    album: String, toZip path: String, asRoot: Bool = false,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws(LibraryError) -> Export {
    let parent = LibraryDesk.split(path).parent
    let source = OpenDirectory(try catalog.open(album: album))
    let total = try catalog.size(album: album).photos
    let archive = try archiving(to: path) { () throws(SystemError) in
      try look(at: parent)
      return try onDisk(of: parent, isWriting: true) { [system] () throws(SystemError) in
        try NewArchive.make(path, asRoot: asRoot, system)
      }
    }
    do throws(LibraryError) {
      let export = try fill(archive, album, from: source, to: path) { done in
        progress(done, max(total, done))
      }
      try archiving(to: path) { () throws(SystemError) in
        try onDisk(of: parent, isWriting: true) { () throws(SystemError) in try archive.finish() }
      }
      return export
    } catch {
      discard(archive, in: parent)
      throw error
    }
  }

  private func archiving<Value>(
    to path: String, _ body: () throws(SystemError) -> Value
  ) throws(LibraryError) -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      guard error.errno == Errno.exists else { throw LibraryDesk.refusal(error, at: path) }
      throw LibraryError(
        .exists, "\(path) exists already",
        fix: "delete it, or give another name", cause: error)
    }
  }

  // Writes the album's pictures page by page, as they are listed.
  private func fill(
    _ archive: NewArchive, _ album: String, from source: OpenDirectory, to path: String,
    _ progress: (Int) -> Void
  ) throws(LibraryError) -> Export {
    let parent = LibraryDesk.split(path).parent
    var export = Export()
    var done = 0
    try forEach(album: album) { entry throws(LibraryError) in
      let result = try archiving(to: path) { () throws(SystemError) in
        try onDisk(of: parent, isWriting: true) { archive.add(entry, from: source) }
      }
      do throws(CopyFailure) {
        switch try result.get() {
        case .whole: export.written += 1
        case .changed:
          export.refused.append(
            "\(entry.photo.path) is not what was saved; it is in the archive as it is")
        case .unreadable(let failure): export.refused.append(failure.words)
        case .gone: break
        }
      } catch {
        guard error.side == .photo else { throw LibraryDesk.refusal(error.cause, at: path) }
        throw LibraryError(
          .failing, "the photo \(entry.photo.path) cannot be read: \(error.cause.reason)",
          fix: "an export into a directory leaves it out", cause: error.cause)
      }
      done += 1
      progress(done)
    }
    return export
  }

  // Discards the archive; if its disk does not answer, that is left to the disk's thread.
  private func discard(_ archive: NewArchive, in parent: String) {
    do throws(SystemError) {
      try onDisk(of: parent, isWriting: true) { archive.discard() }
    } catch {
      worker(parent).clean { archive.discard() }
    }
  }
}

/// An archive under its temporary name, on a disk that may not answer.
///
/// Only ``finish()`` and ``discard()`` close it. A deinitializer does not, because `close(2)` may
/// block on the disk.
private final class NewArchive: @unchecked Sendable {
  // Unchecked: the jobs of one worker use it, one after the other.
  private let folder: OpenDirectory
  private let path: String
  private let new: DurableFile
  private let writer: ZipWriter
  private let system: any SystemCalls
  private let reading: any SystemCalls
  private var file: Int32

  private init(
    folder: OpenDirectory, path: String, new: DurableFile, writer: ZipWriter,
    system: any SystemCalls, reading: any SystemCalls, file: Int32
  ) {
    self.folder = folder
    self.path = path
    self.new = new
    self.writer = writer
    self.system = system
    self.reading = reading
    self.file = file
  }

  static func make(
    _ path: String, asRoot: Bool, _ base: any SystemCalls
  ) throws(SystemError) -> NewArchive {
    let (parent, name) = LibraryDesk.split(path)
    let folder = OpenDirectory(
      try openDirectory(
        parent, SteppedSystemCalls(asRoot ? RaisedSystemCalls() : base),
        isRoot: asRoot || geteuid() == 0))
    let system = SteppedSystemCalls(asRoot ? RaisedSystemCalls(in: folder.number) : base)
    let there = system.openat(folder.number, name, clinux_o_path | clinux_o_nofollow, 0)
    if there >= 0 {
      _ = system.close(there)
      throw SystemError(errno: Errno.exists, call: "open", path: path)
    }
    let new = DurableFile(
      name, temporary: DurableFile.temporaryName(of: name, prefix: "."), in: folder.number,
      at: parent, system)
    let file = try new.create()
    do throws(SystemError) {
      return NewArchive(
        folder: folder, path: path, new: new, writer: try ZipWriter.open(file, path),
        system: system, reading: SteppedSystemCalls(base), file: file)
    } catch {
      _ = system.close(file)
      new.discard()
      throw error
    }
  }

  // Opens the directory of a new file; as root, follows no link that another user can change.
  private static func openDirectory(
    _ path: String, _ system: any SystemCalls, isRoot: Bool
  ) throws(SystemError) -> Descriptor {
    guard isRoot else {
      return try Descriptor(opening: path, flags: clinux_o_directory, system: system)
    }
    return try RootWalk.to(path, system: system).open(path)
  }

  /// The result of adding a photo.
  enum Added: Sendable {
    /// The archive has the bytes that were saved.
    case whole
    /// The archive has the photo's bytes, which are others than those that were saved.
    case changed
    /// The photo cannot be opened, and the archive goes on without it.
    case unreadable(CopyFailure)
    /// The photo is gone.
    case gone
  }

  /// Adds a photo; a failure leaves an archive that cannot be finished.
  func add(_ entry: CatalogEntry, from source: OpenDirectory) -> Result<Added, CopyFailure> {
    let photo = entry.photo
    let file: PhotoFile
    do throws(SystemError) {
      guard let found = try PhotoFile.open(photo.name, in: source.number, reading) else {
        return .success(.gone)
      }
      file = found
    } catch {
      return .success(.unreadable(CopyFailure(.photo, error, at: photo.path)))
    }
    var digest = SHA256()
    var isWriting = true
    do throws(SystemError) {
      try writer.begin(
        "\(photo.album)/\(photo.name)", bytes: file.bytes, modified: file.modified)
      isWriting = false
      try file.readAll { (piece) throws(SystemError) in
        isWriting = true
        digest.update(piece)
        try writer.write(piece)
        isWriting = false
      }
    } catch {
      return .failure(
        CopyFailure(isWriting ? .target : .photo, error, at: isWriting ? path : photo.path))
    }
    let checksum = Checksum(digest)
    return .success(entry.checksum ?? checksum == checksum ? .whole : .changed)
  }

  /// Syncs the archive and gives it its name.
  func finish() throws(SystemError) {
    try writer.finish()
    try new.sync(file)
    guard try new.place(file) else {
      throw SystemError(errno: Errno.exists, call: "rename", path: path)
    }
    close()
  }

  /// Deletes the temporary file and closes it.
  func discard() {
    new.discard()
    close()
  }

  private func close() {
    if file >= 0 { _ = system.close(file) }
    file = -1
  }
}

/// The single owner of libarchive's writer of one zip archive.
///
/// The type is a class because closures hold it, which Swift 6.0 does not allow for noncopyable
/// structures.
private final class ZipWriter {
  private let handle: OpaquePointer
  private let path: String
  private var isFinished = false

  private init(handle: OpaquePointer, path: String) {
    self.handle = handle
    self.path = path
  }

  // An unfinished archive is marked as failed, so that freeing it writes nothing more.
  deinit {
    if !isFinished { archive_write_fail(handle) }
    archive_write_free(handle)
  }

  static func open(_ fd: Int32, _ path: String) throws(SystemError) -> ZipWriter {
    guard let handle = archive_write_new() else {
      throw SystemError(errno: Errno.noMemory, call: "archive_write_new", path: path)
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
      // Zero means that the file grew after its size was written to the header.
      guard count > 0 else { return }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
  }

  func finish() throws(SystemError) {
    try check(archive_write_close(handle), "archive_write_close")
    isFinished = true
  }
}
