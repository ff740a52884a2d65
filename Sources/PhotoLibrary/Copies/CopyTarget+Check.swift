import CLinux
import Glibc
import Platform

/// What became of a copy that was made once.
enum CopyCondition: Sendable, Hashable {
  /// The bytes that were saved; or as many of them, if they were not read.
  case whole
  case missing
  /// It has another size; nothing of it may be left.
  case resized(Int)
  /// As many bytes, and other ones; or no file at all.
  case changed
}

extension CopyTarget {
  /// A directory that copies were made to before, and that is there now; makes nothing.
  ///
  /// With an identity, only if it is that one.
  static func find(
    _ path: String, identity: String? = nil, _ system: any SystemCalls
  ) throws(SystemError) -> CopyTarget? {
    let fd = system.retrying { $0.open(path, clinux_o_directory, 0) }
    if absences.contains(fd) { return nil }
    try system.check(fd, "open", path)
    let folder = Descriptor(owning: fd, system: system)
    let known = try readIdentity(folder.number, path, system)
    guard let known, known == identity ?? known else { return nil }
    return CopyTarget(path: path, identity: known, folder: folder, system: system)
  }

  /// Looks at a photo's copy, and reads it where the `expected` bytes are given.
  func condition(
    of entry: CatalogEntry, expected: Checksum? = nil
  ) throws(SystemError) -> CopyCondition {
    guard let album = try album(entry.photo.album, makes: false) else { return .missing }
    let name = entry.photo.name
    let place = "\(path)/\(entry.photo.album)/\(name)"
    let fd = system.openat(album.number, name, clinux_o_path | clinux_o_nofollow, 0)
    if fd == -Errno.noEntry { return .missing }
    try system.check(fd, "open", place)
    defer { _ = system.close(fd) }
    var status = stat()
    try system.check(system.fstat(fd, &status), "fstat", place)
    guard status.st_mode & 0o170000 == 0o100000 else { return .changed }
    guard Int(status.st_size) == entry.photo.bytes else { return .resized(Int(status.st_size)) }
    guard let expected else { return .whole }
    guard let file = try PhotoFile.open(name, in: album.number, system) else { return .missing }
    // From the disk, not from memory, as far as the kernel lets go of it.
    posix_fadvise(file.file.number, 0, 0, POSIX_FADV_DONTNEED)
    return try file.checksum() == expected ? .whole : .changed
  }

  /// Takes away what is left of a copy whose size is wrong, so that it can be made again.
  ///
  /// What is no part of the photo may be somebody's work: it stays, under another name. False
  /// where there is no photo to make it from.
  func clear(_ entry: CatalogEntry, library: String) throws(SystemError) -> Bool {
    let name = entry.photo.name
    let number = system.open(
      "\(library)/\(entry.photo.album)", clinux_o_directory | clinux_o_path, 0)
    guard number >= 0 else { return false }
    let source = Descriptor(owning: number, system: system)
    guard let photo = try PhotoFile.open(name, in: source.number, system) else { return false }
    guard let album = try album(entry.photo.album, makes: false) else { return true }
    let place = "\(path)/\(entry.photo.album)/\(name)"
    if try CopyTarget.isPart(photo, name, album.number, system) {
      let removed = system.unlinkat(album.number, name)
      if removed != -Errno.noEntry { try system.check(removed, "unlink", place) }
    } else {
      try system.check(
        system.rename(album.number, name, "\(name).damaged"), "rename", "\(place).damaged")
    }
    try system.check(system.retrying { $0.fsync(album.number) }, "fsync", place)
    return true
  }

  // Whether one of two files is how the other begins; an empty one is.
  private static func isPart(
    _ photo: borrowing PhotoFile, _ name: String, _ target: Int32, _ system: any SystemCalls
  ) throws(SystemError) -> Bool {
    guard let there = try PhotoFile.open(name, in: target, system) else { return true }
    let end = min(there.bytes, photo.bytes)
    var offset = 0
    while offset < end {
      let count = min(256 << 10, end - offset)
      let left = try there.read(at: offset, count: count)
      guard left.count == count, try photo.read(at: offset, count: count) == left else {
        return false
      }
      offset += count
    }
    return true
  }
}
