import CLinux
import Glibc
import Platform

/// A file that was changed a short while ago and may still be being copied.
///
/// The file is offered once it has the end that its header promises. A file that has not changed
/// for 10 seconds is offered, too, because it is unlikely to become complete later.
struct WatchedFile: Sendable {
  /// The state of a file at one look.
  struct State: Sendable, Hashable {
    var bytes: Int
    var seconds: Int64
    var nanoseconds: Int

    /// Reads a file's state; returns nil for an object that is no regular file, or disappeared.
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

  /// The maximum number of watched files in a directory; further ones are taken as they are.
  static let limit = 1000
  /// The maximum age of a watched file's date, in seconds before or after now.
  ///
  /// The clocks of network shares differ by some seconds.
  private static let fresh: Int64 = 300
  /// The time without a change after which an incomplete file is offered.
  private static let still = Duration.seconds(10)
  /// The time without a change after which a file is no longer watched.
  private static let settled = Duration.seconds(300)
  private static let longestWait = Duration.seconds(30)

  var state: State
  /// The time at which the file was first seen in this state.
  var since: MonotonicTime
  /// The time of the next look.
  var next: MonotonicTime
  var isOffered = false

  static func isFresh(_ seconds: Int64, at date: Int64) -> Bool {
    let (difference, isFar) = date.subtractingReportingOverflow(seconds)
    return !isFar && difference > -fresh && difference < fresh
  }

  func isStill(at now: MonotonicTime) -> Bool { now - since >= Self.still }

  /// Returns whether the file needs no further look; an empty file is watched without an end.
  func isSettled(at now: MonotonicTime) -> Bool { state.bytes > 0 && now - since >= Self.settled }

  /// Schedules the next look, later the longer the file has not changed.
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
