import CLinux
import Glibc
import Platform

/// A copy of a photo, which is complete and verified, or is not there at all.
struct FileCopy {
  /// The result of a copy.
  enum Result: Sendable, Hashable {
    case copied(Checksum)
    /// A separate file with the same bytes existed before.
    case present(Checksum)
    /// Another picture has the name, or the name leads to the photo itself.
    case conflict
    /// The photo's bytes are no longer those that were saved.
    case damaged
    /// The photo is gone.
    case gone
  }

  let system: any SystemCalls
  /// Called between pieces; when it returns false, the copy throws ECANCELED.
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

  // The file that has the name in the target and may be the photo's copy.
  private struct Found {
    var identity: CopyPlace.Identity
    var bytes: Int
  }

  // Swift 6.0 does not capture noncopyable values in closures, so `body` must not need any.
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

  // Compares the file in the target with the photo.
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
      // The process that wrote the file may have died before it synced it.
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
    let new = DurableFile(
      name, temporary: DurableFile.temporaryName(of: name), in: target, at: path, system)
    let bytes = photo.bytes
    let fd = try onTarget(place) { () throws(SystemError) -> Int32 in
      // The free space is checked first, because writing until it is used up wears out a stick.
      if let free = free(target), bytes > free {
        throw SystemError(errno: Errno.noSpace, call: "write", path: place)
      }
      return try new.create(O_RDWR)
    }
    let file = Descriptor(owning: fd, system: system)
    do throws(CopyFailure) {
      let checksum = try write(photo, into: file.number, "\(origin)/\(name)", place)
      if let expected, checksum != expected {
        new.discard()
        return .damaged
      }
      let isPlaced = try onTarget(place) { () throws(SystemError) in
        try new.place(fd, syncsDirectory: false)
      }
      if !isPlaced { new.discard() }
      return isPlaced ? .copied(checksum) : .conflict
    } catch {
      new.discard()
      throw error
    }
  }

  // Writes the photo's bytes, reads them back, and returns their checksum.
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
      // Drops the cached pages, as far as the kernel allows, so that the bytes come from the disk.
      posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED)
      let back = try PhotoFile.checksum(of: fd, bytes: bytes, system, while: mayGoOn)
      guard back == checksum else {
        throw SystemError(errno: Errno.io, call: "verify", path: place)
      }
    }
    return checksum
  }

  // Returns the number of free bytes; nil if the file system does not tell.
  private func free(_ target: Int32) -> Int? {
    var status = statfs()
    guard system.fstatfs(target, &status) >= 0, status.f_blocks > 0 else { return nil }
    let (bytes, isHuge) = UInt64(status.f_bavail).multipliedReportingOverflow(
      by: UInt64(clamping: status.f_bsize))
    return isHuge ? nil : Int(clamping: bytes)
  }

  // Removes the empty file that an unplugged stick may have in place of a picture, so that the
  // picture can be copied again.
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
}
