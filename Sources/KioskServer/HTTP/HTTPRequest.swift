import Platform

/// One request, as the routes use it.
struct HTTPRequest: Sendable {
  /// The number of the exchange, by which a later answer finds it.
  let id: UInt64
  var method = ""
  /// The path's decoded parts; a part may contain a slash that was escaped.
  var path: [String] = []
  /// The query's decoded members, in their order.
  var query: [(name: String, value: String)] = []
  /// The headers that routes use.
  var headers = Headers()
  var body: [UInt8] = []

  struct Headers: Sendable {
    var host: String?
    var origin: String?
    var fetchSite: String?
    var authorization: String?
    var cookie: String?
    var contentType: String?
    var range: String?
    var ifRange: String?
    var ifNoneMatch: String?
    var lastEventID: String?
    var pin: String?

    /// Returns the values of all cookies of that name, in their order.
    ///
    /// A browser sends several cookies of one name if they were set for different paths or domains.
    func cookies(_ name: String) -> [Substring] {
      (cookie ?? "").split(separator: ";").compactMap { pair in
        let halves = pair.split(separator: "=", maxSplits: 1)
        guard halves.count == 2, halves[0].trimmed == name else { return nil }
        return halves[1].trimmed
      }
    }
  }

  /// Returns the value of a query's member; nil if it is missing.
  ///
  /// Throws if the member occurs more than once.
  func query(_ name: String) throws(KioskProblem) -> String? {
    let values = query.filter { $0.name == name }
    guard values.count <= 1 else {
      throw KioskProblem(400, "'\(name)' is given more than once")
    }
    return values.first?.value
  }

  /// Returns the number in a query's member; nil if it is missing.
  func query(_ name: String, in range: ClosedRange<Int>) throws(KioskProblem) -> Int? {
    guard let text = try query(name) else { return nil }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
      range.contains(number)
    else {
      throw KioskProblem(
        400, "'\(name)' must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Throws if the query has members with other names.
  func allowQuery(_ names: String...) throws(KioskProblem) {
    for member in query where !names.contains(member.name) {
      throw KioskProblem(400, "the query has no '\(member.name.prefix(40))'")
    }
  }
}

/// The path and the query of a request line.
struct HTTPTarget: Equatable {
  var path: [String]
  var query: [Member]

  struct Member: Equatable {
    var name: String
    var value: String
  }

  /// Parses the target of a request line; returns nil for an invalid one.
  init?(_ text: String) {
    guard text.hasPrefix("/"), text.utf8.count <= 4096 else { return nil }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = []
    query = []
    for part in parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let name = HTTPTarget.decode(part, plusIsSpace: false) else { return nil }
      path.append(name)
    }
    guard parts.count == 2 else { return }
    for part in parts[1].split(separator: "&") {
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = HTTPTarget.decode(halves[0], plusIsSpace: true),
        let value = HTTPTarget.decode(halves.count == 2 ? halves[1] : "", plusIsSpace: true)
      else { return nil }
      query.append(Member(name: name, value: value))
    }
  }

  // Strict: the server never sends addresses with control characters or invalid UTF-8.
  private static func decode(_ text: Substring, plusIsSpace: Bool) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
        else { return nil }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(0x20)
      default: bytes.append(byte)
      }
    }
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
    return String(validating: bytes)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}

extension String {
  /// Creates the text of UTF-8 bytes; returns nil for invalid ones.
  init?(validating bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }
}

extension Substring {
  /// The text without spaces at its ends.
  fileprivate var trimmed: Substring {
    var result = self
    while result.first == " " { result.removeFirst() }
    while result.last == " " { result.removeLast() }
    return result
  }
}
