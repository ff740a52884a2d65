import Glibc
import Platform
import Synchronization

/// The keys of the terminal as triggers, one key a trigger, without Return.
///
/// While the object lives, the terminal neither echoes nor collects lines. The terminal's settings
/// are restored at the end.
public final class TerminalTrigger: Sendable {
  /// The keys and their actions.
  public static let keys: [(key: UInt8, name: String, action: TriggerAction)] = [
    (0x20, "Space", .shutter), (UInt8(ascii: "m"), "m", .record),
    (UInt8(ascii: "a"), "a", .accept),
    (UInt8(ascii: "r"), "r", .retake), (UInt8(ascii: "n"), "n", .next),
    (UInt8(ascii: "p"), "p", .previous), (UInt8(ascii: "c"), "c", .cancel),
    (UInt8(ascii: "q"), "q", .quit),
  ]

  /// The outcome of a key.
  public struct Answer: Sendable {
    /// The key's name; nil for a key that cannot be printed.
    public var key: String?
    /// The outcome; nil for a key without an action.
    public var reply: TriggerReply?
  }

  private let loop: EventLoop
  private let token = Mutex<EventLoop.Token?>(nil)
  private let reader = Mutex(TerminalKeys())
  private let number: Int32
  private let saved: termios

  /// Takes over the terminal on `number`; returns nil if that is no terminal.
  ///
  /// The kernel would stop a background program that changes its terminal, so such a program gets
  /// nil, too. `answer` is called with the outcome of each key.
  public init?(
    number: Int32 = 0, loop: EventLoop, system: any SystemCalls,
    answer: @escaping @Sendable (Answer) -> Void = { _ in }, handler: @escaping TriggerHandler
  ) {
    var settings = termios()
    guard isatty(number) == 1, tcgetattr(number, &settings) == 0, tcgetpgrp(number) == getpgrp()
    else { return nil }
    saved = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // Ctrl-Z is turned off, because a stopped program would leave the shell a terminal without
    // echo.
    withUnsafeMutableBytes(of: &settings.c_cc) { $0[Int(VSUSP)] = 0 }
    tcsetattr(number, TCSANOW, &settings)
    self.number = number
    self.loop = loop
    let token = loop.watch(number) { [weak self] events in
      guard let self else { return }
      let time = system.monotonicTime()
      // One read for each wake-up. poll reports further bytes again, and the terminal stays
      // blocking for other programs that share it.
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
      // The terminal disappeared; poll would report that without end.
      if count == 0 || (count < 0 && count != Int(-Errno.interrupted) && count != Int(-Errno.again))
        || events & Int16(POLLNVAL) != 0
      {
        endWatch()
      }
    }
    self.token.withLock { $0 = token }
  }

  /// Returns the action of a key; capital letters count as small ones.
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

  /// Restores the terminal's settings.
  public func restore() {
    endWatch()
    var settings = saved
    tcsetattr(number, TCSANOW, &settings)
  }

  deinit { restore() }
}
