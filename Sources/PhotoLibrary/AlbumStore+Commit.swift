import CLinux
import Glibc
import Media
import Platform

/// The way from a candidate to a photo.
///
/// The order of the steps is what makes a commit durable. The bytes are synced before they get a
/// name, and the name is synced before any caller hears of the photo.
extension AlbumStore {
  /// Turns the candidate into a photo, or leaves everything as it was.
  mutating func commit(_ candidate: Candidate) throws(LibraryError) -> Photo {
    try checkOpen()
    removeUnwanted()
    committing = candidate.kind
    let number: Int
    switch candidate.take() {
    case .spent:
      throw LibraryError(
        .spent, "the candidate is no longer there",
        fix: "take the photo again")
    case .unnamed(let file):
      let linked: Int?
      do throws(LibraryError) {
        linked = try link(file)
      } catch {
        candidate.giveBack(.unnamed(file))
        throw error
      }
      if let linked {
        // If this fails, the file is lost with its name: the kernel links an unnamed file only
        // once.
        try syncName(linked)
        number = linked
        break
      }
      do throws(LibraryError) {
        number = try copy(file, candidate.bytes)
      } catch {
        candidate.giveBack(.unnamed(file))
        throw error
      }
    case .memory(let bytes):
      do throws(LibraryError) {
        number = try bytes.withBytes { (bytes) throws(LibraryError) in try write(bytes) }
      } catch {
        candidate.giveBack(.memory(bytes))
        throw error
      }
    }
    let name = PhotoName.name(number, committing)
    let file = PhotoLibrary.facts(of: name, in: folders.album.number, system)
    return Photo(
      album: configuration.album, name: name, number: number, path: "\(path)/\(name)",
      bytes: candidate.bytes, modified: file?.modified)
  }

  // Returns nil where an unnamed file cannot get a name: without /proc, without hard links, or when
  // an album on another disk replaced this one.
  private mutating func link(_ file: borrowing Descriptor) throws(LibraryError) -> Int? {
    guard hasUnnamedFiles else { return nil }
    var mayRefresh = true
    while true {
      let number = try takeNumber()
      let name = PhotoName.name(number, committing)
      let result = system.retrying { $0.linkUnnamed(file.number, folders.album.number, name) }
      switch result {
      case 0...: return number
      case -Errno.exists: continue
      case -Errno.noEntry where mayRefresh:
        mayRefresh = false
        putBack(number)
        try refresh()
      case -Errno.noEntry, -Errno.notPermitted, -Errno.notSupported, -Errno.notImplemented:
        log.notice("\(path): unnamed files cannot be linked: candidates wait in memory")
        hasUnnamedFiles = false
        putBack(number)
        return nil
      case -Errno.crossDevice:
        putBack(number)
        return nil
      default: try check(result, "link", name)
      }
    }
  }

  // Makes a number available again that no file and no caller has seen.
  private mutating func putBack(_ number: Int) {
    if next == number + 1 { next = number }
  }

  // Syncs the new name, or removes it if that fails; `renamed` is the file's descriptor if the file
  // had a temporary name before.
  private mutating func syncName(
    _ number: Int, of renamed: Int32? = nil
  ) throws(LibraryError) {
    let album = folders.album.number
    let result =
      renamed.map { system.syncRenamed($0, in: album) } ?? system.retrying { $0.fsync(album) }
    if result >= 0 { return }
    let name = PhotoName.name(number, committing)
    let removed = system.unlinkat(folders.album.number, name)
    if removed < 0, removed != -Errno.noEntry {
      unwanted.insert(name)
      log.error(
        "a photo that was not saved could not be removed either",
        [("file", "\(path)/\(name)"), ("reason", SystemError.reason(0 - removed))])
    }
    _ = system.retrying { $0.fsync(folders.album.number) }
    try check(result, "fsync")
  }

  // MARK: - Without unnamed files

  private mutating func copy(
    _ file: borrowing Descriptor, _ bytes: Int
  ) throws(LibraryError) -> Int {
    switch system.mmap(bytes, PROT_READ, file.number, 0) {
    case .failure(let error): throw LibraryError(error, at: path)
    case .success(let address):
      defer { _ = system.munmap(address, bytes) }
      return try write(UnsafeRawBufferPointer(start: address, count: bytes))
    }
  }

  private mutating func write(_ bytes: UnsafeRawBufferPointer) throws(LibraryError) -> Int {
    let album = folders.album.number
    let flags = O_WRONLY | O_CREAT | O_EXCL | clinux_o_nofollow
    var temporary = ""
    var fd = -Errno.exists
    // Leftover temporary files that cannot be removed occupy a few of these names at most.
    for _ in 0..<100 where fd == -Errno.exists {
      temporary = ".retake-\(PhotoName.digits(try takeNumber())).part"
      let name = temporary
      fd = system.retrying { $0.openat(album, name, flags, 0o644) }
    }
    let number: Int
    do throws(LibraryError) {
      try check(fd, "open", temporary)
      // A number, not a `Descriptor`: Swift 6.0 does not capture noncopyable values in these
      // closures.
      do throws(LibraryError) {
        try writeAll(fd, [bytes])
        try check(system.retrying { $0.fsync(fd) }, "fsync", temporary)
        number = try place(temporary)
      } catch {
        _ = system.close(fd)
        throw error
      }
    } catch {
      _ = system.unlinkat(album, temporary)
      throw error
    }
    defer { _ = system.close(fd) }
    try syncName(number, of: fd)
    return number
  }

  // Renames the synced temporary file to a number's name, and never replaces a file.
  private mutating func place(_ temporary: String) throws(LibraryError) -> Int {
    // The temporary file's own number, the one before `next`, is free for the photo.
    var number = next - 1
    let album = folders.album.number
    while true {
      let name = PhotoName.name(number, committing)
      let result = system.retrying { $0.renameNew(album, temporary, name) }
      switch result {
      case 0...: return number
      case -Errno.exists: break
      case -Errno.invalid, -Errno.notImplemented, -Errno.notSupported:
        if try linkOrRename(temporary, name) { return number }
      default: try check(result, "renameat2", name)
      }
      number = try takeNumber()
    }
  }

  // For file systems whose rename cannot refuse to replace a file. A hard link never replaces. Some
  // FUSE file systems have no hard links either; there the name is looked up before the rename.
  // That is safe because the lock keeps other stations away, and no other program uses the next
  // number. Returns false if the name is taken.
  private func linkOrRename(_ temporary: String, _ name: String) throws(LibraryError) -> Bool {
    let album = folders.album.number
    let flags = clinux_o_path | clinux_o_nofollow
    let source = system.retrying { $0.openat(album, temporary, flags, 0) }
    try check(source, "open", temporary)
    let file = Descriptor(owning: source, system: system)
    let result = system.retrying { $0.linkUnnamed(file.number, album, name) }
    switch result {
    case 0...:
      let removed = system.unlinkat(album, temporary)
      if removed < 0 { log.warning("\(path)/\(temporary) stays until the next start") }
      return true
    case -Errno.exists: return false
    case -Errno.notPermitted, -Errno.notSupported, -Errno.notImplemented, -Errno.noEntry: break
    default: try check(result, "link", name)
    }
    let taken = system.retrying { $0.openat(album, name, flags, 0) }
    if taken >= 0 {
      _ = system.close(taken)
      return false
    }
    if taken != -Errno.noEntry { try check(taken, "open", name) }
    try check(system.retrying { $0.rename(album, temporary, name) }, "rename", name)
    return true
  }
}
