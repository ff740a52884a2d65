import CLinux
import Glibc
import Platform
import Synchronization

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
  /// Call it before anything of the library is opened, and for the first time on the process's main
  /// thread before Swift's runtime lets that go: the C library cannot change a thread that ended, and
  /// the kernel keeps it. Returns whether the user changed, now or before; throws where nobody can be told to be the owner, or the change does not take. The process must end
  /// then.
  @discardableResult
  public static func become(
    of root: String, mayReturn: Bool = false, system: any SystemCalls = LinuxSystemCalls()
  ) throws(LibraryError) -> Bool {
    guard geteuid() == 0 else { return hasChanged.load(ordering: .relaxed) }
    guard let owner = try owner(of: root, system) else { return false }
    guard clinux_become(owner.user, owner.group, mayReturn) == 0 else {
      let cause = SystemError(errno: errno, call: "setresuid", path: root)
      throw LibraryError(
        .denied,
        "\(root) belongs to the user with the number \(owner.user), who root cannot become: "
          + "\(cause.reason)", cause: cause)
    }
    hasChanged.store(true, ordering: .relaxed)
    return true
  }

  /// Throws if root runs the process and the library at `root` is somebody else's, or nobody can be
  /// told to be its owner.
  ///
  /// A station that waited for its library asks this before it opens it: the process can become
  /// another user only at its start.
  public static func check(
    _ root: String, system: any SystemCalls = LinuxSystemCalls()
  ) throws(LibraryError) {
    guard geteuid() == 0, let owner = try owner(of: root, system) else { return }
    throw LibraryError(
      .denied,
      "\(root) belongs to the user with the number \(owner.user), and the station was started as "
        + "root while it was not there: restart the station, so that it becomes that user")
  }

  // Nil where the library is root's alone.
  private static func owner(
    of root: String, _ system: any SystemCalls
  ) throws(LibraryError) -> RootWalk.Owner? {
    let walk: RootWalk
    do throws(SystemError) {
      walk = try RootWalk.to(root, system: system)
    } catch {
      guard error.errno == Errno.loop else { throw LibraryError(error, at: root) }
      throw LibraryError(
        .denied,
        "\(error.path ?? root) is a link that others than root can change, and root follows none; "
          + "name the directory that it leads to as 'library.path'", cause: error)
    }
    if let owner = walk.owner { return owner }
    guard walk.isShared else { return nil }
    throw LibraryError(
      .denied,
      "\(root) belongs to root, and others can write there or above it: root does not work in it; "
        + "run the command as the user who runs the station (sudo -u USER retake ...), or give "
        + "that user the directory (chown)")
  }

  private static let hasChanged = Atomic<Bool>(false)
}
