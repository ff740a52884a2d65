import CSystemd
import Glibc

/// What starts, watches and ends the program, where something does: systemd.
///
/// Safe from any thread.
public struct ServiceManager: Sendable {
  /// Takes one message: lines of `NAME=VALUE`, as `sd_notify(3)` has them.
  public var notify: @Sendable (String) -> Void
  /// How long it waits for a sign of life before it ends the program; nil: it does not watch.
  public var patience: Duration?

  /// Makes one that hears of everything through `notify`.
  public init(patience: Duration? = nil, notify: @escaping @Sendable (String) -> Void) {
    self.patience = patience
    self.notify = notify
  }

  /// The one of this process; nil where nobody listens.
  public static let current: ServiceManager? = {
    guard getenv("NOTIFY_SOCKET") != nil else { return nil }
    var microseconds: UInt64 = 0
    let isWatching = sd_watchdog_enabled(0, &microseconds) > 0
    return ServiceManager(
      patience: isWatching ? .microseconds(Int64(clamping: microseconds)) : nil,
      notify: { _ = sd_notify(0, $0) })
  }()

  /// Says that the program does its work from now on.
  public func isReady(_ status: String) { notify("READY=1\nSTATUS=\(status.plain)") }

  /// Says in a few words how the program stands.
  public func show(_ status: String) { notify("STATUS=\(status.plain)") }

  /// Shows a sign of life.
  public func beat() { notify("WATCHDOG=1") }

  /// Says that the program is ending.
  public func isStopping() { notify("STOPPING=1\nSTATUS=stopping") }

  /// The listening stream sockets that systemd opened for the program, in the unit's order.
  ///
  /// They are the caller's, and close when the program is replaced. Empty where there are none.
  public static func listeners() -> [Int32] {
    let count = sd_listen_fds(0)
    guard count > 0 else { return [] }
    // SD_LISTEN_FDS_START, a macro in parentheses that is not imported.
    return (3..<3 + count).filter {
      sd_is_socket($0, AF_UNSPEC, Int32(SOCK_STREAM.rawValue), 1) > 0
    }
  }
}
