extension PageServer {
  /// Answers with a page of the library.
  func photos(_ request: HTTPRequest) throws(KioskProblem) -> HTTPResponse? {
    try request.allowQuery("before", "limit", "album")
    let limit = try request.query("limit", in: 1...200) ?? 50
    let cursor = try request.query("before")
    let album = try request.query("album")
    for text in [cursor, album] where !(1...1100).contains(text?.unicodeScalars.count ?? 1) {
      throw KioskProblem(400, "'before' and 'album' have 1 to 1100 characters")
    }
    work(request) { [station] () throws(KioskProblem) in
      HTTPResponse(
        json: encodeJSON(try station.photos(before: cursor, limit: limit, album: album)))
    }
    return nil
  }

  /// Answers for one photo: its description, thumbnail or file, or its deletion.
  func photo(
    _ request: HTTPRequest, on server: isolated HTTPServer
  ) throws(KioskProblem) -> HTTPResponse? {
    let id = request.path[3]
    let part = request.path.count > 4 ? request.path[4] : ""
    let missing = KioskProblem(404, "there is no such photo")
    if request.method == "DELETE" {
      let cookie = try checkPIN(request, "photos can be deleted", on: server)
      work(request) { [station] () throws(KioskProblem) in
        guard try station.delete(id) else { throw missing }
        return HTTPResponse(204).adding(cookie)
      }
      return nil
    }
    work(request, isSlow: part == "thumbnail.jpg") { [station] () throws(KioskProblem) in
      switch part {
      case "thumbnail.jpg":
        guard let bytes = try station.thumbnail(of: id) else { throw missing }
        return HTTPResponse(200, .bytes(bytes), type: "image/jpeg")
          .adding("Cache-Control", "private, max-age=3600")
      case "original":
        guard let file = try station.original(of: id) else { throw missing }
        return PageServer.response(to: request, file)
      default:
        guard let photo = try station.photo(id) else { throw missing }
        return HTTPResponse(json: encodeJSON(photo))
      }
    }
    return nil
  }

  static func response(to request: HTTPRequest, _ file: KioskFile) -> HTTPResponse {
    let common = [
      ("ETag", file.tag), ("Accept-Ranges", "bytes"), ("Cache-Control", "private, no-cache"),
    ]
    if HTTPTag.matches(request.headers.ifNoneMatch, file.tag) {
      var response = HTTPResponse(304)
      response.headers += common
      return response
    }
    // A part of a file that changed meanwhile is useless, so the whole file is sent.
    let isSame = request.headers.ifRange.map { $0 == file.tag } ?? true
    let range = isSame ? HTTPRange(request.headers.range, size: file.size) : .whole
    var response: HTTPResponse
    switch range {
    case .whole:
      response = HTTPResponse(200, .file(file, offset: 0, count: file.size), type: file.type)
    case .part(let part):
      response = HTTPResponse(
        206, .file(file, offset: part.lowerBound, count: part.count), type: file.type)
      response.headers.append(
        ("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.size)"))
    case .none:
      response = HTTPResponse(KioskProblem(416, "the file has \(file.size) bytes"))
      response.headers.append(("Content-Range", "bytes */\(file.size)"))
      return response
    }
    response.headers += common
    return response
  }
}
