import CMount
import Glibc

/// A file system that is mounted, or that `fstab(5)` names.
public struct Mount: Sendable, Equatable {
  /// The path of the mount point.
  public let path: String
  /// The number of the device, as in `st_dev`; 0 for an entry of `fstab(5)`.
  public let device: UInt
  /// Whether this mount is read-only while its file system is writable elsewhere.
  public let isReadOnlyHere: Bool
  /// The upper directory of an overlay.
  public let upperDirectory: String?

  /// Returns whether the path is the mount point or below it, by its text.
  public func holds(_ path: String) -> Bool {
    let own = self.path.utf8
    guard self.path != "/", path.utf8.starts(with: own) else { return self.path == "/" }
    return path.utf8.count == own.count || path.utf8.dropFirst(own.count).first == 0x2F
  }

  /// Returns the mounts of this process, oldest first; nil when the table cannot be read.
  ///
  /// `table` has the format of `proc_pid_mountinfo(5)` or `fstab(5)`.
  public static func mounted(_ table: String = "/proc/self/mountinfo") -> [Mount]? {
    read { mnt_table_parse_file($0, table) }
  }

  /// Returns the entries of an `fstab(5)`, without swap areas; nil when it cannot be read.
  ///
  /// Lines without sense are left out.
  public static func wanted(_ table: String = "/etc/fstab") -> [Mount]? {
    read { mnt_table_parse_fstab($0, table) }
  }

  /// Returns the mount that a path without links is on; nil when the table cannot be read.
  ///
  /// `table` has the format of `proc_pid_mountinfo(5)`.
  public static func holding(
    _ path: String, in table: String = "/proc/self/mountinfo"
  ) -> Mount? {
    var best: Mount?
    // The later of two mounts at one path hides the earlier one.
    for mount in mounted(table) ?? [] where mount.holds(path) {
      if mount.path.utf8.count >= best?.path.utf8.count ?? 0 { best = mount }
    }
    return best
  }

  private static func read(_ parse: (OpaquePointer) -> Int32) -> [Mount]? {
    guard let table = mnt_new_table() else { return nil }
    defer { mnt_unref_table(table) }
    guard let iterator = mnt_new_iter(Int32(MNT_ITER_FORWARD)) else { return nil }
    defer { mnt_free_iter(iterator) }
    guard parse(table) == 0 else { return nil }
    var mounts: [Mount] = []
    var entry: OpaquePointer?
    while mnt_table_next_fs(table, iterator, &entry) == 0, let entry {
      if let mount = Mount(entry) { mounts.append(mount) }
    }
    return mounts
  }

  private init?(_ entry: OpaquePointer) {
    guard mnt_fs_is_swaparea(entry) == 0, let target = mnt_fs_get_target(entry) else { return nil }
    var text = String(cString: target)
    while text.utf8.count > 1, text.utf8.last == 0x2F { text.removeLast() }
    let parts = text.utf8.split(separator: 0x2F, omittingEmptySubsequences: false).dropFirst()
    let isPlain = parts.allSatisfy { part in
      !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
    }
    guard text.utf8.first == 0x2F, text == "/" || isPlain, text.utf8.count < PATH_MAX else {
      return nil
    }
    path = text
    device = UInt(mnt_fs_get_devno(entry))
    let (here, everywhere) = (mnt_fs_get_vfs_options(entry), mnt_fs_get_fs_options(entry))
    isReadOnlyHere = Mount.isReadOnly(here) && !Mount.isReadOnly(everywhere)
    var (value, count): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
    let hasUpper = mnt_fs_get_option(entry, "upperdir", &value, &count) == 0
    upperDirectory = hasUpper ? value.map { Mount.text($0, count) } : nil
  }

  private static func isReadOnly(_ options: UnsafePointer<CChar>?) -> Bool {
    options.map { mnt_match_options($0, "ro") == 1 } ?? false
  }

  private static func text(_ start: UnsafeMutablePointer<CChar>, _ count: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }
}
