/// Why a request was not met: a problem document of RFC 9457.
public struct KioskProblem: Error, Equatable, Sendable {
  /// The HTTP status.
  public var status: Int
  /// What went wrong, for people.
  public var detail: String
  /// What can be done about it; nil where nothing can.
  public var fix: String?
  /// The kind of refusal, as the picker calls it.
  public var code: String?

  /// What the address takes, where it does not take the request's method.
  var allowed: String?

  /// Makes a problem.
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

  /// The document.
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
