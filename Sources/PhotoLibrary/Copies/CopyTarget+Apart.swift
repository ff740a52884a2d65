import CLinux
import Glibc
import Platform

/// The check whether an album's directory in a target is the library's own directory.
///
/// An overlay, a FUSE file system, or a network share of this machine can show the library's album
/// with another device and other inodes. Each photo then seems to have a copy with the right bytes.
extension CopyTarget {
  /// Returns whether the target's directory of the photo's album is apart from the library's.
  ///
  /// A file that is made in one directory is looked for in the other, and the other way round: an
  /// overlay shows the files of its lower directory, a mirror writes into the library. Where the
  /// library takes no file, nothing proves that the two are apart, and the result is false. File
  /// systems that a kernel's driver keeps on a disk of their own are told by their device. `album` is
  /// the target's open directory.
  func isApart(_ photo: Photo, in album: Int32) throws(SystemError) -> Bool {
    let key = Array(photo.album.utf8)
    if let known = albums.apart[key] { return known }
    let isApart = isOfOwnDisk(album) ? true : try proves(album, photo)
    albums.apart[key] = isApart
    return isApart
  }

  private func isOfOwnDisk(_ directory: Int32) -> Bool {
    var status = statfs()
    guard system.fstatfs(directory, &status) >= 0 else { return false }
    return FileSystemType.linux.union([.fat, .exfat, .ntfs3, .ntfs])
      .contains(FileSystemType(status))
  }

  private func proves(_ album: Int32, _ photo: Photo) throws(SystemError) -> Bool {
    let folder = String(photo.path.dropLast(photo.name.utf8.count + 1))
    let flags = clinux_o_directory | clinux_o_path | clinux_o_nofollow
    let own = system.open(folder, flags, 0)
    // Without the library's directory the target shows another one.
    if own == -Errno.noEntry { return true }
    try system.check(own, "open", folder)
    defer { _ = system.close(own) }
    let name = ".retake-probe-\(String(UInt64.random(in: .min ... .max), radix: 16)).part"
    if try isSeen(name, in: own, madeIn: album, at: place(of: photo)) { return false }
    do throws(SystemError) {
      let isSeen = try isSeen(name, in: album, madeIn: own, at: folder)
      return !isSeen
    } catch {
      return false
    }
  }

  // Returns whether a file that is made in one directory appears in the other; removes it again.
  private func isSeen(
    _ name: String, in other: Int32, madeIn directory: Int32, at place: String
  ) throws(SystemError) -> Bool {
    let flags = O_WRONLY | O_CREAT | O_EXCL | clinux_o_nofollow
    let made = system.retrying { $0.openat(directory, name, flags, 0o600) }
    try system.check(made, "open", place)
    defer {
      _ = system.unlinkat(directory, name)
      _ = system.close(made)
    }
    let found = system.openat(other, name, clinux_o_path | clinux_o_nofollow, 0)
    if found >= 0 { _ = system.close(found) }
    return found != -Errno.noEntry
  }
}
