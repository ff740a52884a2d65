import Platform

/// The memory of answers that clients have not taken yet: what several wait for counts once.
///
/// It is used on the server's loop only.
final class BodiesInFlight: @unchecked Sendable {
  // Unchecked: used on the server's loop only.
  /// Smaller bodies are not counted: as many as there may be connections take little.
  static let small = 16 << 10
  /// What is held of a file: a block of the library's and two pieces that are read ahead.
  static let pieces = 384 << 10

  private let limit: Int
  private var shared: [ObjectIdentifier: Int] = [:]
  /// Bytes that are held now.
  private(set) var bytes = 0
  /// Bodies for which there was no room.
  private(set) var refused = 0

  init(limit: Int) { self.limit = limit }

  /// Counts a body; false where it would be too much, in which case it must not be sent.
  ///
  /// A single body is taken however large it is.
  func take(_ body: HTTPResponse.Body) -> Bool {
    guard case .shared(let object) = body else { return take(Self.cost(of: body)) }
    return take(object)
  }

  /// Counts what several clients share.
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

  /// A client has taken a body that was counted, or has gone.
  func release(_ body: HTTPResponse.Body) {
    guard case .shared(let object) = body else {
      bytes -= Self.cost(of: body)
      return
    }
    release(object)
  }

  /// A client has taken what it shared with others.
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
    // Their number has a bound of its own, and the page needs its events whatever else is sent.
    case .stream, .socket: 0
    }
  }
}
