import CLinux
import Glibc

extension LinuxSystemCalls {
  /// `flock(2)`.
  public func lock(_ fd: Int32, _ operation: Int32) -> Int32 {
    clinux_flock(fd, operation) == -1 ? -Glibc.errno : 0
  }

  /// `renameat(2)`.
  public func rename(_ directory: Int32, _ from: String, _ to: String) -> Int32 {
    Glibc.renameat(directory, from, directory, to) == -1 ? -Glibc.errno : 0
  }

  /// `faccessat(2)`.
  public func access(_ directory: Int32, _ mode: Int32) -> Int32 {
    Glibc.faccessat(directory, ".", mode, AT_EACCESS) == -1 ? -Glibc.errno : 0
  }
}
