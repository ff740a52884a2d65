import Glibc
import Platform

/// A client of a server on this machine, which sends and receives bytes.
///
/// The client blocks a thread of its own, never the cooperative pool. Every wait has an end, so
/// that a test fails instead of hanging.
final class Client: Sendable {
  let socket: Int32

  /// Connects; `room` is the size of the kernel's receive buffer in bytes.
  init(port: Int, room: Int32? = nil) {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var room {
      setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
    }
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(
      socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  deinit { close(socket) }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    var offset = 0
    while offset < bytes.count {
      let count = bytes[offset...].withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      offset += count
    }
  }

  func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

  /// Reads until `isEnough`, or until the server closes; `atOnce` bytes at most for so many before.
  func read(
    until isEnough: @escaping @Sendable ([UInt8]) -> Bool,
    atOnce: @escaping @Sendable (Int) -> Int = { _ in .max }
  ) async -> [UInt8] {
    await onThread { [self] in
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65536)
      while !isEnough(bytes) {
        let count = recv(socket, &buffer, min(buffer.count, atOnce(bytes.count)), 0)
        guard count > 0 else { break }
        bytes += buffer[..<count]
      }
      return bytes
    }
  }

  /// Reads until that text has come.
  func read(through text: String, atOnce: Int = .max) async -> String {
    let wanted = Array(text.utf8)
    let bytes = await read(
      until: { bytes in bytes.count >= wanted.count && Client.contains(bytes, wanted) },
      atOnce: { _ in atOnce })
    return String(decoding: bytes, as: UTF8.self)
  }

  static func contains(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool {
    guard let first = wanted.first else { return true }
    var start = 0
    while let index = bytes[start...].firstIndex(of: first), index + wanted.count <= bytes.count {
      if bytes[index..<index + wanted.count].elementsEqual(wanted) { return true }
      start = index + 1
    }
    return false
  }

  /// How often that text is in the bytes.
  static func count(_ bytes: [UInt8], _ text: String) -> Int {
    String(decoding: bytes, as: UTF8.self).ranges(of: text).count
  }

  /// Returns the text that the server sends until it closes the connection.
  func rest() async -> String {
    String(decoding: await read { _ in false }, as: UTF8.self)
  }

  /// Returns one whole answer.
  func answer() async -> Answer {
    let bytes = await read { bytes in Answer(bytes).isWhole }
    return Answer(bytes)
  }
}

/// Runs a blocking function on its own thread.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    let run: @Sendable () -> Void = { continuation.resume(returning: body()) }
    if (try? Thread("test", run)) == nil { run() }
  }
}

/// An HTTP answer as it came.
struct Answer: Sendable {
  var status = 0
  var headers: [String: String] = [:]
  var body: [UInt8] = []
  var isWhole = false
  var text: String { String(decoding: body, as: UTF8.self) }

  init(_ bytes: [UInt8]) {
    guard
      let end = bytes.indices.dropLast(3).first(where: { index in
        bytes[index] == 13 && bytes[index + 1] == 10 && bytes[index + 2] == 13
          && bytes[index + 3] == 10
      })
    else { return }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
    status =
      lines.first.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap {
        Int($0)
      } ?? 0
    for line in lines.dropFirst() {
      let halves = line.split(separator: ":", maxSplits: 1)
      guard halves.count == 2 else { continue }
      headers[halves[0].lowercased()] = String(halves[1].drop { $0 == " " })
    }
    body = Array(bytes[(end + 4)...])
    let length = headers["content-length"].flatMap { Int($0) }
    isWhole = length.map { body.count >= $0 } ?? [204, 304].contains(status)
  }
}
