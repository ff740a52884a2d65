import CLinux
import Glibc
import Platform

/// A copy of a photo that is there, whole and read back, or not there at all.
struct FileCopy {
  /// What came of it.
  enum Result: Sendable, Hashable {
    case copied(Checksum)
    /// The very same bytes were there before, in a file of their own.
    case present(Checksum)
    /// Another picture has the name, or the photo itself, which is no copy.
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
  /// The name becomes durable with the next sync of the directory. `origin` and `path` are the
  /// directories' paths, for messages.
  func copy(
    _ name: String, from source: Int32, at origin: String, to target: Int32, path: String,
    expected: Checksum?
  ) throws(CopyFailure) -> Result {
    let photo: PhotoFile
    do throws(SystemError) {
      guard let file = try PhotoFile.open(name, in: source, system) else { return .gone }
      photo = file
    } catch {
      throw CopyFailure(.photo, error, at: "\(origin)/\(name)")
    }
    let place = "\(path)/\(name)"
    let there = try onTarget(place) { () throws(SystemError) -> Found? in
      try look(name, in: target, place)
    }
    if let there {
      guard there.identity != photo.identity, there.bytes == photo.bytes else { return .conflict }
      return try compare(photo, name, target, expected, origin, place)
    }
    return try make(photo, name, target, expected, origin, path)
  }

  // What has the name in the target, if it may be the photo's copy.
  private struct Found {
    var identity: CopyPlace.Identity
    var bytes: Int
  }

  // A closure may not hold what cannot be copied in Swift 6.0, so this is for calls without.
  private func onTarget<Value>(
    _ place: String, _ body: () throws(SystemError) -> Value
  ) throws(CopyFailure) -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      throw CopyFailure(.target, error, at: place)
    }
  }

  private func look(
    _ name: String, in target: Int32, _ place: String
  ) throws(SystemError) -> Found? {
    guard let there = try PhotoFile.open(name, in: target, system) else {
      try removeEmpty(name, target, place)
      return nil
    }
    return Found(identity: there.identity, bytes: there.bytes)
  }

  // Whether what is there is the photo's copy.
  private func compare(
    _ photo: borrowing PhotoFile, _ name: String, _ target: Int32, _ expected: Checksum?,
    _ origin: String, _ place: String
  ) throws(CopyFailure) -> Result {
    var wanted = expected
    if wanted == nil {
      do throws(SystemError) {
        wanted = try photo.checksum(while: mayGoOn)
      } catch {
        throw CopyFailure(.photo, error, at: "\(origin)/\(name)")
      }
    }
    do throws(SystemError) {
      guard let there = try PhotoFile.open(name, in: target, system),
        try there.checksum(while: mayGoOn) == wanted, let wanted
      else { return .conflict }
      // Whoever wrote it may have died before this.
      let fd = there.file.number
      try system.check(system.retrying { $0.fsync(fd) }, "fsync", place)
      return .present(wanted)
    } catch {
      throw CopyFailure(.target, error, at: place)
    }
  }

  private func make(
    _ photo: borrowing PhotoFile, _ name: String, _ target: Int32, _ expected: Checksum?,
    _ origin: String, _ path: String
  ) throws(CopyFailure) -> Result {
    let place = "\(path)/\(name)"
    let temporary = ".retake-\(name).part"
    let bytes = photo.bytes
    let fd = try onTarget(place) { () throws(SystemError) -> Int32 in
      // Not found out by writing: a stick lives longer without.
      if let free = free(target), bytes > free {
        throw SystemError(errno: Errno.noSpace, call: "write", path: place)
      }
      // What is left of an earlier copy, or a pipe that somebody put there.
      let removed = system.unlinkat(target, temporary)
      if removed != -Errno.noEntry { try system.check(removed, "unlink", "\(path)/\(temporary)") }
      let flags = O_RDWR | O_CREAT | O_EXCL | clinux_o_nofollow
      let new = system.retrying { $0.openBeneath(target, temporary, flags, 0o644) }
      return try system.check(new, "open", "\(path)/\(temporary)")
    }
    let file = Descriptor(owning: fd, system: system)
    var written = temporary
    do throws(CopyFailure) {
      let checksum = try write(photo, into: file.number, "\(origin)/\(name)", place)
      if let expected, checksum != expected {
        _ = system.unlinkat(target, temporary)
        return .damaged
      }
      let isPlaced = try onTarget(place) { () throws(SystemError) in
        try put(temporary, name, target, place)
      }
      guard isPlaced else {
        _ = system.unlinkat(target, temporary)
        return .conflict
      }
      written = name
      // Once more for FAT, whose new name has no bytes until then.
      try onTarget(place) { () throws(SystemError) in
        _ = try system.check(system.retrying { $0.fsync(fd) }, "fsync", place)
      }
      return .copied(checksum)
    } catch {
      _ = system.unlinkat(target, written)
      throw error
    }
  }

  // Returns the checksum of what was read, which is that of what can be read back.
  private func write(
    _ photo: borrowing PhotoFile, into fd: Int32, _ origin: String, _ place: String
  ) throws(CopyFailure) -> Checksum {
    var digest = SHA256()
    var isWriting = false
    do throws(SystemError) {
      try photo.readAll { (piece) throws(SystemError) in
        isWriting = true
        guard mayGoOn() else { throw SystemError(errno: ECANCELED, call: "write", path: place) }
        digest.update(piece)
        try system.writeAll(fd, piece, place)
        isWriting = false
      }
    } catch {
      throw CopyFailure(isWriting ? .target : .photo, error, at: isWriting ? place : origin)
    }
    let checksum = Checksum(digest)
    let (bytes, modified) = (photo.bytes, photo.modified)
    try onTarget(place) { () throws(SystemError) in
      var times = [timespec(tv_sec: Int(modified), tv_nsec: 0)]
      times.append(times[0])
      futimens(fd, &times)
      try system.check(system.retrying { $0.fsync(fd) }, "fsync", place)
      // From the disk, not from memory, as far as the kernel lets go of it.
      posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED)
      let back = try PhotoFile.checksum(of: fd, bytes: bytes, system, while: mayGoOn)
      guard back == checksum else {
        throw SystemError(errno: Errno.io, call: "verify", path: place)
      }
    }
    return checksum
  }

  // How many bytes are free; nil where the file system does not say.
  private func free(_ target: Int32) -> Int? {
    var status = statfs()
    guard system.fstatfs(target, &status) >= 0, status.f_blocks > 0 else { return nil }
    let (bytes, isHuge) = UInt64(status.f_bavail).multipliedReportingOverflow(
      by: UInt64(clamping: status.f_bsize))
    return isHuge ? nil : Int(clamping: bytes)
  }

  // What a stick that was unplugged too early has instead of a picture must not keep it away.
  private func removeEmpty(
    _ name: String, _ target: Int32, _ place: String
  ) throws(SystemError) {
    let fd = system.openBeneath(target, name, clinux_o_path | clinux_o_nofollow, 0)
    guard fd >= 0 else { return }
    defer { _ = system.close(fd) }
    var status = stat()
    guard system.fstat(fd, &status) >= 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size == 0
    else { return }
    try system.check(system.unlinkat(target, name), "unlink", place)
  }

  // False if the name is taken.
  private func put(
    _ temporary: String, _ name: String, _ target: Int32, _ place: String
  ) throws(SystemError) -> Bool {
    let result = system.retrying { $0.renameNew(target, temporary, name) }
    switch result {
    case 0...: return true
    case -Errno.exists: return false
    case -Errno.invalid, -Errno.notImplemented, -Errno.notSupported: break
    default: try system.check(result, "rename", place)
    }
    // A rename would replace it.
    let there = system.openBeneath(target, name, clinux_o_path | clinux_o_nofollow, 0)
    if there >= 0 { _ = system.close(there) }
    guard there == -Errno.noEntry else { return false }
    try system.check(system.rename(target, temporary, name), "rename", place)
    return true
  }
}
