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
    /// Written past the library, to the end of the connection.
    case socket(any HTTPSocketUser)

    /// How many bytes it has; nil for what has no end.
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

  /// The problem's document.
  init(_ problem: KioskProblem) {
    self.init(problem.status, .bytes(problem.json), type: "application/problem+json")
    headers.append(("Cache-Control", "no-store"))
    if let allowed = problem.allowed { headers.append(("Allow", allowed)) }
    if problem.status == 401 { headers.append(("WWW-Authenticate", "Bearer realm=\"Retake\"")) }
  }

  /// A JSON document that nobody keeps.
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

/// A body without an end, made while it is sent; used on the server's loop only.
protocol HTTPStream: AnyObject, Sendable {
  /// Whether it goes on until the client leaves.
  var hasNoEnd: Bool { get }
  /// Writes what is to be sent next.
  func write(into buffer: UnsafeMutableRawBufferPointer) -> HTTPStreamPart
  /// The client has gone, or the stream has ended.
  func close()
}

/// What a stream has at the moment.
enum HTTPStreamPart: Equatable {
  /// So many bytes were written.
  case bytes(Int)
  /// There is nothing yet.
  case nothing
  /// There will be no more.
  case end
  /// It broke off.
  case failure
}
