import CLinux
import Glibc

/// A directory as root may reach it: opened part by part, with what is known of those who can change
/// the way.
///
/// A link is followed only while nobody but root can have made it. From the first directory on that
/// somebody else writes, every part has to be a directory itself.
public struct RootWalk: ~Copyable {
  /// A user and that user's group, as the directory says.
  public struct Owner: Sendable, Hashable {
    /// The user's number.
    public var user: UInt32
    /// The number of the directory's group.
    public var group: UInt32
  }

  /// The deepest part of the path that is there, opened with O_PATH.
  public let folder: Descriptor
  /// The parts of the path that are not there.
  public let missing: [String]
  /// Who decides what is at the path: the owner of its end or, where that is root, of the last
  /// directory on the way that is somebody else's; nil: root alone.
  public let owner: Owner?
  /// Whether some directory of root's on the way, or the end, can be written by others.
  public let isShared: Bool

  /// Whether nobody but root decides what is there.
  public var isTrusted: Bool { owner == nil && !isShared }

  /// Walks to `path`, which is absolute or begins at the working directory.
  ///
  /// It ends at the first part that is not there. Throws ELOOP for a link that somebody else may
  /// have made, and ENOTDIR for what is no directory.
  public static func to(
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

  /// Opens the directory itself for reading, listing and syncing; throws ENOENT where it is not
  /// there.
  public func open(_ path: String) throws(SystemError) -> Descriptor {
    guard missing.isEmpty else { throw SystemError(errno: ENOENT, call: "open", path: path) }
    let system = folder.system
    let fd = system.retrying { $0.openat(folder.number, ".", clinux_o_directory, 0) }
    return Descriptor(owning: try system.check(fd, "open", path), system: system)
  }

  // Numbers, not a `Descriptor`: Swift 6.0 does not let one be replaced in a structure in a loop.
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

    // Takes over the descriptor of the next directory, or throws what its negative number says.
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

    // Whether others than root may put names there, or take root's away. In a sticky directory such
    // as /tmp they may only add names; a link of theirs is known by its owner.
    private static func isOpen(_ status: stat) -> Bool {
      if status.st_mode & S_ISVTX != 0 { return false }
      return status.st_mode & S_IWOTH != 0 || (status.st_mode & S_IWGRP != 0 && status.st_gid != 0)
    }

    // Last first.
    private static func parts(_ path: String) -> [String] {
      path.split(separator: "/").filter { $0 != "." }.map(String.init).reversed()
    }
  }
}

extension RootWalk {
  /// Opens a file for reading; as root, no link that somebody else may have made is followed, and
  /// in a directory that others write only regular files are taken.
  public static func openFile(
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
