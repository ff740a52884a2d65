import CLinux
import Glibc
import Media
import Platform

/// A picture's file, open for reading only.
struct PhotoFile: ~Copyable {
  let file: Descriptor
  let bytes: Int
  /// The identity of the file, whatever path leads to it.
  let identity: CopyPlace.Identity
  /// The time of the last change, by the clock of that moment.
  ///
  /// Unit: seconds since 1970.
  let modified: Int64
  /// Whether the owner may not write the file, which marks a photo to be kept.
  let isKept: Bool

  /// Opens a picture's file.
  ///
  /// Returns nil for an object that is no regular file, is empty or disappeared meanwhile, and for
  /// an invalid name.
  static func open(
    _ name: String, in directory: Int32, _ system: any SystemCalls
  ) throws(SystemError) -> PhotoFile? {
    guard PhotoName.isFileName(name) else { return nil }
    // O_NONBLOCK keeps a pipe with this name from blocking the caller.
    let flags = O_RDONLY | clinux_o_nofollow | clinux_o_nonblock
    let fd = system.retrying { $0.openBeneath(directory, name, flags, 0) }
    if [-Errno.noEntry, -Errno.loop, -Errno.noSuchDevice].contains(fd) { return nil }
    try system.check(fd, "open", name)
    let file = Descriptor(owning: fd, system: system)
    var status = stat()
    try system.check(system.fstat(fd, &status), "fstat", name)
    guard status.st_mode & 0o170000 == 0o100000, status.st_size > 0 else { return nil }
    return PhotoFile(
      file: file, bytes: Int(status.st_size), identity: CopyPlace.Identity(status),
      modified: Int64(status.st_mtim.tv_sec), isKept: status.st_mode & 0o200 == 0)
  }

  /// Reads up to `count` bytes at an offset, fewer at the end of the file.
  func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    let (number, system) = (file.number, file.system)
    var bytes = [UInt8](repeating: 0, count: count)
    let filled = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(SystemError) in
        try system.readAll(number, into: buffer, at: Int64(offset))
      }
    }
    bytes.removeLast(count - (try filled.get()))
    return bytes
  }

  /// Reads the file once and passes on its pieces, up to the size that it had when it was opened.
  func readAll(
    _ body: (UnsafeRawBufferPointer) throws(SystemError) -> Void
  ) throws(SystemError) {
    try PhotoFile.readAll(of: file.number, bytes: bytes, file.system, body)
  }

  private static func readAll(
    of number: Int32, bytes: Int, _ system: any SystemCalls,
    _ body: (UnsafeRawBufferPointer) throws(SystemError) -> Void
  ) throws(SystemError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { buffer.deallocate() }
    var offset = 0
    while offset < bytes {
      let place = Int64(offset)
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(bytes - offset))
      let count = system.retrying { $0.pread(number, part, place) }
      guard try system.check(count, "read") > 0 else { return }
      try body(UnsafeRawBufferPointer(rebasing: part.prefix(count)))
      offset += count
    }
  }

  /// Reads the whole file and returns its checksum.
  ///
  /// `mayGoOn` is called between pieces; when it returns false, the call throws ECANCELED.
  func checksum(while mayGoOn: () -> Bool = { true }) throws(SystemError) -> Checksum {
    try PhotoFile.checksum(of: file.number, bytes: bytes, file.system, while: mayGoOn)
  }

  /// Reads `bytes` bytes of a file that the caller has open and returns their checksum.
  static func checksum(
    of number: Int32, bytes: Int, _ system: any SystemCalls,
    while mayGoOn: () -> Bool = { true }
  ) throws(SystemError) -> Checksum {
    var digest = SHA256()
    try readAll(of: number, bytes: bytes, system) { (piece) throws(SystemError) in
      guard mayGoOn() else { throw SystemError(errno: Errno.cancelled, call: "read") }
      digest.update(piece)
    }
    return Checksum(digest)
  }
}

extension PhotoFile: ByteSource {
  typealias Failure = SystemError
}
