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
    let file: Descriptor
    do throws(SystemError) {
      file = try OwnFile.open(name, in: directory, at: ".", flags: O_RDONLY, system)
    } catch {
      if error.errno == Errno.invalid { return nil }
      throw error
    }
    return try system.readAll(file.number, limit: limit, name)
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
      let file = try OwnFile.make(temporary, in: directory, at: path, system)
      // A number, not a `Descriptor`, which Swift 6.0 does not let into the closures.
      let fd = file.number
      try system.writeAll(fd, bytes, "\(path)/\(temporary)")
      try system.check(system.retrying { $0.fsync(fd) }, "fsync", "\(path)/\(temporary)")
      try OwnFile.replace(name, by: temporary, in: directory, at: path, system)
      try system.check(system.syncRenamed(fd, in: directory), "fsync", "\(path)/\(name)")
      withExtendedLifetime(file) {}
    } catch {
      _ = system.unlinkat(directory, temporary)
      throw error
    }
  }
}
