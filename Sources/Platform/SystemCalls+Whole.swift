import CLinux
import Glibc

/// Reading and writing to the end, repeating short calls.
///
/// All of these functions repeat a call that a signal interrupts, and throw the first error.
extension SystemCalls {
  /// Writes all bytes at the descriptor's position.
  ///
  /// Throws EIO if the kernel takes no byte and reports no error. `path` is for messages.
  public func writeAll(
    _ fd: Int32, _ bytes: UnsafeRawBufferPointer, _ path: @autoclosure () -> String? = nil
  ) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = retrying { $0.write(fd, rest) }
      try checkProgress(count, "write", path())
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
  }

  /// Writes all bytes at the descriptor's position.
  ///
  /// Throws EIO if the kernel takes no byte and reports no error. `path` is for messages.
  public func writeAll(
    _ fd: Int32, _ bytes: [UInt8], _ path: @autoclosure () -> String? = nil
  ) throws(SystemError) {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(SystemError) in try writeAll(fd, bytes, path()) }
    }
    try result.get()
  }

  /// Writes all parts one after the other at the descriptor's position, with `writev(2)`.
  ///
  /// Throws EIO if the kernel takes no byte and reports no error. `path` is for messages.
  public func writeAll(
    _ fd: Int32, parts: some Sequence<UnsafeRawBufferPointer>,
    _ path: @autoclosure () -> String? = nil
  ) throws(SystemError) {
    // The value of IOV_MAX.
    let most = 1024
    var vectors = parts.filter { !$0.isEmpty }.map {
      iovec(iov_base: UnsafeMutableRawPointer(mutating: $0.baseAddress), iov_len: $0.count)
    }
    var first = 0
    while first < vectors.count {
      let written = vectors.withUnsafeBufferPointer { all in
        let some = UnsafeBufferPointer(rebasing: all[first..<min(all.count, first + most)])
        return retrying { $0.writev(fd, some) }
      }
      try checkProgress(written, "writev", path())
      var left = written
      while first < vectors.count, left >= vectors[first].iov_len {
        left -= vectors[first].iov_len
        first += 1
      }
      if left > 0 {
        vectors[first].iov_base = vectors[first].iov_base.map { $0 + left }
        vectors[first].iov_len -= left
      }
    }
  }

  /// Writes all bytes at `offset`.
  ///
  /// Throws EIO if the kernel takes no byte and reports no error. `path` is for messages.
  public func writeAll(
    _ fd: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64,
    _ path: @autoclosure () -> String? = nil
  ) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = retrying { $0.pwrite(fd, rest, offset + Int64(done)) }
      try checkProgress(count, "pwrite", path())
      done += count
    }
  }

  /// Fills a buffer from `offset` of the file, and returns the number of bytes read.
  ///
  /// A number below the buffer's size means the end of the file. `path` is for messages.
  public func readAll(
    _ fd: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64,
    _ path: @autoclosure () -> String? = nil
  ) throws(SystemError) -> Int {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = retrying { $0.pread(fd, rest, offset + Int64(done)) }
      if try check(count, "pread", path()) == 0 { break }
      done += count
    }
    return done
  }

  /// Reads from the descriptor's position to the end, at most `limit` bytes.
  ///
  /// For small files, and for those of /proc and /sys, which have no size. `path` is for messages.
  public func readAll(
    _ fd: Int32, limit: Int, _ path: @autoclosure () -> String? = nil
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: min(limit, 16 << 10))
    while bytes.count < limit {
      let room = min(block.count, limit - bytes.count)
      let count = block.withUnsafeMutableBytes { buffer in
        retrying { $0.read(fd, UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(room))) }
      }
      if try check(count, "read", path()) == 0 { break }
      bytes += block.prefix(count)
    }
    return bytes
  }

  private func checkProgress(
    _ count: Int, _ call: String, _ path: @autoclosure () -> String?
  ) throws(SystemError) {
    try check(count == 0 ? Int(-Errno.io) : count, call, path())
  }

  /// Syncs a renamed file, then its directory; returns the first negative result.
  ///
  /// The file was synced before it was renamed; on FAT the new name has no bytes until the next
  /// sync. Source: fsync(2).
  public func syncRenamed(_ file: Int32, in directory: Int32) -> Int32 {
    let result = retrying { $0.fsync(file) }
    return result < 0 ? result : retrying { $0.fsync(directory) }
  }

  /// Returns whether a path leads to an object, which is not opened.
  public func exists(_ path: String) -> Bool {
    let fd = retrying { $0.open(path, clinux_o_path, 0) }
    if fd >= 0 { _ = close(fd) }
    return fd >= 0
  }
}
