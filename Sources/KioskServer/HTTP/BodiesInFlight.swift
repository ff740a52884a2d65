import Platform

/// The memory of answers that clients have not taken yet; a shared body counts once.
///
/// Used on the server's loop only.
final class BodiesInFlight: @unchecked Sendable {
  // Unchecked: used on the server's loop only.
  /// The size up to which bodies are not counted, because the number of connections bounds them.
  static let small = 16 << 10
  /// The memory of a file's answer: one block of the library and two pieces that are read ahead.
  static let pieces = 384 << 10

  private let limit: Int
  private var shared: [ObjectIdentifier: Int] = [:]
  /// The number of bytes in flight.
  private(set) var bytes = 0
  /// The number of bodies for which there was no room.
  private(set) var refused = 0

  init(limit: Int) { self.limit = limit }

  /// Counts a body, or returns false if it exceeds the limit and must not be sent.
  ///
  /// A body of any size is accepted if no other one is in flight.
  func take(_ body: HTTPResponse.Body) -> Bool {
    guard case .shared(let object) = body else { return take(Self.cost(of: body)) }
    return take(object)
  }

  /// Counts an object that several clients share.
  func take(_ object: any KioskBytes) -> Bool {
    let id = ObjectIdentifier(object)
    if let uses = shared[id] {
      shared[id] = uses + 1
      return true
    }
    guard take(object.bytes.count) else { return false }
    shared[id] = 1
    return true
  }

  private func take(_ count: Int) -> Bool {
    guard count <= Self.small || bytes == 0 || bytes + count <= limit else {
      refused += 1
      return false
    }
    bytes += count
    return true
  }

  /// Ends the count of a body, after its client has taken it or left.
  func release(_ body: HTTPResponse.Body) {
    guard case .shared(let object) = body else {
      bytes -= Self.cost(of: body)
      return
    }
    release(object)
  }

  /// Ends one client's count of a shared object.
  func release(_ object: any KioskBytes) {
    let id = ObjectIdentifier(object)
    guard let uses = shared[id] else { return }
    shared[id] = uses > 1 ? uses - 1 : nil
    if uses == 1 { bytes -= object.bytes.count }
  }

  private static func cost(of body: HTTPResponse.Body) -> Int {
    switch body {
    case .none, .literal: 0
    case .bytes(let bytes): bytes.count
    case .shared(let object): object.bytes.count
    case .file(_, _, let count): min(count, pieces)
    // The number of streams has its own limit, and the page needs its events in any case.
    case .stream, .socket: 0
    }
  }
}
