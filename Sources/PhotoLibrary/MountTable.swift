import Glibc
import Platform

/// The tables of the disks to be mounted (`fstab(5)`) and of those that are mounted.
///
/// The directory of an unmounted disk still exists, on the disk below. Files that are written to it
/// are hidden as soon as the disk is mounted again.
public struct MountTable: Sendable, Equatable {
  /// The path of the table of disks to be mounted.
  public var wanted: String
  /// The path of the table of mounted disks, in the format of `proc_pid_mountinfo(5)` or the same.
  public var mounted: String

  /// Creates a pair of tables, by default the system's.
  public init(wanted: String = "/etc/fstab", mounted: String = "/proc/self/mountinfo") {
    (self.wanted, self.mounted) = (wanted, mounted)
  }

  /// Returns the mount point at or above `path` that has an entry and is not mounted now.
  ///
  /// Returns nil where there is none, or where the tables cannot be read.
  public func missing(for path: String) -> String? {
    guard path.hasPrefix("/"), let entries = Mount.wanted(wanted) else { return nil }
    if let found = missing(for: path, entries) { return found }
    let real = MountTable.resolved(path)
    return real == path ? nil : missing(for: real, entries)
  }

  private func missing(for path: String, _ entries: [Mount]) -> String? {
    let above = entries.filter { $0.path != "/" && $0.holds(path) }
    // An unreadable table does not mean that the mount is missing.
    guard !above.isEmpty, let mounts = Mount.mounted(mounted) else { return nil }
    func isMounted(_ place: String) -> Bool {
      mounts.contains { $0.path.utf8.elementsEqual(place.utf8) }
    }
    // The links of a place that is listed are not resolved, because its disk may not answer.
    let missing = above.map(\.path).filter {
      !isMounted($0) && !isMounted(MountTable.resolved($0))
    }
    return missing.max { $0.utf8.count < $1.utf8.count }
  }

  // Resolves the links of the existing part of a path, so that a link does not bypass the check.
  private static func resolved(_ path: String) -> String {
    var parts = path.split(separator: "/")[...]
    var rest = ""
    while !parts.isEmpty {
      if let real = realpath("/" + parts.joined(separator: "/"), nil) {
        defer { free(real) }
        let start = String(cString: real)
        return (start == "/" ? "" : start) + rest
      }
      if let last = parts.popLast() { rest = "/\(last)\(rest)" }
    }
    return path
  }
}

extension LibraryError {
  /// Returns the error for a library whose disk is not mounted.
  static func notMounted(_ path: String, _ mountPoint: String) -> LibraryError {
    LibraryError(
      .gone, "the disk of \(path) is not mounted: 'sudo mount \(quoted(mountPoint))' mounts it")
  }

  private static func quoted(_ path: String) -> String {
    let isPlain = path.allSatisfy { $0.isLetter || $0.isNumber || "/._-".contains($0) }
    return isPlain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
  }
}
