extension PageServer {
  /// Requires the operator's PIN for a change; throws 403 if `web.pin` is not set.
  ///
  /// Returns headers for the answer, as ``KioskDesk`` does.
  func checkPIN(
    _ request: HTTPRequest, _ deed: String, on server: isolated HTTPServer
  ) throws(KioskProblem) -> [(name: String, value: String)] {
    guard access.hasPIN else {
      throw KioskProblem(403, "\(deed) here only with a PIN", fix: "set web.pin")
    }
    return try desk.check(request.headers, access, on: server)
  }

  /// Handles the operator's commands: a test shot, a new album, a restart.
  func operate(
    _ request: HTTPRequest, on server: isolated HTTPServer
  ) throws(KioskProblem) -> HTTPResponse? {
    switch request.path[3] {
    case "test-shot":
      let cookie = try desk.check(request.headers, access, on: server)
      work(request, isSlow: true) { [station] () throws(KioskProblem) in
        HTTPResponse(200, .bytes(try station.testShot()), type: "image/jpeg")
          .adding("Cache-Control", "no-store").adding(cookie)
      }
    case "album":
      let cookie = try checkPIN(request, "an album can be started", on: server)
      var members = try request.members()
      let name = try members.string("name", limit: 255)
      try members.finish()
      work(request) { [station] () throws(KioskProblem) in
        HTTPResponse(json: encodeJSON(["album": try station.startAlbum(name)])).adding(cookie)
      }
    default:
      let cookie = try checkPIN(request, "the station can be restarted", on: server)
      let members = try request.members()
      try members.finish()
      work(request) { [station] () throws(KioskProblem) in
        try station.restart()
        return HTTPResponse(204).adding("Cache-Control", "no-store").adding(cookie)
      }
    }
    return nil
  }
}
