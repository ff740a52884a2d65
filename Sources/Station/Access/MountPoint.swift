import Glibc
import Platform
import StationConfiguration

/// The mount that holds a path.
struct MountPoint: Sendable, Equatable {
  var path: String
  /// Whether this mount is read-only while its file system is writable elsewhere.
  var isReadOnlyHere: Bool

  /// Finds the mount of `path` in `/proc/self/mountinfo`; `nil` when the file cannot be read.
  init?(of path: String) {
    let system = LinuxSystemCalls()
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    guard
      let file = try? Descriptor(opening: "/proc/self/mountinfo", flags: O_RDONLY, system: system),
      let bytes = try? readBytes(file, "mountinfo", limit: 4 << 20)
    else { return nil }
    self.init(of: String(cString: resolved), in: String(decoding: bytes, as: UTF8.self))
  }

  /// Finds the last mount whose path is a prefix of `path`.
  ///
  /// `text` has the format of `proc_pid_mountinfo(5)`.
  init?(of path: String, in text: String) {
    var best: MountPoint?
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 9, let dash = fields.firstIndex(of: "-"), dash + 3 < fields.count else {
        continue
      }
      let place = MountPoint.unescaped(fields[4])
      guard place == "/" || path == place || path.hasPrefix("\(place)/") else { continue }
      // The later of two mounts at the same path hides the earlier one.
      guard place.utf8.count >= best?.path.utf8.count ?? 0 else { continue }
      let isReadOnly = fields[5].split(separator: ",").contains("ro")
      let isSystemReadOnly = fields[dash + 3].split(separator: ",").contains("ro")
      best = MountPoint(path: place, isReadOnlyHere: isReadOnly && !isSystemReadOnly)
    }
    guard let best else { return nil }
    self = best
  }

  private init(path: String, isReadOnlyHere: Bool) {
    self.path = path
    self.isReadOnlyHere = isReadOnlyHere
  }

  // `mountinfo` writes a blank or another special character as three octal digits.
  private static func unescaped(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), rest.count >= 3,
        let value = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8)
      {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
