import CLinux
import Glibc

/// The tables of the disks to be mounted (`fstab(5)`) and of those that are mounted.
///
/// The directory of an unmounted disk still exists, on the disk below. Files that are written to it
/// are hidden as soon as the disk is mounted again.
public struct MountTable: Sendable, Equatable {
  /// The path of the table of disks to be mounted.
  public var wanted: String
  /// The path of the table of mounted disks, in the same format.
  public var mounted: String

  /// Creates a pair of tables, by default the system's.
  public init(wanted: String = "/etc/fstab", mounted: String = "/proc/self/mounts") {
    (self.wanted, self.mounted) = (wanted, mounted)
  }

  /// Returns the mount point at or above `path` that has an entry and is not mounted now.
  ///
  /// Returns nil where there is none, or where the tables cannot be read.
  public func missing(for path: String) -> String? {
    guard path.hasPrefix("/") else { return nil }
    if let found = find(path) { return found }
    let real = MountTable.resolved(path)
    return real == path ? nil : find(real)
  }

  private func find(_ path: String) -> String? {
    var found = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = found.count
    let isMissing = found.withUnsafeMutableBufferPointer {
      clinux_missing_mount(wanted, mounted, path, $0.baseAddress, count)
    }
    guard isMissing else { return nil }
    return String(decoding: found.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
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
