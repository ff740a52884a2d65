extension PageServer {
  /// Returns the server's and the station's metrics, in the text format of Prometheus.
  func metrics(on server: isolated HTTPServer) -> HTTPResponse {
    var text = station.metrics()
    func add(_ name: String, _ kind: String, _ help: String, _ lines: [(String, Int)]) {
      text += "# HELP retake_web_\(name) \(help)\n# TYPE retake_web_\(name) \(kind)\n"
      for (labels, value) in lines { text += "retake_web_\(name)\(labels) \(value)\n" }
    }
    let counts = server.counts
    add("connections", "gauge", "Connections now.", [("", server.connectionCount)])
    add("connections_total", "counter", "Connections taken.", [("", counts.connections)])
    add(
      "connections_ended_total", "counter", "Connections not taken or cut off, by reason.",
      [
        ("{reason=\"limit\"}", counts.refused), ("{reason=\"idle\"}", counts.evicted),
        ("{reason=\"slow\"}", counts.cut),
      ])
    add("requests_total", "counter", "Requests with complete headers.", [("", counts.requests)])
    add(
      "answers_total", "counter", "Answers, by status.",
      counts.answers.sorted { $0.key < $1.key }.map { ("{status=\"\($0.key)xx\"}", $0.value) })
    add(
      "answer_bytes", "gauge", "Bytes of answers that clients have not taken.",
      [("", server.bodies.bytes)])
    add(
      "answers_without_memory_total", "counter", "Answers for which there was no memory.",
      [("", server.bodies.refused)])
    add("event_streams", "gauge", "Pages that listen for events.", [("", desk.events.count)])
    add("viewers", "gauge", "Viewers of the stream of pictures.", [("", desk.viewers.count)])
    add("frames_total", "counter", "Pictures sent to viewers.", [("", desk.framesServed)])
    add(
      "frames_dropped_total", "counter", "Pictures that viewers were too slow for.",
      [("", desk.framesDropped)])
    add(
      "frames_kept", "gauge", "Pictures that slow viewers have taken in part.",
      [("", server.kept.count)])
    add("frame_bytes_total", "counter", "Bytes of those.", [("", desk.bytesOfFrames)])
    return HTTPResponse(
      200, .bytes(Array(text.utf8)), type: "text/plain; version=0.0.4; charset=utf-8"
    ).adding("Cache-Control", "no-store")
  }
}
