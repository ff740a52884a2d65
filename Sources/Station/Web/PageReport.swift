import KioskServer
import StationConfiguration

/// Where the page is, for the status.
public struct PageReport: Equatable, Sendable, Encodable {
  /// Where it is served, or where a socket unit listens for it; nil: nowhere.
  public var address: String?
  /// The `web.listen` that a socket unit's address is used in place of; nil: they agree.
  public var ignored: String?
  /// Why a reload could not open it; nil: it could.
  public var problem: String?

  /// Makes the report of no page.
  public init() {}

  /// Makes the report of a page on a socket that somebody else opened, or on none.
  init(_ web: Configuration.Web, isConfigured: Bool, listener: KioskAddress?) {
    address = (listener ?? web.listen).map { "\($0)" }
    guard isConfigured, let listener else { return }
    if let listen = web.listen, listen.isMet(by: listener) { return }
    ignored = web.listen.map { "\($0)" } ?? ""
  }

  /// What is ignored and what is used, for people to read; nil: nothing is ignored.
  var words: String? {
    guard let ignored, let address else { return nil }
    return "'web.listen' is \"\(ignored)\", which is not used: retake.socket listens at \(address)"
  }

  /// How the socket unit is brought into line.
  var fix: String? { ignored.map(PageReport.fix) }

  package static func fix(_ wanted: String) -> String {
    guard let address = KioskAddress(wanted) else {
      // Disabled, the service would still start it along with itself.
      return "sudo systemctl mask --now retake.socket; sudo systemctl restart retake"
    }
    let more =
      address.isLoopback
      ? "" : "; sudo systemctl edit retake, add the lines '[Service]' and 'IPAddressAllow=any'"
    return "sudo systemctl edit retake.socket, add the lines '[Socket]', 'ListenStream=' and "
      + "'ListenStream=\(address)'\(more); then: sudo systemctl stop retake.socket retake; sudo systemctl start retake.socket retake"
  }
}
