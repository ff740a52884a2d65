import CLinux
import Glibc
import Platform

/// The place of a new file: an open directory and a name in it, after permitted links are followed.
struct OutputPlace {
  /// The given path, or the target of a link, for messages.
  private(set) var path: String
  private(set) var name = ""
  /// The directory, opened with O_PATH; the creator of this value closes it.
  private(set) var folder: Int32 = -1
  /// The reason for which no file can be created there, or `nil`.
  private(set) var refusal: String?

  /// Follows `path` to its end.
  ///
  /// Throws ELOOP for a link that root must not follow by the rules of `RootWalk`.
  init(_ path: String, _ system: any SystemCalls) throws(SystemError) {
    self.path = path
    // A command that runs as the library's owner writes root's own files as root.
    let isRoot = geteuid() == 0 || system is RaisedSystemCalls
    var isLink = false
    for _ in 0..<40 {
      let slash = self.path.lastIndex(of: "/")
      name = slash.map { String(self.path[self.path.index(after: $0)...]) } ?? self.path
      let directory = slash.map { String(self.path[...$0]) } ?? "."
      let isTrusted = try open(directory, isRoot, system)
      guard !name.isEmpty, name != ".", name != ".." else {
        let isFolder = path.hasSuffix("/") || !name.isEmpty
        refusal =
          isFolder && !path.isEmpty
          ? "'\(path)' is a directory; name a file in it"
          : "'\(path)' names no file; name one that ends with .jpg"
        return
      }
      let fd = system.openat(folder, name, clinux_o_path | clinux_o_nofollow, 0)
      guard fd >= 0 else {
        if isLink { refusal = "'\(path)' is a link that leads nowhere; name a file" }
        return
      }
      var status = stat()
      let result = system.fstat(fd, &status)
      _ = system.close(fd)
      try system.check(result, "fstat", self.path)
      guard status.st_mode & S_IFMT == S_IFLNK else {
        refusal = OutputPlace.refusal(status.st_mode, path)
        return
      }
      isLink = true
      guard !isRoot || (isTrusted && status.st_uid == 0) else {
        _ = system.close(folder)
        throw SystemError(errno: ELOOP, call: "open", path: self.path)
      }
      let target = try follow(directory, system)
      self.path = target
    }
    refusal = "'\(path)' is a link that leads nowhere; name a file"
  }

  // Opens the directory; returns whether only root can change its entries.
  private mutating func open(
    _ directory: String, _ isRoot: Bool, _ system: any SystemCalls
  ) throws(SystemError) -> Bool {
    if folder >= 0 { _ = system.close(folder) }
    folder = -1
    guard isRoot else {
      let flags = clinux_o_directory | clinux_o_path
      folder = try system.check(
        system.retrying { $0.open(directory, flags, 0) }, "open", directory)
      return false
    }
    let walk = try RootWalk.to(directory, system: system)
    guard walk.missing.isEmpty else {
      throw SystemError(errno: ENOENT, call: "open", path: directory)
    }
    let number = system.openat(walk.folder.number, ".", clinux_o_directory | clinux_o_path, 0)
    folder = try system.check(number, "open", directory)
    return walk.isTrusted
  }

  private func follow(
    _ directory: String, _ system: any SystemCalls
  ) throws(SystemError) -> String {
    let target: String
    do throws(SystemError) {
      target = try system.readlink("/proc/self/fd/\(folder)/\(name)").get()
    } catch {
      _ = system.close(folder)
      throw error
    }
    return target.hasPrefix("/") ? target : "\(directory)/\(target)"
  }

  private static func refusal(_ mode: mode_t, _ path: String) -> String? {
    switch mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "'\(path)' is a directory; name a file in it"
    default: "'\(path)' is a device, a pipe or a socket; name a file, or a new name"
    }
  }
}
