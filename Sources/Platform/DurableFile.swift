import CLinux
import Glibc

/// The recipe for a new file that gets its name once its bytes are safe on the disk.
///
/// The steps are ``create(_:)``, writing, ``sync(_:)`` and ``place(_:syncsDirectory:)``, or
/// ``discard()``. The value owns no descriptor, because closing one may block on a disk that hangs.
/// The steps block on the disk, and run on the thread that the caller has for it.
public struct DurableFile: Sendable {
  private let name: String
  private let temporary: String
  private let directory: Int32
  private let path: String
  private let system: any SystemCalls

  /// Creates the recipe for `name` in an open directory.
  ///
  /// `temporary` is the file's name until it is placed. `path` is the directory's, for messages.
  public init(
    _ name: String, temporary: String, in directory: Int32, at path: String,
    _ system: any SystemCalls
  ) {
    self.name = name
    self.temporary = temporary
    self.directory = directory
    self.path = path
    self.system = system
  }

  /// Creates the file under its temporary name and returns its descriptor, which the caller closes.
  ///
  /// A file that has the temporary name is deleted and never opened, because the name may be a link
  /// to a person's file. `access` is `O_WRONLY` or `O_RDWR`.
  public func create(_ access: Int32 = O_WRONLY) throws(SystemError) -> Int32 {
    let removed = system.unlinkat(directory, temporary)
    if removed != -Errno.noEntry { try system.check(removed, "unlink", "\(path)/\(temporary)") }
    let flags = access | O_CREAT | O_EXCL | clinux_o_nofollow
    let file = system.retrying { $0.openBeneath(directory, temporary, flags, 0o644) }
    return try system.check(file, "open", "\(path)/\(temporary)")
  }

  /// Syncs the file's bytes.
  public func sync(_ file: Int32) throws(SystemError) {
    try system.check(system.retrying { $0.fsync(file) }, "fsync", "\(path)/\(name)")
  }

  /// Gives a synced file its name, and syncs the file and then the directory.
  ///
  /// Without `syncsDirectory`, the name becomes durable with the next sync of the directory. A file
  /// that cannot be synced under its name is deleted. Source: fsync(2).
  ///
  /// - Returns: False when the name is taken; the file then keeps its temporary name.
  public func place(_ file: Int32, syncsDirectory: Bool = true) throws(SystemError) -> Bool {
    let renamed = system.renameFree(directory, temporary, name)
    if renamed == -Errno.exists { return false }
    try system.check(renamed, "rename", "\(path)/\(name)")
    // On FAT the new name has no bytes until the second sync.
    let synced =
      syncsDirectory
      ? system.syncRenamed(file, in: directory) : system.retrying { $0.fsync(file) }
    if synced < 0 { _ = system.unlinkat(directory, name) }
    try system.check(synced, "fsync", "\(path)/\(name)")
    return true
  }

  /// Deletes the temporary file.
  public func discard() { _ = system.unlinkat(directory, temporary) }
}

extension DurableFile {
  /// Returns the name of a file that is not complete: `prefix`, the beginning of `name`, `.part`.
  ///
  /// A file name has at most 255 bytes.
  public static func temporaryName(of name: String, prefix: String = ".retake-") -> String {
    "\(prefix)\(String(decoding: name.utf8.prefix(200), as: UTF8.self)).part"
  }
}

extension SystemCalls {
  /// Renames inside one directory to a name that must be free, on every file system.
  ///
  /// Where the rename cannot refuse to replace a file, the name is looked up first.
  ///
  /// - Returns: 0, or the negative error number, which is -EEXIST for a name that is taken.
  public func renameFree(_ directory: Int32, _ from: String, _ to: String) -> Int32 {
    let result = retrying { $0.renameNew(directory, from, to) }
    guard [-Errno.invalid, -Errno.notImplemented, -Errno.notSupported].contains(result) else {
      return result
    }
    let there = retrying { $0.openBeneath(directory, to, clinux_o_path | clinux_o_nofollow, 0) }
    if there >= 0 { _ = close(there) }
    return there == -Errno.noEntry ? rename(directory, from, to) : -Errno.exists
  }
}
