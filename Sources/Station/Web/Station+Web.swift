import KioskServer
import Platform

extension Station {
  /// The address of the page, or `nil` when there is none.
  public var webAddress: String? {
    guard let server = page.current.server else { return nil }
    let host = server.configuration.address.host
    return "http://\(host.contains(":") ? "[\(host)]" : host):\(server.port)/"
  }

  /// The time of a visible page's last sign of life, or `nil` when there was none.
  public var lastPageHeartbeat: MonotonicTime? { page.current.server?.lastHeartbeat }
}
