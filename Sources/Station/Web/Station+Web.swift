import KioskServer
import Platform

extension Station {
  /// Where the page is; nil: there is none.
  public var webAddress: String? {
    guard let server = page.current.server else { return nil }
    let host = server.configuration.address.host
    return "http://\(host.contains(":") ? "[\(host)]" : host):\(server.port)/"
  }

  /// When a visible page last said that it is alive; nil: never, or there is none.
  public var lastPageHeartbeat: MonotonicTime? { page.current.server?.lastHeartbeat }
}
