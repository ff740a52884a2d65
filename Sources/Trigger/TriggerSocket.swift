import CLinux
import Glibc
import Platform
import Synchronization

/// A Unix socket on which other programs send triggers.
///
/// A client sends one line with an action's name, and gets one line back: `ok TEXT` or
/// `refused TEXT`. The mode of the socket file decides which users may connect. A client that sends
/// nothing, or too much, only occupies one of ``maximumClients`` places until ``patience`` is over.
public final class TriggerSocket: Sendable {
  /// The maximum number of connected clients; a further one is disconnected at once.
  public static let maximumClients = 16
  /// The time that a client may take to send its line.
  public static let patience = Duration.seconds(5)

  private struct Client {
    let fd: Int32
    var line: [UInt8] = []
    var watch: EventLoop.Token
    var deadline: EventLoop.Token
    var source: String
  }

  private let loop: EventLoop
  private let system: any SystemCalls
  private let path: String
  private let number: Int32
  private let identity: (device: UInt, inode: UInt)
  private let handler: TriggerHandler
  // The keys are numbers that are never reused, unlike descriptors, because an answer may come
  // late.
  private let clients = Mutex<(last: Int, all: [Int: Client])>((0, [:]))
  private let listening = Mutex<EventLoop.Token?>(nil)

  /// Listens at `path`, replacing a socket file without a listener.
  public init(
    path: String, mode: UInt32, loop: EventLoop, system: any SystemCalls,
    handler: @escaping TriggerHandler
  ) throws(SystemError) {
    let number = try TriggerSocket.listen(path: path, mode: mode)
    self.path = path
    self.number = number
    self.loop = loop
    self.system = system
    self.handler = handler
    var status = stat()
    lstat(path, &status)
    identity = (UInt(status.st_dev), UInt(status.st_ino))
    let token = loop.watch(number) { [weak self] _ in self?.acceptAll() }
    listening.withLock { $0 = token }
  }

  /// Stops listening, closes every connection and removes the file.
  public func stop() {
    guard
      let token = listening.withLock({ token in
        defer { token = nil }; return token
      })
    else {
      return
    }
    loop.cancel(token)
    for id in clients.withLock({ Array($0.all.keys) }) { drop(id) }
    close(number)
    // The file is removed only if it is this socket's, because another station may have replaced
    // it.
    var status = stat()
    if lstat(path, &status) == 0, UInt(status.st_dev) == identity.device,
      UInt(status.st_ino) == identity.inode
    {
      unlink(path)
    }
  }

  deinit { stop() }

  private func acceptAll() {
    // The number is bounded, so that a program that connects without a pause cannot block the loop.
    for _ in 0..<TriggerSocket.maximumClients * 2 {
      let fd = clinux_accept(number)
      guard fd >= 0 else { return }
      guard clients.withLock({ $0.all.count }) < TriggerSocket.maximumClients else {
        close(fd)
        continue
      }
      var (pid, uid) = (pid_t(), uid_t())
      let source =
        clinux_peer_credentials(fd, &pid, &uid) == 0 ? "socket pid \(pid) uid \(uid)" : "socket"
      let id = clients.withLock { clients in
        clients.last += 1
        return clients.last
      }
      let watch = loop.watch(fd) { [weak self] _ in self?.readLine(id) }
      let deadline = loop.schedule(at: system.monotonicTime() + TriggerSocket.patience) {
        [weak self] in self?.drop(id)
      }
      clients.withLock {
        $0.all[id] = Client(fd: fd, watch: watch, deadline: deadline, source: source)
      }
    }
  }

  private func readLine(_ id: Int) {
    let time = system.monotonicTime()
    guard var client = clients.withLock({ $0.all[id] }) else { return }
    let count = withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer -> Int in
      let count = system.read(client.fd, UnsafeMutableRawBufferPointer(buffer))
      if count > 0, client.line.count < 256 { client.line.append(contentsOf: buffer.prefix(count)) }
      return count
    }
    if count == -11 || count == -4 { return }  // EAGAIN, EINTR
    let end = client.line.firstIndex(of: 0x0A)
    guard count > 0 || (count == 0 && !client.line.isEmpty), end != nil || client.line.count < 256
    else { return drop(id) }
    guard end != nil || count == 0 else {
      clients.withLock { $0.all[id]?.line = client.line }
      return
    }
    // The line is complete. No more bytes are read, and the answer closes the connection.
    loop.cancel(client.watch)
    let word = String(decoding: client.line.prefix(end ?? client.line.count), as: UTF8.self)
    let name = word.filter { $0 != "\r" && $0 != " " }
    guard let action = TriggerAction(rawValue: name), TriggerAction.remote.contains(action) else {
      let known = TriggerAction.remote.map(\.rawValue).joined(separator: ", ")
      return answer(
        id, TriggerReply(isAccepted: false, text: "there is no such trigger; there are \(known)"))
    }
    let event = TriggerEvent(action: action, time: time, clock: .arrival, source: client.source)
    handler(event) { [weak self, loop] reply in
      loop.submit { [weak self] in self?.answer(id, reply) }
    }
  }

  private func answer(_ id: Int, _ reply: TriggerReply) {
    guard let client = clients.withLock({ $0.all[id] }) else { return }
    var text = reply.isAccepted ? "ok" : "refused"
    text += " " + reply.text.replacingNewlines() + "\n"
    // A reply is far smaller than a socket's buffer, so that one write takes it whole, unless the
    // client is not worth waiting for. MSG_NOSIGNAL, because the client may have left.
    text.withUTF8 { _ = send(client.fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    drop(id)
  }

  private func drop(_ id: Int) {
    guard let client = clients.withLock({ $0.all.removeValue(forKey: id) }) else { return }
    loop.cancel(client.watch)
    loop.cancel(client.deadline)
    close(client.fd)
  }

  private static func listen(path: String, mode: UInt32) throws(SystemError) -> Int32 {
    guard var address = sockaddr_un(path: path) else {
      throw SystemError(errno: ENAMETOOLONG, call: "bind", path: path)
    }
    // An old socket file is dead only if it refuses connections.
    var status = stat()
    if lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFSOCK else {
        throw SystemError(errno: EEXIST, call: "bind", path: path)
      }
      guard !TriggerClient.isAnswered(path) else {
        throw SystemError(errno: EADDRINUSE, call: "bind", path: path)
      }
      unlink(path)
    }
    let fd = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard fd >= 0 else { throw SystemError(errno: errno, call: "socket", path: path) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(fd, $0, length) }
    }
    // The mode is set before the socket listens, so that no client can connect earlier.
    guard bound == 0, setMode(mode, ofSocketAt: path), Glibc.listen(fd, 16) == 0 else {
      let failure = SystemError(errno: errno, call: bound == 0 ? "listen" : "bind", path: path)
      close(fd)
      throw failure
    }
    return fd
  }

  // Changes the mode of the socket itself, because another user may put a link in its place.
  private static func setMode(_ mode: UInt32, ofSocketAt path: String) -> Bool {
    let place = clinux_open(path, clinux_o_path | clinux_o_nofollow | clinux_o_cloexec, 0)
    guard place >= 0 else { return false }
    defer { close(place) }
    var status = stat()
    guard fstat(place, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
      errno = EEXIST
      return false
    }
    return chmod("/proc/self/fd/\(place)", mode) == 0
  }
}

extension String {
  fileprivate func replacingNewlines() -> String {
    String(map { $0.isNewline ? " " : $0 })
  }
}

extension sockaddr_un {
  /// Creates the address of `path`; returns nil for a path that is too long for the kernel (over
  /// 107 bytes).
  init?(path: String) {
    self.init()
    sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let fits = withUnsafeMutableBytes(of: &sun_path) { field in
      guard bytes.count < field.count else { return false }
      field.copyBytes(from: bytes)
      return true
    }
    guard fits else { return nil }
  }
}
