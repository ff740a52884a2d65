import CLinux
import Glibc
import Platform

/// The condition of a copy that was made before.
enum CopyCondition: Sendable, Hashable {
  /// A separate file with the saved bytes, or with their number if they were not read.
  case whole
  case missing
  /// The size differs, and may be zero.
  case resized(Int)
  /// The bytes differ but not their number, or the name is no regular file's.
  case changed
  /// The photo itself, which another path leads to.
  case original
}

extension CopyTarget {
  /// Checks a photo's copy, and reads it if the `expected` checksum is given.
  ///
  /// `mayGoOn` is called between pieces; when it returns false, the check throws ECANCELED.
  func condition(
    of entry: CatalogEntry, expected: Checksum? = nil, mayGoOn: () -> Bool = { true }
  ) throws(SystemError) -> CopyCondition {
    let name = entry.photo.name
    guard let album = try album(entry.photo.album, makes: false) else { return .missing }
    let place = place(of: entry.photo)
    let fd = system.openBeneath(album.number, name, clinux_o_path | clinux_o_nofollow, 0)
    if fd == -Errno.noEntry { return .missing }
    try system.check(fd, "open", place)
    defer { _ = system.close(fd) }
    var status = stat()
    try system.check(system.fstat(fd, &status), "fstat", place)
    guard status.st_mode & S_IFMT == S_IFREG else { return .changed }
    if try isOriginal(status, entry.photo) { return .original }
    if try !isApart(entry.photo, in: album.number) { return .original }
    guard Int(status.st_size) == entry.photo.bytes else { return .resized(Int(status.st_size)) }
    guard let expected else { return .whole }
    guard let file = try PhotoFile.open(name, in: album.number, system) else { return .missing }
    // Drops the cached pages, as far as the kernel allows, so that the bytes come from the disk.
    posix_fadvise(file.file.number, 0, 0, POSIX_FADV_DONTNEED)
    return try file.checksum(while: mayGoOn) == expected ? .whole : .changed
  }

  // Throws if the photo cannot be checked, because the copy could then be any file.
  private func isOriginal(_ copy: stat, _ photo: Photo) throws(SystemError) -> Bool {
    let fd = system.open(photo.path, clinux_o_path | clinux_o_nofollow, 0)
    if fd == -Errno.noEntry { return false }
    try system.check(fd, "open", photo.path)
    defer { _ = system.close(fd) }
    var status = stat()
    try system.check(system.fstat(fd, &status), "fstat", photo.path)
    return CopyPlace.Identity(status) == CopyPlace.Identity(copy)
  }

  /// Removes the rest of a copy with the wrong size, so that it can be made again.
  ///
  /// A file that is no part of the photo may be a person's work, so it is renamed. Returns false if
  /// there is no photo to copy.
  func clear(
    _ entry: CatalogEntry, library: String, mayGoOn: () -> Bool
  ) throws(SystemError) -> Bool {
    let name = entry.photo.name
    let number = system.open(
      "\(library)/\(entry.photo.album)", clinux_o_directory | clinux_o_path, 0)
    guard number >= 0 else { return false }
    let source = Descriptor(owning: number, system: system)
    let opened: PhotoFile?
    do throws(SystemError) {
      opened = try PhotoFile.open(name, in: source.number, system)
    } catch {
      throw SystemError(errno: error.errno, call: error.call, path: entry.photo.path)
    }
    guard let photo = opened else { return false }
    guard let album = try album(entry.photo.album, makes: false) else { return true }
    let place = place(of: entry.photo)
    if try CopyTarget.isPart(photo, entry.photo, album.number, system, mayGoOn) {
      let removed = system.unlinkat(album.number, name)
      if removed != -Errno.noEntry { try system.check(removed, "unlink", place) }
    } else {
      try system.check(
        system.rename(album.number, name, "\(name).damaged"), "rename", "\(place).damaged")
    }
    try system.check(system.retrying { $0.fsync(album.number) }, "fsync", place)
    return true
  }

  // Returns whether one file is a prefix of the other; an empty one is.
  private static func isPart(
    _ file: borrowing PhotoFile, _ photo: Photo, _ target: Int32, _ system: any SystemCalls,
    _ mayGoOn: () -> Bool
  ) throws(SystemError) -> Bool {
    guard let there = try PhotoFile.open(photo.name, in: target, system) else { return true }
    let end = min(there.bytes, file.bytes)
    var offset = 0
    while offset < end {
      guard mayGoOn() else { throw SystemError(errno: Errno.cancelled, call: "read") }
      let count = min(256 << 10, end - offset)
      let left = try there.read(at: offset, count: count)
      let ours: [UInt8]
      do throws(SystemError) {
        ours = try file.read(at: offset, count: count)
      } catch {
        throw SystemError(errno: error.errno, call: error.call, path: photo.path)
      }
      guard left.count == count, ours == left else { return false }
      offset += count
    }
    return true
  }
}
