import CLinux
import Glibc

/// A walk of root to a directory, part by part, with the users who can change the path.
///
/// A link is followed only if root alone can have made it. From the first directory on that another
/// user can write, every part must be a directory itself.
package struct RootWalk: ~Copyable {
  /// A user, and the group of that user's directory.
  package struct Owner: Sendable, Hashable {
    /// The user's number.
    package var user: UInt32
    /// The number of the directory's group.
    package var group: UInt32
  }

  /// The deepest existing part of the path, opened with O_PATH.
  package let folder: Descriptor
  /// The missing parts of the path.
  package let missing: [String]
  /// The user who controls the path; nil if root alone does.
  ///
  /// That is the owner of the path's end or, if root owns that, of the last directory on the path
  /// that another user owns.
  package let owner: Owner?
  /// Whether other users can write a directory of root's on the path, or the end.
  package let isShared: Bool

  /// Whether root alone controls the path.
  package var isTrusted: Bool { owner == nil && !isShared }

  /// Walks to `path`, which is absolute or relative to the working directory.
  ///
  /// The walk ends at the first missing part. Throws ELOOP for a link that another user may have
  /// made, and ENOTDIR for a part that is no directory.
  package static func to(
    _ path: String, system: any SystemCalls = LinuxSystemCalls()
  ) throws(SystemError) -> RootWalk {
    var walker = Walker(system)
    var full = path
    if !path.hasPrefix("/") {
      full = "\(try system.readlink("/proc/self/cwd").get())/\(path)"
    }
    do throws(SystemError) {
      try walker.walk(full)
    } catch {
      _ = system.close(walker.current)
      throw error
    }
    return RootWalk(
      folder: Descriptor(owning: walker.current, system: system), missing: walker.missing,
      owner: walker.owner, isShared: walker.isShared)
  }

  /// Opens the directory itself for reading, listing and syncing; throws ENOENT if it is missing.
  package func open(_ path: String) throws(SystemError) -> Descriptor {
    guard missing.isEmpty else { throw SystemError(errno: ENOENT, call: "open", path: path) }
    let system = folder.system
    let fd = system.retrying { $0.openat(folder.number, ".", clinux_o_directory, 0) }
    return Descriptor(owning: try system.check(fd, "open", path), system: system)
  }

  // Numbers, not a `Descriptor`: Swift 6.0 does not allow replacing one in a structure in a loop.
  private struct Walker {
    let system: any SystemCalls
    var current: Int32 = -1
    var missing: [String] = []
    var owner: Owner?
    var isShared = false
    var links = 0

    init(_ system: any SystemCalls) { self.system = system }

    mutating func walk(_ path: String) throws(SystemError) {
      try enter(
        system.retrying { $0.open("/", clinux_o_directory | clinux_o_path, 0) }, "/")
      var rest = Walker.parts(path)
      var walked = ""
      while let part = rest.popLast() {
        guard missing.isEmpty else {
          missing.append(part)
          continue
        }
        walked += "/\(part)"
        let flags = clinux_o_path | clinux_o_nofollow
        let (directory, fd) = (current, system.retrying { $0.openat(current, part, flags, 0) })
        if fd == -ENOENT {
          missing.append(part)
          continue
        }
        try system.check(fd, "open", walked)
        var status = stat()
        let result = system.fstat(fd, &status)
        guard result >= 0, status.st_mode & S_IFMT == S_IFLNK else {
          try enter(result < 0 ? result : fd, walked)
          continue
        }
        _ = system.close(fd)
        links += 1
        guard owner == nil, !isShared, status.st_uid == 0, links <= 40 else {
          throw SystemError(errno: ELOOP, call: "open", path: walked)
        }
        let target = try system.readlink("/proc/self/fd/\(directory)/\(part)").get()
        if target.hasPrefix("/") {
          try enter(
            system.retrying { $0.open("/", clinux_o_directory | clinux_o_path, 0) }, "/")
        }
        rest += Walker.parts(target)
      }
    }

    // Takes ownership of the next directory's descriptor, or throws the error of a negative number.
    private mutating func enter(_ fd: Int32, _ path: String) throws(SystemError) {
      try system.check(fd, "open", path)
      var status = stat()
      let result = system.fstat(fd, &status)
      let isFolder = result >= 0 && status.st_mode & S_IFMT == S_IFDIR
      guard isFolder else {
        _ = system.close(fd)
        try system.check(result, "fstat", path)
        throw SystemError(errno: ENOTDIR, call: "open", path: path)
      }
      if current >= 0 { _ = system.close(current) }
      current = fd
      if status.st_uid != 0 {
        owner = Owner(user: status.st_uid, group: status.st_gid)
      } else if Walker.isOpen(status) {
        isShared = true
      }
    }

    // Returns whether users other than root can add names there, or remove root's. In a sticky
    // directory such as /tmp they can only add names, and their links are recognized by the owner.
    private static func isOpen(_ status: stat) -> Bool {
      if status.st_mode & S_ISVTX != 0 { return false }
      return status.st_mode & S_IWOTH != 0 || (status.st_mode & S_IWGRP != 0 && status.st_gid != 0)
    }

    // The last part comes first.
    private static func parts(_ path: String) -> [String] {
      path.split(separator: "/").filter { $0 != "." }.map(String.init).reversed()
    }
  }
}

extension RootWalk {
  /// Opens a file for reading.
  ///
  /// As root, a link that another user may have made is not followed, and in a directory that other
  /// users can write only regular files are opened.
  package static func openFile(
    _ path: String, system: any SystemCalls = LinuxSystemCalls()
  ) throws(SystemError) -> Descriptor {
    let slash = path.lastIndex(of: "/")
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    guard geteuid() == 0, !name.isEmpty, name != ".", name != ".." else {
      return try Descriptor(opening: path, flags: O_RDONLY, system: system)
    }
    let walk = try RootWalk.to(slash.map { String(path[...$0]) } ?? ".", system: system)
    guard walk.missing.isEmpty else { throw SystemError(errno: ENOENT, call: "open", path: path) }
    let flags = clinux_o_path | clinux_o_nofollow
    let place = Descriptor(
      owning: try system.check(
        system.retrying { $0.openat(walk.folder.number, name, flags, 0) }, "open", path),
      system: system)
    var status = stat()
    try system.check(system.fstat(place.number, &status), "fstat", path)
    let kind = status.st_mode & S_IFMT
    if kind == S_IFLNK, !walk.isTrusted || status.st_uid != 0 {
      throw SystemError(errno: ELOOP, call: "open", path: path)
    }
    guard !walk.isTrusted else {
      return try Descriptor(opening: path, flags: O_RDONLY, system: system)
    }
    guard kind == S_IFREG else { throw SystemError(errno: EINVAL, call: "open", path: path) }
    let fd = system.retrying {
      $0.openat(walk.folder.number, name, O_RDONLY | clinux_o_nofollow | clinux_o_nonblock, 0)
    }
    return Descriptor(owning: try system.check(fd, "open", path), system: system)
  }
}
