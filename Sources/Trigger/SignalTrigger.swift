import CLinux
import Glibc
import Platform

/// Signals as triggers: `SIGUSR1` is the shutter, `SIGHUP` reads the configuration again, and
/// `SIGTERM` and `SIGINT` end the station.
public final class SignalTrigger: Sendable {
  private let loop: EventLoop
  private let token: EventLoop.Token
  private let number: Int32

  /// Blocks the signals in the calling thread and in every thread that it starts from then on.
  ///
  /// Call it first thing in the program: a signal that another thread does not block would end the
  /// process.
  public static func block() throws(SystemError) -> Int32 {
    let signals = [SIGUSR1, SIGHUP, SIGTERM, SIGINT]
    let number = clinux_signalfd(signals, Int32(signals.count))
    guard number >= 0 else { throw SystemError(errno: errno, call: "signalfd") }
    return number
  }

  /// Reads signals from `number`, which ``block()`` returned, and closes it at the end.
  public init(
    owning number: Int32, loop: EventLoop, system: any SystemCalls,
    handler: @escaping TriggerHandler
  ) {
    self.loop = loop
    self.number = number
    token = loop.watch(number) { _ in
      let time = system.monotonicTime()
      var info = signalfd_siginfo()
      while withUnsafeMutableBytes(of: &info, { system.read(number, $0) })
        == MemoryLayout<signalfd_siginfo>.size
      {
        guard let action = SignalTrigger.action(of: Int32(info.ssi_signo)) else { continue }
        handler(
          TriggerEvent(
            action: action, time: time, clock: .arrival,
            source: "signal from pid \(info.ssi_pid) uid \(info.ssi_uid)")
        ) { _ in }
      }
    }
  }

  deinit {
    loop.cancel(token)
    close(number)
  }

  private static func action(of signal: Int32) -> TriggerAction? {
    switch signal {
    case SIGUSR1: .shutter
    case SIGHUP: .reload
    case SIGTERM, SIGINT: .quit
    default: nil
    }
  }
}
