import KioskServer
import StationConfiguration

/// The address of the page, for the status.
public struct PageReport: Equatable, Sendable, Encodable {
  /// The address of the page's server or its socket unit, or `nil` when there is no page.
  public var address: String?
  /// The configured `web.listen` that a socket unit's address replaces, or `nil` when they agree.
  public var ignored: String?
  /// The reason for which a reload could not open the page, or `nil`.
  public var problem: String?

  /// Creates a report without a page.
  public init() {}

  /// Creates the report of a page on a socket that systemd opened, or of a configured page.
  init(_ web: Configuration.Web, isConfigured: Bool, listener: KioskAddress?) {
    address = (listener ?? web.listen).map { "\($0)" }
    guard isConfigured, let listener else { return }
    if let listen = web.listen, listen.isMet(by: listener) { return }
    ignored = web.listen.map { "\($0)" } ?? ""
  }

  /// The ignored and the used address in words, or `nil` when no address is ignored.
  var words: String? {
    guard let ignored, let address else { return nil }
    return "'web.listen' is \"\(ignored)\", which is not used: retake.socket listens at \(address)"
  }

  /// The commands that give the socket unit the configured address.
  var fix: String? { ignored.map(PageReport.fix) }

  package static func fix(_ wanted: String) -> String {
    guard let address = KioskAddress(wanted) else {
      // The unit is masked, since the service would start a unit that is only disabled.
      return "sudo systemctl mask --now retake.socket; sudo systemctl restart retake"
    }
    let more =
      address.isLoopback
      ? "" : "; sudo systemctl edit retake, add the lines '[Service]' and 'IPAddressAllow=any'"
    return "sudo systemctl edit retake.socket, add the lines '[Socket]', 'ListenStream=' and "
      + "'ListenStream=\(address)'\(more); then: sudo systemctl stop retake.socket retake; sudo systemctl start retake.socket retake"
  }
}
