import ImagePicker
import Platform

extension PageServer: HTTPRouter {
  // MARK: Before the body

  func check(_ request: HTTPRequest, on server: isolated HTTPServer) throws(KioskProblem) {
    try access.checkHost(request.headers)
    let isReading = ["GET", "HEAD"].contains(request.method)
    if !isReading { try access.checkOrigin(request.headers) }
    guard let methods = methods(of: request.path) else {
      try checkToken(request)
      throw KioskProblem(404, "there is nothing at this address")
    }
    if request.path != ["healthz"] { try checkToken(request) }
    let method = request.method == "HEAD" ? "GET" : request.method
    guard methods.contains(method) else {
      var problem = KioskProblem(
        405, "this address takes \(methods.joined(separator: " and ")) only")
      problem.allowed = methods.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] }
        .joined(separator: ", ")
      throw problem
    }
  }

  private func checkToken(_ request: HTTPRequest) throws(KioskProblem) {
    if access.hasToken(request.headers) { return }
    // A browser's first request has the token in its address, and gets the cookie.
    if request.path == [""], let token = try request.query("token"), access.isToken(token) {
      return
    }
    throw KioskProblem(
      401, "the token is needed", fix: "open the page once with ?token=… at the end of its address")
  }

  /// Returns the methods of an address; nil for an unknown one.
  func methods(of path: [String]) -> [String]? {
    switch path.first {
    case "" where path.count == 1: return ["GET"]
    case "page" where path.count > 1: return ["GET"]
    case "preview.mjpg", "metrics", "healthz", "favicon.ico": return path.count == 1 ? ["GET"] : nil
    case "api" where path.count >= 3 && path[1] == "v1": break
    default: return nil
    }
    let rest = path.dropFirst(3)
    switch (path[2], rest.count) {
    case ("state", 0), ("events", 0), ("preview", 0), ("photos", 0), ("cameras", 0), ("health", 0),
      ("openapi.yaml", 0):
      return ["GET"]
    case ("heartbeat", 0): return ["POST"]
    case (let name, 0) where KioskCommand.names.contains(name): return ["POST"]
    case ("review", 1), ("review", 2): return ["GET"]
    case ("operator", 1):
      return ["test-shot": ["GET"], "album": ["POST"], "restart": ["POST"]][rest.last ?? ""]
    case ("photos", 1): return ["GET", "DELETE"]
    case ("photos", 2) where ["thumbnail.jpg", "original"].contains(rest.last): return ["GET"]
    default: return nil
    }
  }

  // MARK: With the body

  func route(
    _ request: HTTPRequest, on server: isolated HTTPServer
  ) throws(KioskProblem) -> HTTPResponse? {
    switch request.path.first {
    case "": return try index(request)
    case "page": return page(request, Array(request.path.dropFirst()))
    case "favicon.ico": return HTTPResponse(204).adding("Cache-Control", "max-age=86400")
    case "preview.mjpg": return try pictures(request, on: server)
    case "metrics": return metrics(on: server)
    case "healthz":
      return HTTPResponse(200, .bytes(Array("ok\n".utf8)), type: "text/plain; charset=utf-8")
        .adding("Cache-Control", "no-store")
    default: break
    }
    let name = request.path[2]
    switch name {
    case "state": return stateNow(request, on: server)
    case "events": return try eventStream(request, on: server)
    case "preview": return try picture(request, on: server)
    case "review": return try review(request)
    case "heartbeat": return try heartbeat(request)
    case "photos" where request.path.count == 3: return try photos(request)
    case "photos": return try photo(request, on: server)
    case "cameras":
      work(request) { [station] in HTTPResponse(json: station.cameras()) }
      return nil
    case "health":
      let cookie = try desk.check(request.headers, access, on: server)
      work(request) { [station] in HTTPResponse(json: station.health()).adding(cookie) }
      return nil
    case "operator": return try operate(request, on: server)
    case "openapi.yaml": return asset("../openapi.yaml", request)
    default:
      try command(name, request)
      return nil
    }
  }

  // MARK: The page

  private func index(_ request: HTTPRequest) throws(KioskProblem) -> HTTPResponse? {
    guard let token = try request.query("token"), access.isToken(token) else {
      return page(request, ["index.html"])
    }
    var response = HTTPResponse(303)
    response.headers = [
      ("Location", "/"), ("Cache-Control", "no-store"),
      (
        "Set-Cookie",
        "\(AccessRules.cookie)=\(token); Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000"
      ),
    ]
    return response
  }

  private func page(_ request: HTTPRequest, _ parts: [String]) -> HTTPResponse? {
    guard PageAsset.isName(parts) else {
      return HTTPResponse(KioskProblem(404, "the page has no such file"))
    }
    let name = parts.joined(separator: "/")
    guard let folder else { return asset(name, request) }
    work(request) { [self] () throws(KioskProblem) in
      do throws(MediumSilence) {
        guard let asset = try folder.asset(parts) else { return self.asset(name, request) }
        return response(to: request, asset)
      } catch {
        throw KioskProblem(
          503, "the page's directory does not answer",
          fix: "the disk of \(error.medium) hangs: unplug it and plug it in again")
      }
    }
    return nil
  }

  private func asset(_ name: String, _ request: HTTPRequest) -> HTTPResponse {
    guard let asset = PageAsset.builtIn(name) else {
      return HTTPResponse(KioskProblem(404, "the page has no such file"))
    }
    return response(to: request, asset)
  }

  private func response(to request: HTTPRequest, _ asset: PageAsset) -> HTTPResponse {
    let isKnown = HTTPTag.matches(request.headers.ifNoneMatch, asset.tag)
    var response = HTTPResponse(isKnown ? 304 : 200, isKnown ? .none : asset.body, type: asset.type)
    response.headers += [("ETag", asset.tag), ("Cache-Control", "no-cache")]
    return response
  }
}
