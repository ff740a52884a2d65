import CLinux
import Glibc
import Platform
import Synchronization

/// The user to whom a library belongs, and as whom root works on it.
///
/// A user who can write a directory decides where its names lead. Therefore root opens nothing in
/// another user's library: the process first becomes that user, with that user's groups.
package enum LibraryOwner {
  /// Makes the whole process run as the owner of the library at `root`, if root runs the process
  /// and another user owns the library.
  ///
  /// For a library that does not exist, the owner of the directory in which it would be created
  /// counts. With `mayReturn` the program can act as root again, through `RaisedSystemCalls`;
  /// otherwise the change is permanent. The first call must come before anything of the library is
  /// opened. The first call must also run on the process's main thread before Swift's runtime ends
  /// that thread, because the C library cannot change a thread that ended and that the kernel
  /// keeps.
  ///
  /// Returns whether the user changed, in this call or before. Throws if no owner can be
  /// determined, or if the change fails; the process must end then.
  @discardableResult
  package static func become(
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

  /// Throws if root runs the process and the library at `root` belongs to another user, or to no
  /// determinable one.
  ///
  /// A station that waited for its library calls this before it opens the library, because the
  /// process can become another user only at its start.
  package static func check(
    _ root: String, system: any SystemCalls = LinuxSystemCalls()
  ) throws(LibraryError) {
    guard geteuid() == 0, let owner = try owner(of: root, system) else { return }
    throw LibraryError(
      .denied,
      "\(root) belongs to the user with the number \(owner.user), and the station was started as "
        + "root while it was not there: restart the station, so that it becomes that user")
  }

  // Returns nil if the library belongs to root alone.
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
        "\(error.path ?? root) is a link that others than root can change, and root follows none",
        fix: "name the directory that it leads to as 'library.path'", cause: error)
    }
    if let owner = walk.owner { return owner }
    guard walk.isShared else { return nil }
    throw LibraryError(
      .denied,
      "\(root) belongs to root, and others can write there or above it: root does not work in it",
      fix: "run the command as the user who runs the station (sudo -u USER retake ...), or give "
        + "that user the directory (chown)")
  }

  private static let hasChanged = Atomic<Bool>(false)
}
