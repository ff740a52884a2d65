import Platform

/// The checks of a request's host name, origin and secrets.
struct AccessRules: Sendable {
  private let names: Set<String>
  private let token: [UInt8]?
  private let pin: [UInt8]?
  static let cookie = "retake-token"

  init(_ configuration: KioskConfiguration, port: Int) {
    var names: Set<String> = ["localhost"]
    for name in configuration.hosts { names.insert(name.lowercased()) }
    self.names = names
    token = configuration.token.map { Array($0.utf8) }
    pin = configuration.pin.map { Array($0.utf8) }
  }

  var hasPIN: Bool { pin != nil }

  /// Throws for a host name that is not the server's.
  ///
  /// A page elsewhere can point its own name to this server (DNS rebinding). Numeric addresses
  /// cannot be pointed anywhere, so they are all accepted.
  func checkHost(_ headers: HTTPRequest.Headers) throws(KioskProblem) {
    guard let host = headers.host else { throw KioskProblem(400, "the header Host is missing") }
    guard let name = AccessRules.name(of: host) else {
      throw KioskProblem(400, "the header Host is none")
    }
    if names.contains(name) || KioskAddress.isIPv4(name) || KioskAddress.isIPv6(name) { return }
    throw KioskProblem(
      421, "this server is not known as '\(name.prefix(80))'", fix: "add the name to web.hosts")
  }

  /// Throws for a request from another site's page.
  ///
  /// Browsers send `none` for an address or a bookmark that a person opens. No request that changes
  /// the station is opened that way.
  func checkOrigin(_ headers: HTTPRequest.Headers) throws(KioskProblem) {
    if let site = headers.fetchSite, site != "same-origin" {
      throw KioskProblem(403, "another site may not do that")
    }
    guard let origin = headers.origin else { return }
    guard let scheme = origin.range(of: "://"), let host = headers.host,
      ["http", "https"].contains(origin[..<scheme.lowerBound].lowercased()),
      origin[scheme.upperBound...].lowercased() == host.lowercased()
    else { throw KioskProblem(403, "another site may not do that") }
  }

  /// Returns whether the request has the token, in the header or in one of the page's cookies.
  ///
  /// One valid credential suffices. `Authorization` may be for a proxy in front, and a browser may
  /// send an older cookie of the same name first.
  func hasToken(_ headers: HTTPRequest.Headers) -> Bool {
    guard let token else { return true }
    if let value = headers.authorization {
      let parts = value.split(separator: " ", maxSplits: 1)
      if parts.count == 2, parts[0].lowercased() == "bearer",
        AccessRules.isSame(Array(parts[1].utf8), token)
      {
        return true
      }
    }
    return headers.cookies(AccessRules.cookie).contains {
      AccessRules.isSame(Array($0.utf8), token)
    }
  }

  func isToken(_ text: String) -> Bool {
    token.map { AccessRules.isSame(Array(text.utf8), $0) } ?? false
  }

  func isPIN(_ text: String?) -> Bool {
    guard let pin else { return true }
    return text.map { AccessRules.isSame(Array($0.utf8), pin) } ?? false
  }

  /// Compares two secrets in a time that does not depend on where they differ.
  static func isSame(_ given: [UInt8], _ secret: [UInt8]) -> Bool {
    var difference = given.count ^ secret.count
    for index in secret.indices {
      let byte = given.isEmpty ? 0 : given[index % given.count]
      difference |= Int(byte ^ secret[index])
    }
    return difference == 0
  }

  /// Returns the name in a Host header, without its port; nil for an invalid header.
  static func name(of host: String) -> String? {
    guard host.utf8.count <= 255 else { return nil }
    var name = host.lowercased()
    if name.hasPrefix("[") {
      guard let end = name.firstIndex(of: "]"), isPort(name[name.index(after: end)...]) else {
        return nil
      }
      return String(name[..<end].dropFirst())
    }
    if let colon = name.firstIndex(of: ":") {
      guard isPort(name[colon...]) else { return nil }
      name = String(name[..<colon])
    }
    if name.hasSuffix(".") { name.removeLast() }
    return name.isEmpty ? nil : name
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty
      || (text.hasPrefix(":") && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) })
  }
}

extension StringProtocol {
  /// Returns the first range of `text`, or nil.
  func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
