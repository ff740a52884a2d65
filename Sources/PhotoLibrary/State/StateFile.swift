import CLinux
import Glibc
import Platform

/// Reading and writing of the small files in a library's root whose names begin with `.retake.`.
///
/// Their content is untrusted, because another program, a failing disk or a person may have written
/// it.
enum StateFile {
  /// Returns the size of a regular file in bytes; nil for any other object.
  static func size(
    _ fd: Int32, _ path: String, _ system: any SystemCalls
  ) throws(SystemError) -> Int? {
    var status = stat()
    try system.check(system.fstat(fd, &status), "fstat", path)
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size >= 0 else { return nil }
    return Int(status.st_size)
  }

  /// Returns the first bytes of a file in an open directory, at most `limit` of them.
  ///
  /// Returns nil for an object that is no regular file. Throws ENOENT if the file is missing.
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

  /// Replaces a file in an open directory; a power cut leaves either the old bytes or the new ones.
  ///
  /// `temporary` is the file's name before the rename. `path` is the directory's, for messages. A
  /// directory that has the file's name is renamed.
  static func replace(
    _ name: String, temporary: String, with bytes: [UInt8], in directory: Int32, at path: String,
    _ system: any SystemCalls
  ) throws(SystemError) {
    do throws(SystemError) {
      let file = try OwnFile.make(temporary, in: directory, at: path, system)
      // A number, not a `Descriptor`: Swift 6.0 does not capture noncopyable values in these
      // closures.
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
