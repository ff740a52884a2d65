import CLinux
import Glibc

/// What is to be mounted (`fstab(5)`), and what is.
///
/// A directory whose disk is not mounted is there all the same, on the disk below: what is written
/// to it is out of sight when the disk returns.
public struct MountTable: Sendable, Equatable {
  /// What is to be mounted.
  public var wanted: String
  /// What is mounted, in the same format.
  public var mounted: String

  /// Names the tables; by default the system's.
  public init(wanted: String = "/etc/fstab", mounted: String = "/proc/self/mounts") {
    (self.wanted, self.mounted) = (wanted, mounted)
  }

  /// The mount point at or above `path` that is named and not mounted now; nil where there is none,
  /// or where that cannot be found out.
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

  // Links followed as far as the path is there; so that nobody gets around by one.
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
  /// For a library whose disk is not mounted.
  static func notMounted(_ path: String, _ mountPoint: String) -> LibraryError {
    LibraryError(
      .gone, "the disk of \(path) is not mounted: 'sudo mount \(quoted(mountPoint))' mounts it")
  }

  private static func quoted(_ path: String) -> String {
    let isPlain = path.allSatisfy { $0.isLetter || $0.isNumber || "/._-".contains($0) }
    return isPlain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
  }
}
