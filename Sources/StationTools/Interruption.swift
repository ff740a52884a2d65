import Glibc
import Synchronization

/// Records interruptions, such as Ctrl-C, for commands that must finish some work first.
public enum Interruption {
  private static let wanted = Atomic(false)

  /// Whether the program was interrupted.
  public static var isWanted: Bool { wanted.load(ordering: .relaxed) }

  /// Records interruptions from now on, for the whole process.
  ///
  /// With `once`, the second signal ends the program at once.
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
