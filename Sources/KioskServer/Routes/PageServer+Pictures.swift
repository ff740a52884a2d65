import ImagePicker

extension PageServer {
  /// Answers with the newest picture, or later with the next one.
  func picture(
    _ request: HTTPRequest, on server: isolated HTTPServer
  ) throws(KioskProblem) -> HTTPResponse? {
    let last = try request.query("after", in: 0...JSONMembers.largest).map(UInt64.init)
    if let frame = desk.picture(after: last, on: server) {
      return desk.response(to: frame, on: server)
    }
    desk.wait(request.id, after: last, on: server)
    if desk.beginsToLook(on: server) { look(after: last, on: server) }
    return nil
  }

  /// Answers with a stream of pictures, for clients without the page's script.
  func pictures(
    _ request: HTTPRequest, on server: isolated HTTPServer
  ) throws(KioskProblem) -> HTTPResponse {
    guard desk.viewers.count < server.limits.viewers else {
      throw KioskProblem(503, "as many viewers as can be are looking")
    }
    let id = request.id
    let stream = PictureStream(
      kept: server.kept, stallTime: server.limits.stallTime,
      ready: { [weak self] last in
        guard let self else { return }
        // The stream is used on the loop only.
        http.assumeIsolated { self.view(id, after: last, on: $0) }
      },
      closed: { [desk] in desk.removeViewer(id) })
    if request.method == "GET" { desk.add(stream, for: id) }
    return HTTPResponse(200, .socket(stream), type: PictureStream.type)
      .adding("Cache-Control", "no-store")
  }

  /// Answers with the still or the movie under review, as it will be saved.
  ///
  /// With a further part in its path the answer is a thumbnail of an offered frame.
  func review(_ request: HTTPRequest) throws(KioskProblem) -> HTTPResponse? {
    let name = request.path[3]
    let missing = KioskProblem(404, "nothing of that name is under review")
    if request.path.count == 5 {
      let frame = request.path[4]
      guard let number = UInt64(name), name == "\(number)",
        let index = Int(frame.dropLast(4)), frame == "\(index).jpg", index >= 0,
        let picture = station.frameThumbnail(of: SessionID(rawValue: number), frame: index)
      else { throw missing }
      return HTTPResponse(200, .shared(picture), type: "image/jpeg")
        .adding("Cache-Control", "no-store")
    }
    guard let number = UInt64(name.dropLast(4)), name == "\(number).jpg" || name == "\(number).mp4"
    else { throw missing }
    let session = SessionID(rawValue: number)
    if name.hasSuffix(".mp4") {
      work(request) { [station] () throws(KioskProblem) in
        guard let movie = try station.reviewMovie(of: session) else { throw missing }
        return PageServer.response(to: request, movie)
      }
      return nil
    }
    let frame = try request.query("frame", in: 0...(ReviewFrames.limit - 1))
    guard let still = station.review(of: session, frame: frame) else { throw missing }
    return HTTPResponse(200, .shared(still), type: "image/jpeg")
      .adding("Cache-Control", "no-store")
  }
}
