import Glibc
import Platform

extension Still {
  /// Writes the file at an open descriptor's position by `writev(2)`, without copying the bytes.
  public func write(to descriptor: borrowing Descriptor) throws(SystemError) {
    let number = descriptor.number
    let system = descriptor.system
    let failure = withParts { parts -> SystemError? in
      var done = 0
      while done < count {
        // The list holds the unwritten rest of each part.
        let written = withUnsafeTemporaryAllocation(of: iovec.self, capacity: parts.count) { left in
          var (skip, used) = (done, 0)
          for part in parts {
            let passed = min(skip, part.iov_len)
            skip -= passed
            guard passed < part.iov_len else { continue }
            left.initializeElement(
              at: used,
              to: iovec(iov_base: part.iov_base + passed, iov_len: part.iov_len - passed))
            used += 1
          }
          return system.retrying { $0.writev(number, UnsafeBufferPointer(rebasing: left[..<used])) }
        }
        guard written > 0 else {
          return SystemError(
            errno: written == 0 ? EIO : Int32(truncatingIfNeeded: 0 - written), call: "writev")
        }
        done += written
      }
      return nil
    }
    if let failure { throw failure }
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
