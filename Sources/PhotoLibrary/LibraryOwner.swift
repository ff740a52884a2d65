import CLinux
import Glibc

/// What root makes in somebody's library belongs to that somebody: the service, which runs as
/// another user, could not go on with it otherwise.
enum LibraryOwner {
  /// Gives an open file or directory to whom the open directory belongs, if root made it.
  ///
  /// Not through the seam for system calls: only root ever gets here.
  static func adopt(_ fd: Int32, like directory: Int32) {
    guard geteuid() == 0 else { return }
    var (made, owner) = (stat(), stat())
    guard fstat(fd, &made) == 0, fstat(directory, &owner) == 0, made.st_uid == 0,
      owner.st_uid != 0
    else { return }
    // A second name of a file may be anywhere.
    guard made.st_mode & S_IFMT == S_IFDIR || made.st_nlink <= 1 else { return }
    _ = fchown(fd, owner.st_uid, owner.st_gid)
  }

  /// The same for a directory that was just made in another one.
  static func adopt(directory name: String, in parent: Int32) {
    guard geteuid() == 0 else { return }
    let fd = openat(parent, name, O_RDONLY | clinux_o_directory | clinux_o_nofollow | O_CLOEXEC)
    guard fd >= 0 else { return }
    adopt(fd, like: parent)
    close(fd)
  }

  /// Makes a file that a library of others would make as root.
  static func prepare(_ path: String, in root: String) {
    guard geteuid() == 0 else { return }
    let folder = open(root, clinux_o_directory | O_CLOEXEC)
    guard folder >= 0 else { return }
    defer { close(folder) }
    let flags = O_RDWR | O_CREAT | clinux_o_nofollow | clinux_o_nonblock | O_CLOEXEC
    let file = open(path, flags, 0o644)
    guard file >= 0 else { return }
    adopt(file, like: folder)
    close(file)
  }
}
