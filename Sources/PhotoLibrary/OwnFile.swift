import CLinux
import Glibc
import Platform

/// The files that a library keeps for itself, whatever else may have their names.
///
/// A directory, a pipe, a link or a device in the place of one is set aside under another name, and
/// never waited for, followed or deleted.
enum OwnFile {
  /// Opens a regular file, with O_NOFOLLOW and O_NONBLOCK.
  ///
  /// With O_CREAT in `flags` what is no regular file is set aside, and the file is made anew; else
  /// EINVAL is thrown for it. `path` is the directory's, for messages.
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

  /// Makes a new regular file of that name in place of one that is there; what is no file is set
  /// aside.
  ///
  /// For temporary names: what has one is of no use to anybody.
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

  /// Renames a file to `name` in place of the one that is there; what is no file is set aside.
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

  /// Whether the name is that of a regular file, or free.
  static func isFreeOrRegular(
    _ name: String, in directory: Int32, _ system: any SystemCalls
  ) -> Bool {
    let fd = system.openat(directory, name, clinux_o_path | clinux_o_nofollow, 0)
    guard fd >= 0 else { return fd == -Errno.noEntry }
    defer { _ = system.close(fd) }
    return (try? isRegular(fd, name, system)) ?? false
  }

  /// Gives what is no regular file another name.
  static func clear(
    _ name: String, in directory: Int32, at path: String, _ system: any SystemCalls
  ) throws(SystemError) {
    guard !isFreeOrRegular(name, in: directory, system) else { return }
    for number in 1...100 {
      let aside = "\(name).aside" + (number == 1 ? "" : "-\(number)")
      var result = system.retrying { $0.renameNew(directory, name, aside) }
      if [-Errno.invalid, -Errno.notImplemented, -Errno.notSupported].contains(result) {
        // A look has to do where a rename cannot refuse to replace.
        let there = system.openat(directory, aside, clinux_o_path | clinux_o_nofollow, 0)
        if there >= 0 { _ = system.close(there) }
        result =
          there == -Errno.noEntry ? system.rename(directory, name, aside) : -Errno.exists
      }
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
