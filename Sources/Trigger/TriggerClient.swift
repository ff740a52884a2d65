import Glibc
import Platform

/// The other end of a ``TriggerSocket``: sends one trigger and waits for its answer.
public struct TriggerClient: Sendable {
  private let path: String

  /// Makes a client of the station that listens at `path`.
  public init(path: String) { self.path = path }

  /// Sends `action` and blocks until the station answers, for at most `patience`.
  public func send(
    _ action: TriggerAction, patience: Duration = .seconds(10)
  ) throws(SystemError) -> TriggerReply {
    let fd = try TriggerClient.connect(path)
    defer { close(fd) }
    let nanoseconds = patience.nanoseconds
    var limit = timeval(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_usec: Int(nanoseconds % 1_000_000_000 / 1000))
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var line = action.rawValue + "\n"
    let sent = line.withUTF8 {
      Glibc.send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    guard sent == line.utf8.count else {
      throw SystemError(errno: errno, call: "send", path: path)
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    // A limit, though the station is trusted: this may talk to anything that listens there.
    while answer.count < 1 << 20 {
      let count = recv(fd, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError(errno: errno, call: "recv", path: path) }
      if count == 0 { break }
      answer.append(contentsOf: buffer.prefix(count))
    }
    let text = String(decoding: answer, as: UTF8.self)
    let words = text.split(separator: " ", maxSplits: 1)
    guard let first = words.first, first == "ok" || first == "refused" else {
      throw SystemError(errno: EPROTO, call: "recv", path: path)
    }
    var rest = words.count > 1 ? String(words[1]) : ""
    while rest.last?.isNewline == true { rest.removeLast() }
    return TriggerReply(isAccepted: first == "ok", text: rest)
  }

  /// Whether somebody listens at `path`.
  static func isAnswered(_ path: String) -> Bool {
    guard let fd = try? connect(path) else { return false }
    close(fd)
    return true
  }

  private static func connect(_ path: String) throws(SystemError) -> Int32 {
    guard var address = sockaddr_un(path: path) else {
      throw SystemError(errno: ENAMETOOLONG, call: "connect", path: path)
    }
    let fd = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard fd >= 0 else { throw SystemError(errno: errno, call: "socket", path: path) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(fd, $0, length) }
    }
    guard result == 0 else {
      let failure = SystemError(errno: errno, call: "connect", path: path)
      close(fd)
      throw failure
    }
    return fd
  }
}
