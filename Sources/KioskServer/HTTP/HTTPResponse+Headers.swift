import CMicroHTTPD

extension HTTPResponse {
  /// The security headers of every answer.
  ///
  /// The page loads nothing from other sites, and other sites cannot use its content.
  static let everywhere: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
        + "connect-src 'self'; media-src 'self' blob:; manifest-src 'self'; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
  ]
}

extension HTTPRequest.Headers {
  /// Reads the headers that routes use; throws if one of them occurs twice.
  init(_ connection: OpaquePointer) throws(KioskProblem) {
    func value(_ name: String) throws(KioskProblem) -> String? {
      var start: UnsafePointer<CChar>?
      var length = 0
      switch cmhd_header(connection, name, &start, &length) {
      case 0: return nil
      case 1:
        let bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : length)
        return String(decoding: bytes, as: UTF8.self)
      default: throw KioskProblem(400, "the header \(name) is there more than once")
      }
    }
    host = try value("Host")
    origin = try value("Origin")
    fetchSite = try value("Sec-Fetch-Site")
    authorization = try value("Authorization")
    cookie = try value("Cookie")
    contentType = try value("Content-Type")
    range = try value("Range")
    ifRange = try value("If-Range")
    ifNoneMatch = try value("If-None-Match")
    lastEventID = try value("Last-Event-ID")
    pin = try value("X-Retake-Pin")
  }
}
