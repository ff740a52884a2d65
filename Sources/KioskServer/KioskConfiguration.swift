import CMicroHTTPD
import Glibc
import Platform

/// A numeric address and a port at which a server listens.
public struct KioskAddress: Equatable, Sendable, CustomStringConvertible {
  /// The address, such as `127.0.0.1`, `::1` or `0.0.0.0`.
  public var host: String
  /// The port; 0 for any free one.
  public var port: UInt16

  /// Creates the address of `host` and `port`.
  public init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Parses `127.0.0.1:8080` or `[::1]:8080`; returns nil for anything else.
  ///
  /// `localhost` stands for 127.0.0.1.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    guard (1...5).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits)
    else { return nil }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
      guard KioskAddress.isIPv6(host) else { return nil }
    } else {
      if host == "localhost" { host = "127.0.0.1" }
      guard KioskAddress.isIPv4(host) else { return nil }
    }
    self.init(host: host, port: port)
  }

  /// Returns the address of a listening socket; nil if that is no internet address.
  public init?(listener: Int32) {
    var host = [CChar](repeating: 0, count: 64)
    guard cmhd_host(listener, &host, socklen_t(host.count)),
      let port = UInt16(exactly: cmhd_port(listener))
    else { return nil }
    let bytes = host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    self.init(host: String(decoding: bytes, as: UTF8.self), port: port)
  }

  /// The text that ``init(_:)-(String)`` parses.
  public var description: String { "\(host.urlHost):\(port)" }

  /// Whether only programs on this machine can connect.
  public var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

  /// Returns whether a socket that listens at `other` serves this address.
  ///
  /// Port 0 accepts every port, and a socket unit's `[::]` accepts IPv4, too.
  public func isMet(by other: KioskAddress) -> Bool {
    guard port == other.port || port == 0 else { return false }
    let isEverywhere = ["0.0.0.0", "::"].contains(KioskAddress.shortest(host))
    return KioskAddress.shortest(host) == KioskAddress.shortest(other.host)
      || isEverywhere && KioskAddress.shortest(other.host) == "::"
  }

  /// Returns the address in its usual form: `::1` for `0:0:0:0:0:0:0:1`.
  private static func shortest(_ host: String) -> String {
    var address = in6_addr()
    guard inet_pton(AF_INET6, host, &address) == 1 else { return host }
    var text = [CChar](repeating: 0, count: 64)
    guard inet_ntop(AF_INET6, &address, &text, socklen_t(text.count)) != nil else { return host }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static func isIPv4(_ text: String) -> Bool {
    var address = in_addr()
    return inet_pton(AF_INET, text, &address) == 1
  }

  static func isIPv6(_ text: String) -> Bool {
    var address = in6_addr()
    return inet_pton(AF_INET6, text, &address) == 1
  }
}

/// The settings of a server.
public struct KioskConfiguration: Equatable, Sendable {
  /// The address at which the server listens.
  public var address: KioskAddress
  /// Further host names that browsers may use, besides addresses and `localhost`.
  public var hosts: [String] = []
  /// The secret that clients must send; nil for none, which requires a loopback address.
  public var token: String?
  /// The secret that the operator types for the operator's view and for deleting photos; nil for
  /// none.
  public var pin: String?
  /// A directory whose files replace built-in ones of the same name, and are served beside them.
  ///
  /// A file `PATH` of the directory is at `/page/PATH`, and `index.html` is also at `/`. A path has
  /// at most four parts of letters, digits, `-`, `.` and `_`.
  public var directory: String?
  /// The program's version.
  public var version: String
  /// The limits for clients.
  public var limits = HTTPLimits()

  /// The minimum length of a token, in bytes.
  public static let shortestToken = 16

  /// Creates a configuration for an address.
  ///
  /// The default address is `127.0.0.1:8080`, which only programs on this machine reach.
  public init(
    address: KioskAddress = KioskAddress(host: "127.0.0.1", port: 8080), version: String = ""
  ) {
    self.address = address
    self.version = version
  }

  /// The languages of the built-in page, by their codes.
  public static let languages: [String] = PageAssets.all.compactMap { asset in
    let parts = asset.name.split(separator: "/")
    guard parts.count == 2, parts[0] == "languages", parts[1].hasSuffix(".json") else { return nil }
    return String(parts[1].dropLast(".json".count))
  }.sorted()

  /// Throws if the address is open to other machines without a token.
  ///
  /// `name` is the origin of the address, for the message.
  package func check(_ name: String) throws(KioskError) {
    if !address.isLoopback, token == nil {
      throw KioskError(
        .configuration,
        "\(name) is \(address), which others on the network reach, and it needs a token",
        fix: "set 'web.token' to a secret of at least \(Self.shortestToken) characters, or listen "
          + "on 127.0.0.1")
    }
    if let token, token.utf8.count < Self.shortestToken {
      throw KioskError(
        .configuration, "the token is too short",
        fix: "set 'web.token' to a secret of at least \(Self.shortestToken) characters")
    }
  }
}

/// The reason why a server cannot be started.
public struct KioskError: OperatorError, Sendable {
  /// The kinds of errors.
  public enum Code: String, Sendable, CaseIterable {
    /// The address or the token is wrong.
    case configuration
    /// Another program has the port.
    case inUse
    /// The user has no permission to use the port.
    case denied
    /// The operating system refused something that should always work.
    case system
  }

  /// The kind of the error.
  public var code: Code
  /// The problem, in words that hold for any program.
  public var message: String
  /// The remedy in terms of a station's configuration; nil if there is none.
  public var fix: String?
  /// The underlying error.
  public var cause: (any Error)?

  /// Creates an error.
  public init(
    _ code: Code, _ message: String, fix: String? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.fix = fix
    self.cause = cause
  }

  init(_ address: KioskAddress, _ error: SystemError) {
    let what: String
    var fix: String?
    switch error.errno {
    case EADDRINUSE:
      code = .inUse
      what = "is in use by another program"
      fix = "end that, set 'web.listen' to another port, or to \"\" for no page"
    case EACCES:
      code = .denied
      what = "may not be used: ports below 1024 are the system's"
      fix = "set 'web.listen' to another port"
    case EADDRNOTAVAIL:
      code = .configuration
      what = "is no address of this machine; 'ip address' lists those there are"
    default:
      code = .system
      what = "cannot be opened: \(error.reason)"
    }
    self.fix = fix
    message = "the page's address \(address) \(what)"
    cause = error
  }
}
