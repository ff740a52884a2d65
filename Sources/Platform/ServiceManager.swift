import CSystemd
import Glibc

/// The service manager that starts, watches and ends the program, if there is one: systemd.
///
/// Safe from any thread.
public struct ServiceManager: Sendable {
  /// Sends one message: lines of `NAME=VALUE`, as for `sd_notify(3)`.
  public var notify: @Sendable (String) -> Void
  /// The time without a heartbeat after which the manager ends the program; nil if it does not
  /// watch.
  public var patience: Duration?

  /// Creates a manager that receives all messages through `notify`.
  public init(patience: Duration? = nil, notify: @escaping @Sendable (String) -> Void) {
    self.patience = patience
    self.notify = notify
  }

  /// The service manager of this process; nil if there is none.
  public static let current: ServiceManager? = {
    guard getenv("NOTIFY_SOCKET") != nil else { return nil }
    var microseconds: UInt64 = 0
    let isWatching = sd_watchdog_enabled(0, &microseconds) > 0
    return ServiceManager(
      patience: isWatching ? .microseconds(Int64(clamping: microseconds)) : nil,
      notify: { _ = sd_notify(0, $0) })
  }()

  /// Reports that the program is ready.
  public func isReady(_ status: String) { notify("READY=1\nSTATUS=\(status.plain)") }

  /// Reports the program's status in a few words.
  public func show(_ status: String) { notify("STATUS=\(status.plain)") }

  /// Sends a heartbeat.
  public func beat() { notify("WATCHDOG=1") }

  /// Reports that the program is ending.
  public func isStopping() { notify("STOPPING=1\nSTATUS=stopping") }

  /// Returns the listening stream sockets that systemd opened for the program, in the unit's order.
  ///
  /// The caller owns them. They close when the program is replaced. The result may be empty.
  public static func listeners() -> [Int32] {
    let count = sd_listen_fds(0)
    guard count > 0 else { return [] }
    // SD_LISTEN_FDS_START is a macro in parentheses that is not imported.
    return (3..<3 + count).filter {
      sd_is_socket($0, AF_UNSPEC, Int32(SOCK_STREAM.rawValue), 1) > 0
    }
  }
}
