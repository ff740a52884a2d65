/// One answer.
struct HTTPResponse: Sendable {
  var status: Int
  var headers: [(name: String, value: String)] = []
  var body: Body

  enum Body: Sendable {
    case none
    case bytes([UInt8])
    case literal(StaticString)
    case shared(any KioskBytes)
    /// Part of a file.
    case file(KioskFile, offset: Int, count: Int)
    case stream(any HTTPStream)
    /// A writer that bypasses the library and ends with the connection.
    case socket(any HTTPSocketUser)

    /// The number of bytes; nil for a body without a known end.
    var count: Int? {
      switch self {
      case .none: 0
      case .bytes(let bytes): bytes.count
      case .literal(let text): text.utf8CodeUnitCount
      case .shared(let shared): shared.bytes.count
      case .file(_, _, let count): count
      case .stream, .socket: nil
      }
    }
  }

  init(_ status: Int, _ body: Body = .none, type: String? = nil) {
    self.status = status
    self.body = body
    if let type { headers.append(("Content-Type", type)) }
  }

  /// Creates an answer with the problem's document.
  init(_ problem: KioskProblem) {
    self.init(problem.status, .bytes(problem.json), type: "application/problem+json")
    headers.append(("Cache-Control", "no-store"))
    if let allowed = problem.allowed { headers.append(("Allow", allowed)) }
    if problem.status == 401 { headers.append(("WWW-Authenticate", "Bearer realm=\"Retake\"")) }
  }

  /// Creates an answer with a JSON document that must not be cached.
  init(json: [UInt8], status: Int = 200) {
    self.init(status, .bytes(json), type: "application/json")
    headers.append(("Cache-Control", "no-store"))
  }

  func adding(_ name: String, _ value: String) -> HTTPResponse { adding([(name, value)]) }

  func adding(_ headers: [(name: String, value: String)]) -> HTTPResponse {
    var response = self
    response.headers += headers
    return response
  }
}

/// A body that is produced while it is sent; used on the server's loop only.
protocol HTTPStream: AnyObject, Sendable {
  /// Whether the stream continues until the client leaves.
  var hasNoEnd: Bool { get }
  /// Writes the next bytes into a buffer.
  func write(into buffer: UnsafeMutableRawBufferPointer) -> HTTPStreamPart
  /// Ends the stream, after its last byte or after the client left.
  func close()
}

/// The result of asking a stream for bytes.
enum HTTPStreamPart: Equatable {
  /// The stream wrote this number of bytes.
  case bytes(Int)
  /// The stream has no bytes now.
  case nothing
  /// The stream is complete.
  case end
  /// The stream failed.
  case failure
}
