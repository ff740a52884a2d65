import CLinux
import Glibc
import Platform

/// A file that was changed a short while ago, so that it may be one that is copied just now.
///
/// It is offered once it has the end that its beginning promises, or when it has not changed for a
/// while: then it is as good as it gets.
struct WatchedFile: Sendable {
  /// What a look at a file says.
  struct State: Sendable, Hashable {
    var bytes: Int
    var seconds: Int64
    var nanoseconds: Int

    /// Nil for what is no regular file, or went away meanwhile.
    static func look(
      _ name: String, _ directory: Int32, _ system: any SystemCalls
    ) -> State? {
      let fd = system.openat(directory, name, clinux_o_path | clinux_o_nofollow, 0)
      guard fd >= 0 else { return nil }
      defer { _ = system.close(fd) }
      var status = stat()
      guard system.fstat(fd, &status) >= 0, status.st_mode & 0o170000 == 0o100000 else {
        return nil
      }
      return State(
        bytes: Int(status.st_size), seconds: Int64(status.st_mtim.tv_sec),
        nanoseconds: status.st_mtim.tv_nsec)
    }
  }

  /// How many files of a directory are watched; more than these are taken as they are.
  static let limit = 1000
  /// How recent a file's date is, in seconds before or after now, that is watched.
  ///
  /// Clocks of shares differ by some.
  private static let fresh: Int64 = 300
  /// How long a file that is not whole must not change before it is offered.
  private static let still = Duration.seconds(10)
  /// How long a file must not change before nobody looks again.
  private static let settled = Duration.seconds(300)
  private static let longestWait = Duration.seconds(30)

  var state: State
  /// When it was first seen as it is.
  var since: MonotonicTime
  /// When it is looked at again.
  var next: MonotonicTime
  var isOffered = false

  static func isFresh(_ seconds: Int64, at date: Int64) -> Bool {
    let (difference, isFar) = date.subtractingReportingOverflow(seconds)
    return !isFar && difference > -fresh && difference < fresh
  }

  func isStill(at now: MonotonicTime) -> Bool { now - since >= Self.still }

  /// Whether nobody needs to look again; an empty file is waited for without an end.
  func isSettled(at now: MonotonicTime) -> Bool { state.bytes > 0 && now - since >= Self.settled }

  /// Looks again the later, the longer nothing has changed.
  mutating func wait(from now: MonotonicTime) {
    next = now + max(.seconds(1), min(Self.longestWait, (now - since) / 4))
  }

  static func isWhole(
    _ name: String, _ directory: Int32, _ system: any SystemCalls
  ) -> Bool {
    do {
      guard let file = try PhotoFile.open(name, in: directory, system) else { return false }
      return try file.isWhole()
    } catch {
      return false
    }
  }
}
