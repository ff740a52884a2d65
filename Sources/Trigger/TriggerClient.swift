import Glibc
import Platform

/// The client of a ``TriggerSocket``, which sends one trigger and waits for its answer.
public struct TriggerClient: Sendable {
  /// The maximum length of an answer, in bytes.
  static let longestAnswer = 1 << 20

  private let path: String
  private let system: any SystemCalls

  /// Creates a client of the station that listens at `path`.
  public init(path: String) { self.init(path: path, system: LinuxSystemCalls()) }

  /// Creates a client that uses the clock and the waits of `system`.
  init(path: String, system: any SystemCalls) {
    self.path = path
    self.system = system
  }

  /// Sends `action` and blocks until the station answers, for at most `patience` in all.
  ///
  /// - Throws: `SystemError` with `ETIMEDOUT` if the whole answer did not come in time, with
  ///   `EMSGSIZE` for an answer of more than a megabyte, and with `EPROTO` for an answer that no
  ///   station sends. The client does not trust the program that listens at the path.
  public func send(
    _ action: TriggerAction, patience: Duration = .seconds(10)
  ) throws(SystemError) -> TriggerReply {
    let deadline = system.monotonicTime() + patience
    let fd = try TriggerClient.connect(path, patience: patience)
    defer { close(fd) }
    var line = action.rawValue + "\n"
    // A line fits into every socket's buffer.
    let sent = line.withUTF8 {
      Glibc.send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
    guard sent == line.utf8.count else {
      throw SystemError(errno: errno, call: "send", path: path)
    }
    let text = String(decoding: try answer(fd, until: deadline), as: UTF8.self)
    let words = text.split(separator: " ", maxSplits: 1)
    guard let first = words.first, first == "ok" || first == "refused" else {
      throw SystemError(errno: EPROTO, call: "recv", path: path)
    }
    var rest = words.count > 1 ? String(words[1]) : ""
    while rest.last?.isNewline == true { rest.removeLast() }
    return TriggerReply(isAccepted: first == "ok", text: rest)
  }

  /// Reads until the other end closes.
  ///
  /// The deadline is for the whole answer, so that further bytes do not extend it.
  private func answer(_ fd: Int32, until deadline: MonotonicTime) throws(SystemError) -> [UInt8] {
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let left = (deadline - system.monotonicTime()).nanoseconds
      guard left > 0 else { throw SystemError(errno: ETIMEDOUT, call: "recv", path: path) }
      var wanted = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
      let ready = withUnsafeMutablePointer(to: &wanted) {
        system.poll(
          UnsafeMutableBufferPointer(start: $0, count: 1),
          Int32(clamping: (left - 1) / 1_000_000 + 1))
      }
      if ready == -EINTR || ready == 0 { continue }
      try system.check(ready, "poll", path)
      let count = recv(fd, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count >= 0 else { throw SystemError(errno: errno, call: "recv", path: path) }
      if count == 0 { return answer }
      guard answer.count + count <= TriggerClient.longestAnswer else {
        throw SystemError(errno: EMSGSIZE, call: "recv", path: path)
      }
      answer.append(contentsOf: buffer.prefix(count))
    }
  }

  /// Returns whether a program listens at `path`, blocking for at most `patience`.
  ///
  /// A socket is dead if the kernel refuses the connection. A program that listens and accepts no
  /// connection still counts.
  static func isAnswered(_ path: String, patience: Duration = .seconds(2)) -> Bool {
    do throws(SystemError) {
      close(try connect(path, patience: patience))
      return true
    } catch {
      return error.errno != ECONNREFUSED && error.errno != ENOENT
    }
  }

  private static func connect(
    _ path: String, patience: Duration
  ) throws(SystemError) -> Int32 {
    guard var address = sockaddr_un(path: path) else {
      throw SystemError(errno: ENAMETOOLONG, call: "connect", path: path)
    }
    let fd = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard fd >= 0 else { throw SystemError(errno: errno, call: "socket", path: path) }
    // The kernel waits this long if the listener's queue is full (unix(7)).
    let nanoseconds = max(patience.nanoseconds, 1_000)
    var limit = timeval(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_usec: Int(nanoseconds % 1_000_000_000 / 1000))
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(fd, $0, length) }
    }
    guard result == 0 else {
      // A queue that is still full after that time means that the listener is too late.
      let failure = SystemError(
        errno: errno == EAGAIN ? ETIMEDOUT : errno, call: "connect", path: path)
      close(fd)
      throw failure
    }
    return fd
  }
}
