import CLinux
import Glibc
import Platform

/// The owner of a file, and what the file permits the program.
struct Ownership: Sendable {
  let isAllowed: Bool
  let owner: String
  let group: String
  let mode: UInt32
  /// Whether the file's group has the wanted permissions.
  let isGroupAllowed: Bool
  /// Whether the file belongs to the current user.
  let isOwn: Bool
  /// Whether the file belongs to one of the current user's groups.
  let isInGroup: Bool

  /// Reads the owner of `path`; `nil` when the file does not exist or cannot be seen.
  ///
  /// `wanted` consists of the bits 4 (read), 2 (write) and 1 (search).
  init?(_ path: String, wanted: UInt32, _ system: any SystemCalls = LinuxSystemCalls()) {
    var status = stat()
    let fd = system.retrying { $0.open(path, clinux_o_path, 0) }
    guard fd >= 0 else { return nil }
    defer { _ = system.close(fd) }
    guard system.fstat(fd, &status) >= 0 else { return nil }
    mode = UInt32(status.st_mode) & 0o7777
    owner = Ownership.user(status.st_uid)
    group = Ownership.group(status.st_gid)
    isGroupAllowed = mode >> 3 & wanted == wanted
    isOwn = geteuid() == status.st_uid
    isInGroup = Ownership.groups.contains(status.st_gid)
    if geteuid() == 0 {
      isAllowed = true
    } else if isOwn {
      isAllowed = mode >> 6 & wanted == wanted
    } else if isInGroup {
      isAllowed = isGroupAllowed
    } else {
      isAllowed = mode & wanted == wanted
    }
  }

  /// The owner and the mode in words, as in `root:video with mode 0660`.
  var words: String { Ownership.words(owner, group, mode) }

  static func words(_ owner: String, _ group: String, _ mode: UInt32) -> String {
    let digits = String(mode, radix: 8)
    let padding = String(repeating: "0", count: max(0, 4 - digits.count))
    return "\(owner):\(group) with mode \(padding)\(digits)"
  }

  private static var groups: [gid_t] {
    let count = max(0, getgroups(0, nil))
    var groups = [gid_t](repeating: 0, count: Int(count))
    let filled = getgroups(count, &groups)
    return groups.prefix(Int(max(0, filled))) + [getegid()]
  }

  static func user(_ id: uid_t) -> String {
    var entry = passwd()
    var result: UnsafeMutablePointer<passwd>?
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      guard let start = buffer.baseAddress,
        getpwuid_r(id, &entry, start, buffer.count, &result) == 0, result != nil,
        let name = entry.pw_name
      else { return "user \(id)" }
      return String(cString: name)
    }
  }

  static func group(_ id: gid_t) -> String {
    var entry = Glibc.group()
    var result: UnsafeMutablePointer<Glibc.group>?
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      guard let start = buffer.baseAddress,
        getgrgid_r(id, &entry, start, buffer.count, &result) == 0, result != nil,
        let name = entry.gr_name
      else { return "group \(id)" }
      return String(cString: name)
    }
  }
}
