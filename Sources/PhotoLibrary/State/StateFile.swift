import CLinux
import Glibc
import Platform

/// The small files of a library's root whose names begin with `.retake.`: how all of them are
/// read, written and moved out of the way.
///
/// They are input: another program, a failing disk or a person may have written any of them.
enum StateFile {
  /// How many bytes a regular file has; nil for anything else.
  static func size(
    _ fd: Int32, _ path: String, _ system: any SystemCalls
  ) throws(SystemError) -> Int? {
    var status = stat()
    try system.check(system.fstat(fd, &status), "fstat", path)
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size >= 0 else { return nil }
    return Int(status.st_size)
  }

  /// The first bytes of a file in an open directory, at most `limit` of them.
  ///
  /// Nil for what is there and is no regular file. Throws ENOENT for what is not there.
  static func read(
    _ name: String, in directory: Int32, limit: Int, _ system: any SystemCalls
  ) throws(SystemError) -> [UInt8]? {
    // A pipe must not hold the reader, and a link leads to what is not the library's.
    let flags = O_RDONLY | clinux_o_nofollow | clinux_o_nonblock
    let fd = system.retrying { $0.openat(directory, name, flags, 0) }
    if [-Errno.loop, -Errno.noSuchDevice].contains(fd) { return nil }
    try system.check(fd, "open", name)
    defer { _ = system.close(fd) }
    guard try size(fd, name, system) != nil else { return nil }
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = bytes.withUnsafeMutableBytes { buffer in
      system.retrying { $0.read(fd, buffer) }
    }
    try system.check(count, "read", name)
    return Array(bytes.prefix(count))
  }

  /// Writes everything, however short the single writes are.
  static func write(
    _ bytes: [UInt8], to fd: Int32, _ path: String, _ system: any SystemCalls
  ) throws(SystemError) {
    var offset = 0
    while offset < bytes.count {
      let start = offset
      let count = bytes.withUnsafeBytes { all in
        system.retrying { $0.write(fd, UnsafeRawBufferPointer(rebasing: all[start...])) }
      }
      guard try system.check(count, "write", path) > 0 else {
        throw SystemError(errno: Errno.io, call: "write", path: path)
      }
      offset += count
    }
  }

  /// Replaces a file in an open directory: after a power cut the old bytes are there, or the new.
  ///
  /// `temporary` is the name that the new bytes have meanwhile; `path` is the directory's, for
  /// messages. A directory that has the file's name is moved aside.
  static func replace(
    _ name: String, temporary: String, with bytes: [UInt8], in directory: Int32, at path: String,
    _ system: any SystemCalls
  ) throws(SystemError) {
    do throws(SystemError) {
      // A new file, whatever has the name: nothing is written into somebody's pipe.
      _ = system.unlinkat(directory, temporary)
      let flags = O_WRONLY | O_CREAT | O_TRUNC | clinux_o_nofollow
      var fd = system.retrying { $0.openat(directory, temporary, flags, 0o644) }
      if fd == -Errno.isADirectory {
        try moveAside(temporary, in: path, system)
        fd = system.retrying { $0.openat(directory, temporary, flags, 0o644) }
      }
      try system.check(fd, "open", "\(path)/\(temporary)")
      // A number, not a `Descriptor`, which Swift 6.0 does not let into the closures.
      defer { _ = system.close(fd) }
      LibraryOwner.adopt(fd, like: directory)
      try write(bytes, to: fd, "\(path)/\(temporary)", system)
      try system.check(system.retrying { $0.fsync(fd) }, "fsync", "\(path)/\(temporary)")
      var renamed = system.rename(directory, temporary, name)
      if renamed == -Errno.isADirectory {
        try moveAside(name, in: path, system)
        renamed = system.rename(directory, temporary, name)
      }
      try system.check(renamed, "rename", "\(path)/\(name)")
      try system.check(system.syncRenamed(fd, in: directory), "fsync", "\(path)/\(name)")
    } catch {
      _ = system.unlinkat(directory, temporary)
      throw error
    }
  }

  /// Gives what cannot be one of the library's files another name: `NAME.damaged`.
  static func moveAside(
    _ name: String, in root: String, _ system: any SystemCalls
  ) throws(SystemError) {
    let folder = try Descriptor(opening: root, flags: clinux_o_directory, system: system)
    let directory = folder.number
    for aside in ["\(name).damaged"] + (1...9).map({ "\(name).damaged-\($0)" }) {
      var moved = system.renameNew(directory, name, aside)
      if [-Errno.invalid, -Errno.notImplemented, -Errno.notSupported].contains(moved) {
        let there = system.openat(directory, aside, clinux_o_path | clinux_o_nofollow, 0)
        if there >= 0 { _ = system.close(there) }
        moved = there >= 0 ? -Errno.exists : system.rename(directory, name, aside)
      }
      if moved == -Errno.exists { continue }
      try system.check(moved, "rename", "\(root)/\(name)")
      Log("library").warning(
        "\(root)/\(name) is no file of the library's: it is set aside as \(aside), and made anew")
      return
    }
    throw SystemError(errno: Errno.exists, call: "rename", path: "\(root)/\(name)")
  }
}
