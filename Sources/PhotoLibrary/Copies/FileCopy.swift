import CLinux
import Glibc
import Platform

/// A copy of a photo that is there, whole and read back, or not there at all.
struct FileCopy {
  /// What came of it.
  enum Result: Sendable, Hashable {
    case copied(Checksum)
    /// The very same bytes were there before.
    case present(Checksum)
    /// Another picture has the name.
    case conflict
    /// The photo itself is no longer what was saved.
    case damaged
    /// The photo is gone.
    case gone
  }

  let system: any SystemCalls
  /// Asked between pieces; false ends the copy with ECANCELED.
  var mayGoOn: () -> Bool = { true }

  /// Copies `name` from one open directory to another, without replacing anything.
  ///
  /// The name becomes durable with the next sync of the directory. `path` is the target's, for
  /// messages.
  func copy(
    _ name: String, from source: Int32, to target: Int32, path: String, expected: Checksum?
  ) throws(SystemError) -> Result {
    guard let photo = try PhotoFile.open(name, in: source, system) else { return .gone }
    if let there = try PhotoFile.open(name, in: target, system) {
      guard there.bytes == photo.bytes else { return .conflict }
      let checksum = try there.checksum()
      var wanted = expected
      if wanted == nil { wanted = try photo.checksum() }
      guard checksum == wanted else { return .conflict }
      // Whoever wrote it may have died before this.
      let fd = there.file.number
      try system.check(system.retrying { $0.fsync(fd) }, "fsync", "\(path)/\(name)")
      return .present(checksum)
    }
    try removeEmpty(name, target, path)
    let temporary = ".retake-\(name).part"
    // A pipe that somebody put there must not hold us.
    let flags = O_RDWR | O_CREAT | O_TRUNC | clinux_o_nofollow | clinux_o_nonblock
    let fd = system.retrying { $0.openat(target, temporary, flags, 0o644) }
    try system.check(fd, "open", "\(path)/\(temporary)")
    let file = Descriptor(owning: fd, system: system)
    var written = temporary
    do throws(SystemError) {
      let checksum = try write(photo, into: file.number, "\(path)/\(temporary)")
      if let expected, checksum != expected {
        _ = system.unlinkat(target, temporary)
        return .damaged
      }
      guard try place(temporary, name, target, path) else {
        _ = system.unlinkat(target, temporary)
        return .conflict
      }
      written = name
      // Once more for FAT, whose new name has no bytes until then.
      try system.check(system.retrying { $0.fsync(fd) }, "fsync", "\(path)/\(name)")
      return .copied(checksum)
    } catch {
      _ = system.unlinkat(target, written)
      throw error
    }
  }

  // Returns the checksum of what was read, which is that of what can be read back.
  private func write(
    _ photo: borrowing PhotoFile, into fd: Int32, _ place: String
  ) throws(SystemError) -> Checksum {
    var digest = SHA256()
    try photo.readAll { (piece) throws(SystemError) in
      guard mayGoOn() else { throw SystemError(errno: ECANCELED, call: "write", path: place) }
      digest.update(piece)
      var rest = piece
      while !rest.isEmpty {
        let count = system.retrying { $0.write(fd, rest) }
        guard try system.check(count, "write", place) > 0 else {
          throw SystemError(errno: Errno.io, call: "write", path: place)
        }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      }
    }
    let checksum = Checksum(digest)
    var times = [
      timespec(tv_sec: Int(photo.modified), tv_nsec: 0),
      timespec(tv_sec: Int(photo.modified), tv_nsec: 0),
    ]
    futimens(fd, &times)
    try system.check(system.retrying { $0.fsync(fd) }, "fsync", place)
    // From the disk, not from memory, as far as the kernel lets go of it.
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED)
    guard try PhotoFile.checksum(of: fd, system) == checksum else {
      throw SystemError(errno: Errno.io, call: "verify", path: place)
    }
    return checksum
  }

  // What a stick that was unplugged too early has instead of a picture must not keep it away.
  private func removeEmpty(_ name: String, _ target: Int32, _ path: String) throws(SystemError) {
    let fd = system.openat(target, name, clinux_o_path | clinux_o_nofollow, 0)
    guard fd >= 0 else { return }
    defer { _ = system.close(fd) }
    var status = stat()
    guard system.fstat(fd, &status) >= 0, status.st_mode & 0o170000 == 0o100000,
      status.st_size == 0
    else { return }
    try system.check(system.unlinkat(target, name), "unlink", "\(path)/\(name)")
  }

  // False if the name is taken.
  private func place(
    _ temporary: String, _ name: String, _ target: Int32, _ path: String
  ) throws(SystemError) -> Bool {
    let result = system.retrying { $0.renameNew(target, temporary, name) }
    switch result {
    case 0...: return true
    case -Errno.exists: return false
    case -Errno.invalid, -Errno.notImplemented, -Errno.notSupported: break
    default: try system.check(result, "rename", "\(path)/\(name)")
    }
    // Nobody else writes names of photos there, and it was just seen that there is none.
    try system.check(system.rename(target, temporary, name), "rename", "\(path)/\(name)")
    return true
  }
}
