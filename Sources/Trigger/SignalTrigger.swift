import CLinux
import Glibc
import Platform

/// Signals as triggers.
///
/// `SIGUSR1` is the shutter, `SIGHUP` reads the configuration again, and `SIGTERM`, `SIGINT` and
/// `SIGQUIT` end the station.
public final class SignalTrigger: Sendable {
  private let loop: EventLoop
  private let token: EventLoop.Token
  private let number: Int32

  /// Takes over the signals for the whole process, in place of their default actions.
  ///
  /// With `hangupEnds`, `SIGHUP` ends the station, too, because it then comes from a terminal that
  /// was closed. `SIGUSR2`, an easy typing error, is ignored.
  public init(
    loop: EventLoop, system: any SystemCalls, hangupEnds: Bool = false,
    handler: @escaping TriggerHandler
  ) throws(SystemError) {
    let signals = [SIGUSR1, SIGUSR2, SIGHUP, SIGTERM, SIGINT, SIGQUIT]
    let number = clinux_signal_pipe(signals, Int32(signals.count))
    guard number >= 0 else { throw SystemError(errno: errno, call: "sigaction") }
    self.loop = loop
    self.number = number
    token = loop.watch(number) { _ in
      let time = system.monotonicTime()
      var signal = clinux_signal()
      while withUnsafeMutableBytes(of: &signal, { system.read(number, $0) })
        == MemoryLayout<clinux_signal>.size
      {
        guard let action = SignalTrigger.action(of: signal.number, hangupEnds: hangupEnds) else {
          continue
        }
        handler(
          TriggerEvent(
            action: action, time: time, clock: .arrival,
            source: "signal from pid \(signal.pid) uid \(signal.uid)")
        ) { _ in }
      }
    }
  }

  deinit {
    loop.cancel(token)
    close(number)
  }

  private static func action(of signal: Int32, hangupEnds: Bool) -> TriggerAction? {
    switch signal {
    case SIGUSR1: .shutter
    case SIGHUP: hangupEnds ? .quit : .reload
    case SIGTERM, SIGINT, SIGQUIT: .quit
    default: nil
    }
  }
}
