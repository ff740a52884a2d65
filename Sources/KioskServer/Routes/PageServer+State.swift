import ImagePicker
import Platform

extension PageServer {
  /// Returns whether the request may see the operator's part of the state.
  private func showsOperator(
    _ request: HTTPRequest, on server: isolated HTTPServer
  ) -> Bool {
    guard access.hasPIN else { return true }
    guard request.headers.pin != nil else { return false }
    // A wrong PIN counts as a guess.
    do throws(KioskProblem) {
      try desk.check(request.headers, access, on: server)
      return true
    } catch {
      return false
    }
  }

  func stateNow(_ request: HTTPRequest, on server: isolated HTTPServer) -> HTTPResponse {
    let showsOperator = showsOperator(request, on: server)
    let tag = "\"\(desk.instance)-\(desk.number)\(showsOperator ? "o" : "")\""
    if HTTPTag.matches(request.headers.ifNoneMatch, tag) {
      return HTTPResponse(304).adding("ETag", tag).adding("Cache-Control", "no-cache")
    }
    let json = desk.document(
      version: configuration.version, showsOperator: showsOperator, on: server)
    var response = HTTPResponse(200, .bytes(json), type: "application/json")
    response.headers += [("ETag", tag), ("Cache-Control", "no-cache")]
    return response
  }

  func eventStream(
    _ request: HTTPRequest, on server: isolated HTTPServer
  ) throws(KioskProblem) -> HTTPResponse {
    guard desk.events.count < server.limits.eventStreams else {
      throw KioskProblem(503, "as many pages as can be are connected")
    }
    let id = request.id
    let showsOperator = showsOperator(request, on: server)
    let stream = EventStream(
      state: { [self] in
        // The stream is used on the loop only.
        http.assumeIsolated { server in
          let json = desk.document(
            version: configuration.version, showsOperator: showsOperator, on: server)
          return Array("event: state\nid: \(desk.number)\ndata: ".utf8) + json
            + Array("\n\n".utf8)
        }
      },
      closed: { [desk] in desk.removeEvents(id) })
    if request.method == "GET" { desk.add(stream, for: id, on: server) }
    return HTTPResponse(200, .stream(stream), type: "text/event-stream")
      .adding("Cache-Control", "no-store").adding("X-Accel-Buffering", "no")
  }

  /// Records the heartbeat of a page.
  func heartbeat(_ request: HTTPRequest) throws(KioskProblem) -> HTTPResponse {
    var members = try request.members()
    guard try members.string("page", limit: 64) != nil else {
      throw KioskProblem(400, "'page' is missing")
    }
    _ = try members.string("screen", limit: 64)
    let isVisible = try members.boolean("visible") ?? true
    try members.finish()
    if isVisible { hear() }
    return HTTPResponse(204).adding("Cache-Control", "no-store")
  }

  // MARK: Commands

  func command(_ name: String, _ request: HTTPRequest) throws(KioskProblem) {
    let command = try KioskCommand(name, request)
    station.send(command.event, session: command.session) { [self] reply in
      // States that the station published before are already handled on the loop.
      http.perform { server in
        switch reply {
        case .done: server.answer(request.id, self.stateNow(request.withoutTag, on: server))
        case .refused(let problem): server.answer(request.id, HTTPResponse(problem))
        }
      }
    }
  }
}

extension HTTPRequest {
  /// Returns the members of the body's JSON object; an empty body counts as an empty object.
  func members() throws(KioskProblem) -> JSONMembers {
    guard !body.isEmpty else { return JSONMembers([:]) }
    let type = (headers.contentType ?? "").split(separator: ";").first.map(String.init) ?? ""
    guard type.lowercased() == "application/json" else {
      throw KioskProblem(415, "a body must be application/json")
    }
    guard let value = JSONValue(body) else { throw KioskProblem(400, "the body is not JSON") }
    guard case .object(let members) = value else {
      throw KioskProblem(400, "the body must be an object")
    }
    return JSONMembers(members)
  }

  var withoutTag: HTTPRequest {
    var request = self
    request.headers.ifNoneMatch = nil
    return request
  }
}
