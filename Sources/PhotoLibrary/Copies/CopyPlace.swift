import CLinux
import Glibc
import Platform

/// The directory that `copy.to` names, and the check whether it may hold copies.
enum CopyPlace {
  /// Returns whether a path is below a mount point of removable disks.
  static func isForeign(_ path: String) -> Bool {
    ["/media/", "/mnt/", "/run/media/"].contains { path.hasPrefix($0) }
  }

  /// Opens the directory; returns nil if it does not exist.
  ///
  /// Below the mount points of removable disks, a link on such a disk is not followed.
  static func open(
    _ path: String, isForeign: Bool, _ system: any SystemCalls
  ) throws(CopyRefusal) -> Descriptor? {
    var fd: Int32
    if isForeign {
      let folder = try walk(path, system)
      guard folder >= 0 else { return try absence(folder, path, system) }
      fd = system.retrying { $0.openBeneath(folder, ".", clinux_o_directory, 0) }
      _ = system.close(folder)
    } else {
      fd = system.retrying { $0.open(path, clinux_o_directory, 0) }
    }
    guard fd >= 0 else { return try absence(fd, path, system) }
    return Descriptor(owning: fd, system: system)
  }

  // The errors that mean that the directory or its disk is missing.
  private static let absences = [
    -Errno.noEntry, -Errno.noDevice, -Errno.noSuchDevice, -Errno.notConnected,
  ]

  private static func absence(
    _ result: Int32, _ path: String, _ system: any SystemCalls
  ) throws(CopyRefusal) -> Descriptor? {
    if absences.contains(result) { return nil }
    throw .failed(SystemError(errno: 0 - result, call: "open", path: path))
  }

  // Returns a descriptor's number, or a negative errno.
  private static func walk(
    _ path: String, _ system: any SystemCalls
  ) throws(CopyRefusal) -> Int32 {
    let flags = clinux_o_directory | clinux_o_path
    var current = system.open("/", flags, 0)
    guard current >= 0 else { return current }
    let top = Identity(current, system)
    var walked = ""
    for part in path.split(separator: "/") where part != "." {
      walked += "/\(part)"
      // The final dot triggers an automount.
      let way = "\(part)/."
      let folder = current
      var next =
        part == ".."
        ? system.openat(folder, "..", flags, 0)
        : system.retrying { $0.openBeneath(folder, way, flags, 0) }
      if [-Errno.loop, -Errno.notADirectory].contains(next), isLink(String(part), folder, system) {
        guard let top, Identity(folder, system)?.device == top.device else {
          _ = system.close(folder)
          throw .unfit(
            "\(path) leads through \(walked), a link on a disk of others, and such links are not "
              + "followed: name the directory itself in 'copy.to'")
        }
        next = system.retrying { $0.openat(folder, way, flags, 0) }
      }
      _ = system.close(folder)
      guard next >= 0 else { return next }
      current = next
    }
    return current
  }

  private static func isLink(
    _ name: String, _ directory: Int32, _ system: any SystemCalls
  ) -> Bool {
    let fd = system.openat(directory, name, clinux_o_path | clinux_o_nofollow, 0)
    guard fd >= 0 else { return false }
    defer { _ = system.close(fd) }
    var status = stat()
    return system.fstat(fd, &status) >= 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// The device and inode of a file, whatever path leads to it.
  struct Identity: Hashable, Sendable {
    var device: UInt
    var inode: UInt

    init(_ status: stat) { (device, inode) = (UInt(status.st_dev), UInt(status.st_ino)) }

    /// Returns nil if the system call fails.
    init?(_ fd: Int32, _ system: any SystemCalls) {
      var status = stat()
      guard system.fstat(fd, &status) >= 0 else { return nil }
      self.init(status)
    }
  }

  /// Throws if the directory is the library at `root`, is inside it, or contains it.
  static func check(
    _ folder: Int32, _ path: String, besides root: String, _ system: any SystemCalls
  ) throws(CopyRefusal) {
    let opened = system.open(root, clinux_o_directory | clinux_o_path, 0)
    guard opened >= 0 else {
      throw .library(
        LibraryError(SystemError(errno: 0 - opened, call: "open", path: root), at: root))
    }
    let library = Descriptor(owning: opened, system: system)
    let ours = try ancestors(library.number, root, system)
    let theirs = try ancestors(folder, path, system)
    let relation: String
    if ours.first == theirs.first {
      relation = "is the library itself"
    } else if let place = theirs.first, ours.contains(place) {
      relation = "holds the library"
    } else if let place = ours.first, theirs.contains(place) {
      relation = "is inside of the library"
    } else {
      return
    }
    throw .unfit(
      "\(path) \(relation), and nothing there would be a copy: name a directory on another disk in "
        + "'copy.to'")
  }

  // Returns the directory and its parents, as far as permissions allow.
  private static func ancestors(
    _ folder: Int32, _ path: String, _ system: any SystemCalls
  ) throws(CopyRefusal) -> [Identity] {
    var status = stat()
    let result = system.fstat(folder, &status)
    guard result >= 0 else {
      throw .failed(SystemError(errno: 0 - result, call: "fstat", path: path))
    }
    var found = [Identity(status)]
    let flags = clinux_o_directory | clinux_o_path
    var current = system.openat(folder, "..", flags, 0)
    while current >= 0, found.count < 256 {
      let next = system.openat(current, "..", flags, 0)
      let identity = Identity(current, system)
      _ = system.close(current)
      current = next
      guard let identity, identity != found.last else { break }
      found.append(identity)
    }
    if current >= 0 { _ = system.close(current) }
    return found
  }
}
