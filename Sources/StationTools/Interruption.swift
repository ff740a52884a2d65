import Glibc
import Synchronization

/// Whether somebody pressed Ctrl-C, for commands that have something to bring to an end first.
public enum Interruption {
  private static let wanted = Atomic(false)

  /// Whether the program was asked to end.
  public static var isWanted: Bool { wanted.load(ordering: .relaxed) }

  /// Notes from now on that the program is to end, for the whole process.
  ///
  /// With `once` the next signal ends it at once, as ever.
  public static func watch(once: Bool = false) {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      if once {
        signal(number) { number in
          Interruption.wanted.store(true, ordering: .relaxed)
          signal(number, SIG_DFL)
        }
      } else {
        signal(number) { _ in Interruption.wanted.store(true, ordering: .relaxed) }
      }
    }
  }
}
