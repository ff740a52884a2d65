import Glibc
import Platform

extension Still {
  /// Writes the file at an open descriptor's position by `writev(2)`, without copying the bytes.
  public func write(to descriptor: borrowing Descriptor) throws(SystemError) {
    let (number, system) = (descriptor.number, descriptor.system)
    let result = withParts { parts in
      Result { () throws(SystemError) in
        try system.writeAll(
          number, parts: parts.map { UnsafeRawBufferPointer(start: $0.iov_base, count: $0.iov_len) }
        )
      }
    }
    try result.get()
  }

  /// Writes the file at `path` and replaces an existing one; deletes the file if the write fails.
  ///
  /// This function is for tools. The library writes photos, with the syncs that make them durable.
  public func write(
    to path: String, system: any SystemCalls = LinuxSystemCalls()
  ) throws(SystemError) {
    let file = try Descriptor(
      opening: path, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644, system: system)
    do throws(SystemError) {
      try write(to: file)
      try file.close()
    } catch {
      _ = system.unlinkat(AT_FDCWD, path)
      throw error
    }
  }
}
