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
    do throws(SystemError) {
      try look(at: parent)
      let archive = try onDisk(of: parent, isWriting: true) {
        [system] () throws(SystemError) in
        try NewArchive.make(path, asRoot: asRoot, system)
      }
      do throws(SystemError) {
        let export = try fill(archive, album, from: source, in: parent) { done in
          progress(done, max(total, done))
        }
        try onDisk(of: parent, isWriting: true) { () throws(SystemError) in try archive.finish() }
        return export
      } catch {
        discard(archive, in: parent)
        throw error
      }
    } catch {
      if let photo = error.path, photo.hasPrefix("\(catalog.root)/"), error.call == "read" {
        throw LibraryError(
          .failing, "the photo \(photo) cannot be read: \(error.reason)",
          fix: "an export into a directory leaves it out", cause: error)
      }
      if error.errno == Errno.exists {
        throw LibraryError(
          .exists, "\(path) exists already",
          fix: "delete it, or give another name", cause: error)
      }
      throw LibraryDesk.refusal(error, at: path)
    }
  }

  // Writes the album's pictures page by page, as they are listed.
  private func fill(
    _ archive: NewArchive, _ album: String, from source: OpenDirectory, in parent: String,
    _ progress: (Int) -> Void
  ) throws(SystemError) -> Export {
    var export = Export()
    var done = 0
    var failure: SystemError?
    let listing = Result { () throws(LibraryError) in
      try forEach(album: album) { entry throws(LibraryError) in
        guard failure == nil else { return }
        do throws(SystemError) {
          let isWhole = try onDisk(of: parent, isWriting: true) { () throws(SystemError) in
            try archive.add(entry, from: source)
          }
          switch isWhole {
          case true?: export.written += 1
          case false?:
            export.refused.append(
              "\(entry.photo.path) is not what was saved; it is in the archive as it is")
          case nil: break
          }
        } catch {
          // A photo that cannot be opened does not stop the others. One that breaks off would leave
          // an archive without its end.
          if error.call == "open", error.path == entry.photo.path {
            export.refused.append(CopyFailure(.photo, error, at: entry.photo.path).words)
          } else {
            failure = error
          }
        }
        done += 1
        progress(done)
      }
    }
    if let failure { throw failure }
    if case .failure(let error) = listing {
      throw error.cause ?? SystemError(errno: Errno.io, call: "list", path: album)
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
      name, temporary: ".\(name).part", in: folder.number, at: parent, system)
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

  /// Adds a photo.
  ///
  /// Returns whether its bytes are those that were saved, or nil if the photo is gone.
  func add(_ entry: CatalogEntry, from source: OpenDirectory) throws(SystemError) -> Bool? {
    let path = entry.photo.path
    let opened: PhotoFile?
    do throws(SystemError) {
      opened = try PhotoFile.open(entry.photo.name, in: source.number, reading)
    } catch {
      throw SystemError(errno: error.errno, call: "open", path: path)
    }
    guard let file = opened else { return nil }
    let name = "\(entry.photo.album)/\(entry.photo.name)"
    try writer.begin(name, bytes: file.bytes, modified: file.modified)
    var digest = SHA256()
    var failure: SystemError?
    do throws(SystemError) {
      try file.readAll { (piece) throws(SystemError) in
        digest.update(piece)
        do throws(SystemError) {
          try writer.write(piece)
        } catch {
          failure = error
          throw error
        }
      }
    } catch {
      if let failure { throw failure }
      throw SystemError(errno: error.errno, call: "read", path: path)
    }
    let checksum = Checksum(digest)
    return entry.checksum.map { $0 == checksum } ?? true
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
