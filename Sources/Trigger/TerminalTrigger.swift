import Glibc
import Platform
import Synchronization

/// The keys of the terminal as triggers, one key a trigger, without Return.
///
/// While it lives the terminal neither echoes nor collects lines; it is put back at the end.
public final class TerminalTrigger: Sendable {
  /// A key and what it does.
  public static let keys: [(key: UInt8, name: String, action: TriggerAction)] = [
    (0x20, "Space", .shutter), (UInt8(ascii: "m"), "m", .record),
    (UInt8(ascii: "a"), "a", .accept),
    (UInt8(ascii: "r"), "r", .retake), (UInt8(ascii: "n"), "n", .next),
    (UInt8(ascii: "p"), "p", .previous), (UInt8(ascii: "c"), "c", .cancel),
    (UInt8(ascii: "q"), "q", .quit),
  ]

  /// The outcome of a key.
  public struct Answer: Sendable {
    /// The key, as it is called; nil for one that cannot be printed.
    public var key: String?
    /// The outcome; nil for a key that does nothing.
    public var reply: TriggerReply?
  }

  private let loop: EventLoop
  private let token = Mutex<EventLoop.Token?>(nil)
  private let reader = Mutex(TerminalKeys())
  private let number: Int32
  private let saved: termios

  /// Takes over the terminal on `number`; nil where that is no terminal.
  ///
  /// A program in the background that changes its terminal would be stopped by the kernel, so one
  /// that is not in front gets nil, too. `answer` is told on the loop what came of each key.
  public init?(
    number: Int32 = 0, loop: EventLoop, system: any SystemCalls,
    answer: @escaping @Sendable (Answer) -> Void = { _ in }, handler: @escaping TriggerHandler
  ) {
    var settings = termios()
    guard isatty(number) == 1, tcgetattr(number, &settings) == 0, tcgetpgrp(number) == getpgrp()
    else { return nil }
    saved = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // Not to be stopped by Ctrl-Z: the shell would be left with a terminal that does not echo.
    withUnsafeMutableBytes(of: &settings.c_cc) { $0[Int(VSUSP)] = 0 }
    tcsetattr(number, TCSANOW, &settings)
    self.number = number
    self.loop = loop
    let token = loop.watch(number) { [weak self] events in
      guard let self else { return }
      let time = system.monotonicTime()
      // One read a wake-up: poll says again when there is more, and a blocking terminal stays
      // blocking for whoever shares it.
      let count = withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer -> Int in
        let count = system.read(number, UnsafeMutableRawBufferPointer(buffer))
        for byte in buffer.prefix(max(count, 0)) {
          guard let key = reader.withLock({ $0.take(byte) }) else { continue }
          guard let action = TerminalTrigger.action(of: key) else {
            answer(Answer(key: TerminalTrigger.name(of: key), reply: nil))
            continue
          }
          let event = TriggerEvent(action: action, time: time, clock: .arrival, source: "terminal")
          handler(event) { answer(Answer(key: TerminalTrigger.name(of: key), reply: $0)) }
        }
        return count
      }
      // The terminal went away: stop watching, or poll would report it without end.
      if count == 0 || (count < 0 && count != Int(-Errno.interrupted) && count != Int(-Errno.again))
        || events & Int16(POLLNVAL) != 0
      {
        endWatch()
      }
    }
    self.token.withLock { $0 = token }
  }

  /// Which trigger a key is; capital letters count as small ones.
  static func action(of key: UInt8) -> TriggerAction? {
    let small = (0x41...0x5A).contains(key) ? key + 0x20 : key
    return keys.first { $0.key == small }?.action
  }

  static func name(of key: UInt8) -> String? {
    if let known = keys.first(where: { $0.key == key }) { return known.name }
    return (0x21...0x7E).contains(key) ? String(Unicode.Scalar(key)) : nil
  }

  private func endWatch() {
    let token = token.withLock { token in
      defer { token = nil }
      return token
    }
    if let token { loop.cancel(token) }
  }

  /// Gives the terminal back as it was.
  public func restore() {
    endWatch()
    var settings = saved
    tcsetattr(number, TCSANOW, &settings)
  }

  deinit { restore() }
}
