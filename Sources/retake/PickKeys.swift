import Glibc
import Platform
import Synchronization

/// The keys of the terminal, one by one.
///
/// Until ``restore()``, the terminal neither echoes characters nor collects lines.
final class PickKeys: Sendable {
  enum Key: Sendable, Equatable {
    case character(Character)
    case up, down, left, right
    case enter, escape
    /// The terminal was closed.
    case gone
  }

  let keys: AsyncStream<Key>
  private let saved: termios
  private let isRestored = Mutex(false)

  /// Prepares the terminal; `nil` when standard input is no terminal in the foreground.
  init?() {
    var settings = termios()
    guard isatty(0) == 1, tcgetattr(0, &settings) == 0, tcgetpgrp(0) == getpgrp() else {
      return nil
    }
    saved = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // Ctrl-Z is disabled, since the shell would be left with a terminal that does not echo.
    withUnsafeMutableBytes(of: &settings.c_cc) { $0[Int(VSUSP)] = 0 }
    tcsetattr(0, TCSANOW, &settings)
    let (keys, queue) = AsyncStream.makeStream(of: Key.self)
    self.keys = keys
    let thread = try? Thread("keys") { [weak self] in
      var waiting: [UInt8] = []
      while let self, !isRestored.withLock({ $0 }) {
        var descriptor = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        // An Escape key is recognized when no further byte follows within 50 ms.
        let ready = poll(&descriptor, 1, waiting.isEmpty ? 200 : 50)
        if ready > 0 {
          var bytes = [UInt8](repeating: 0, count: 64)
          let count = read(0, &bytes, bytes.count)
          guard count > 0 else {
            if count < 0, errno == EINTR { continue }
            queue.yield(.gone)
            return
          }
          waiting += bytes.prefix(count)
        }
        for key in PickKeys.parse(&waiting, isComplete: ready == 0) { queue.yield(key) }
      }
    }
    if thread == nil { queue.yield(.gone) }
  }

  func restore() {
    let isFirst = isRestored.withLock { isRestored in
      defer { isRestored = true }
      return !isRestored
    }
    guard isFirst else { return }
    var settings = saved
    tcsetattr(0, TCSANOW, &settings)
  }

  /// Removes complete keys from `bytes`; with `isComplete`, no further byte belongs to them.
  static func parse(_ bytes: inout [UInt8], isComplete: Bool) -> [Key] {
    var keys: [Key] = []
    while let first = bytes.first {
      if first == 0x1B {
        guard bytes.count >= 3 || isComplete else { break }
        guard bytes.count >= 3, bytes[1] == 0x5B || bytes[1] == 0x4F else {
          keys.append(.escape)
          bytes.removeFirst()
          continue
        }
        let arrows: [UInt8: Key] = [0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left]
        if let key = arrows[bytes[2]] { keys.append(key) }
        bytes.removeFirst(3)
        continue
      }
      bytes.removeFirst()
      switch first {
      case 0x0A, 0x0D: keys.append(.enter)
      case 0x04: keys.append(.gone)
      case 0x20...0x7E: keys.append(.character(Character(Unicode.Scalar(first | 0x20))))
      default: break
      }
    }
    return keys
  }
}
