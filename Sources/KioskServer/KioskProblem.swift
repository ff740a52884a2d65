/// The reason why a request failed: a problem document of RFC 9457.
public struct KioskProblem: Error, Equatable, Sendable {
  /// The HTTP status.
  public var status: Int
  /// The problem in words.
  public var detail: String
  /// The fix in words; nil if there is none.
  public var fix: String?
  /// The picker's name for the refusal.
  public var code: String?

  /// The value of the `Allow` header for a refused method.
  var allowed: String?

  /// Creates a problem.
  public init(_ status: Int, _ detail: String, fix: String? = nil, code: String? = nil) {
    self.status = status
    self.detail = detail
    self.fix = fix
    self.code = code
  }

  /// The status in words.
  var title: String {
    switch status {
    case 400: "Bad request"
    case 401: "Not authorized"
    case 403: "Forbidden"
    case 404: "Not found"
    case 405: "Method not allowed"
    case 408: "Request timeout"
    case 409: "Conflict"
    case 411: "Length required"
    case 413: "Content too large"
    case 431: "Headers too large"
    case 414: "Address too long"
    case 415: "Unsupported media type"
    case 416: "Range not satisfiable"
    case 421: "Misdirected request"
    case 429: "Too many requests"
    case 501: "Not implemented"
    case 503: "Service unavailable"
    default: "Internal error"
    }
  }

  /// The document as JSON.
  var json: [UInt8] {
    encodeJSON(
      Document(
        type: "about:blank", title: title, status: status, detail: detail, fix: fix, code: code))
  }

  private struct Document: Encodable {
    var type: String
    var title: String
    var status: Int
    var detail: String
    var fix: String?
    var code: String?
  }
}
