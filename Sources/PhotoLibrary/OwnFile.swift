import CLinux
import Glibc
import Platform

/// The files that a library keeps for itself, protected from other objects with their names.
///
/// A directory, pipe, link or device with such a name gets another name. The library never waits
/// for it, follows it or deletes it.
enum OwnFile {
  /// Opens a regular file, with O_NOFOLLOW and O_NONBLOCK.
  ///
  /// With O_CREAT in `flags`, an object that is no regular file is renamed and a new file is
  /// created. Without O_CREAT, such an object makes the call throw EINVAL. `path` is the
  /// directory's, for messages.
  static func open(
    _ name: String, in directory: Int32, at path: String, flags: Int32, mode: UInt32 = 0,
    _ system: any SystemCalls
  ) throws(SystemError) -> Descriptor {
    let flags = flags | clinux_o_nofollow | clinux_o_nonblock
    for isLast in [false, true] {
      let fd = system.retrying { $0.openat(directory, name, flags, mode) }
      let isForeign: Bool
      if fd >= 0 {
        let file = Descriptor(owning: fd, system: system)
        if try isRegular(file.number, "\(path)/\(name)", system) { return file }
        isForeign = true
      } else {
        isForeign = [-Errno.isADirectory, -Errno.loop, -Errno.noSuchDevice].contains(fd)
      }
      guard isForeign, !isLast, flags & O_CREAT != 0 else {
        let failure = fd < 0 && !isForeign ? fd : -Errno.invalid
        throw SystemError(errno: 0 - failure, call: "open", path: "\(path)/\(name)")
      }
      try clear(name, in: directory, at: path, system)
    }
    throw SystemError(errno: Errno.invalid, call: "open", path: "\(path)/\(name)")
  }

  /// Creates a new regular file in place of an old one, and renames an object that is no file.
  ///
  /// The name must be a temporary one, because the content of an old file is lost.
  static func make(
    _ name: String, in directory: Int32, at path: String,
    flags: Int32 = O_WRONLY | O_CREAT | O_EXCL | clinux_o_nofollow, _ system: any SystemCalls
  ) throws(SystemError) -> Descriptor {
    var fd = system.retrying { $0.openat(directory, name, flags, 0o644) }
    if fd == -Errno.exists {
      try clear(name, in: directory, at: path, system)
      _ = system.unlinkat(directory, name)
      fd = system.retrying { $0.openat(directory, name, flags, 0o644) }
    }
    return Descriptor(owning: try system.check(fd, "open", "\(path)/\(name)"), system: system)
  }

  /// Renames a file to `name`, replacing an old file; an object that is no file is renamed first.
  static func replace(
    _ name: String, by temporary: String, in directory: Int32, at path: String,
    _ system: any SystemCalls
  ) throws(SystemError) {
    var result = system.rename(directory, temporary, name)
    if [-Errno.isADirectory, -Errno.notEmpty, -Errno.exists].contains(result) {
      try clear(name, in: directory, at: path, system)
      result = system.rename(directory, temporary, name)
    }
    try system.check(result, "rename", "\(path)/\(name)")
  }

  /// Returns whether the name is free or a regular file's.
  static func isFreeOrRegular(
    _ name: String, in directory: Int32, _ system: any SystemCalls
  ) -> Bool {
    let fd = system.openat(directory, name, clinux_o_path | clinux_o_nofollow, 0)
    guard fd >= 0 else { return fd == -Errno.noEntry }
    defer { _ = system.close(fd) }
    return (try? isRegular(fd, name, system)) ?? false
  }

  /// Renames an object that is no regular file.
  static func clear(
    _ name: String, in directory: Int32, at path: String, _ system: any SystemCalls
  ) throws(SystemError) {
    guard !isFreeOrRegular(name, in: directory, system) else { return }
    for number in 1...100 {
      let aside = "\(name).aside" + (number == 1 ? "" : "-\(number)")
      let result = system.renameFree(directory, name, aside)
      switch result {
      case -Errno.exists: continue
      case -Errno.noEntry: return
      default:
        try system.check(result, "rename", "\(path)/\(name)")
        Log("library").warning(
          "what has the name of a file of the library's own is none, and is set aside",
          [("file", "\(path)/\(aside)")])
        return
      }
    }
    throw SystemError(errno: Errno.exists, call: "rename", path: "\(path)/\(name)")
  }

  private static func isRegular(
    _ fd: Int32, _ path: String, _ system: any SystemCalls
  ) throws(SystemError) -> Bool {
    try StateFile.size(fd, path, system) != nil
  }
}
