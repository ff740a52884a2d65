import CLinux
import Glibc
import Platform

/// The user to whom a library belongs, and as whom root works on it.
///
/// Whoever writes a directory decides what its names lead to. So root opens nothing in a library of
/// somebody else: the program becomes that user first, with that user's groups.
public enum LibraryOwner {
  /// Makes the whole process the owner of the library at `root`, if root runs it and the library is
  /// not root's.
  ///
  /// Of a library that is not there, the directory that it would be made in decides. With
  /// `mayReturn` the program can act as root again, by `RaisedSystemCalls`; else it is for good.
  /// Call it before anything of the library is opened. Returns whether the user changed; throws
  /// where nobody can be told to be the owner, or the change does not take. The process must end
  /// then.
  @discardableResult
  public static func become(
    of root: String, mayReturn: Bool = false, system: any SystemCalls = LinuxSystemCalls()
  ) throws(LibraryError) -> Bool {
    guard geteuid() == 0 else { return false }
    let walk: RootWalk
    do throws(SystemError) {
      walk = try RootWalk.to(root, system: system)
    } catch {
      guard error.errno == Errno.loop else { throw LibraryError(error, at: root) }
      throw LibraryError(
        .denied,
        "\(error.path ?? root) is a link that others than root can change, and root follows none; "
          + "name the directory that it leads to as [library] path", cause: error)
    }
    guard let owner = walk.owner else {
      guard walk.isShared else { return false }
      throw LibraryError(
        .denied,
        "\(root) belongs to root, and others can write there or above it: root does not work in it; "
          + "run the command as the user who runs the station (sudo -u USER retake ...), or give "
          + "that user the directory (chown)")
    }
    guard clinux_become(owner.user, owner.group, mayReturn) == 0 else {
      let cause = SystemError(errno: errno, call: "setresuid", path: root)
      throw LibraryError(
        .denied,
        "\(root) belongs to the user with the number \(owner.user), who root cannot become: "
          + "\(cause.reason)", cause: cause)
    }
    return true
  }
}
