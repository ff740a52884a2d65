import Platform

/// The server's copy of the station's state, and its waiting clients; used on the server's loop
/// only.
final class KioskDesk: @unchecked Sendable {
  // Unchecked: every function requires isolation to the loop's actor.
  private(set) var state: KioskState
  private(set) var number = 1
  let instance = String(UInt64.random(in: .min ... .max), radix: 36)

  /// The event streams, by the numbers of their requests.
  private(set) var events: [UInt64: EventStream] = [:]
  /// The viewers of picture streams, by the numbers of their requests.
  private(set) var viewers: [UInt64: PictureStream] = [:]
  /// The requests that wait for a single picture with another number.
  private var waiters: [UInt64: Waiter] = [:]
  private var newest: (any KioskFrame)?
  private var newestCame = MonotonicTime(nanoseconds: 0)
  private(set) var isLooking = false
  /// The number of the last frame at the latest request to the station.
  var lastLooked: UInt64?
  /// Whether a timer checks that the wait for a frame ends.
  var watchesLooking = false
  private var asked = MonotonicTime(nanoseconds: 0)
  private var beats = false
  private(set) var framesServed = 0
  private(set) var bytesOfFrames = 0
  /// The number of pictures that viewers were too slow for.
  private(set) var framesDropped = 0

  private var gate = OperatorGate()

  private struct Waiter {
    var last: UInt64?
    var deadline: MonotonicTime
  }

  init(_ state: KioskState) { self.state = state }

  // MARK: State and events

  func take(_ state: KioskState, on server: isolated HTTPServer) {
    guard state != self.state else { return }
    self.state = state
    number += 1
    for (id, stream) in events {
      stream.hasState = true
      server.wake(id)
    }
  }

  func take(_ notice: KioskNotice, on server: isolated HTTPServer) {
    let text = Array("event: notice\ndata: ".utf8) + encodeJSON(notice) + Array("\n\n".utf8)
    for (id, stream) in events {
      stream.add(text)
      server.wake(id)
    }
  }

  func document(
    version: String, showsOperator: Bool, on server: isolated HTTPServer
  ) -> [UInt8] {
    encodeJSON(
      StateDocument(
        state: state, number: number, instance: instance, version: version, now: server.now,
        showsOperator: showsOperator))
  }

  func add(_ stream: EventStream, for id: UInt64, on server: isolated HTTPServer) {
    events[id] = stream
    beat(on: server)
  }

  func removeEvents(_ id: UInt64) { events[id] = nil }

  private func beat(on server: isolated HTTPServer) {
    guard !beats, !events.isEmpty else { return }
    beats = true
    server.schedule(after: server.limits.heartbeat) { [self] server in
      beats = false
      let text = Array("event: heartbeat\ndata: {}\n\n".utf8)
      for (id, stream) in events {
        stream.add(text)
        server.wake(id)
      }
      beat(on: server)
    }
  }

  // MARK: Pictures

  /// Returns the newest picture if its number is not `last` and it is less than 30 ms old.
  func picture(after last: UInt64?, on server: isolated HTTPServer) -> (any KioskFrame)? {
    guard let newest, newest.number != last, server.now - newestCame < .milliseconds(30) else {
      return nil
    }
    return newest
  }

  func wait(_ id: UInt64, after last: UInt64?, on server: isolated HTTPServer) {
    waiters[id] = Waiter(last: last, deadline: server.now + server.limits.frameTime)
  }

  func add(_ viewer: PictureStream, for id: UInt64) { viewers[id] = viewer }

  func removeViewer(_ id: UInt64) { viewers[id] = nil }

  /// Returns whether the caller must now request the next picture from the station.
  func beginsToLook(on server: isolated HTTPServer) -> Bool {
    guard !isLooking, wantsPictures else { return false }
    isLooking = true
    asked = server.now
    return true
  }

  /// Returns whether the station's answer is overdue, because the camera is missing or was
  /// replaced.
  func hasLookedLong(on server: isolated HTTPServer) -> Bool {
    isLooking && server.now - asked >= .milliseconds(400)
  }

  private var wantsPictures: Bool {
    !waiters.isEmpty || viewers.values.contains { $0.isReady }
  }

  /// Hands out a picture; returns whether the next one is wanted.
  func take(_ picture: KioskPicture?, on server: isolated HTTPServer) -> Bool {
    isLooking = false
    let now = server.now
    if let picture, !viewers.isEmpty { show(picture, on: server) }
    let frame = waiters.isEmpty ? nil : picture?.keep()
    if let frame {
      newest = frame
      newestCame = now
    }
    for (id, waiter) in waiters {
      if let frame, frame.number != waiter.last {
        waiters[id] = nil
        server.answer(id, response(to: frame, on: server))
      } else if waiter.deadline <= now || !server.isWaiting(id) {
        waiters[id] = nil
        server.answer(id, HTTPResponse(204).adding("Cache-Control", "no-store"))
      }
    }
    // No request waits for a single picture, so the memory of one is released.
    if waiters.isEmpty, frame == nil || !wantsPictures { newest = nil }
    return beginsToLook(on: server)
  }

  /// Offers a picture to all viewers, or to one of them.
  func show(_ picture: KioskPicture, to one: UInt64? = nil, on server: isolated HTTPServer) {
    let now = server.now
    let head = PictureStream.head(of: picture, at: now)
    for (id, viewer) in viewers where one == nil || id == one {
      switch viewer.offer(picture, head: head, at: now) {
      case .sent:
        framesServed += 1
        bytesOfFrames += picture.count
      case .dropped: framesDropped += 1
      case .known: break
      case .failed: server.end(id)
      }
    }
  }

  func response(to frame: any KioskFrame, on server: isolated HTTPServer) -> HTTPResponse {
    framesServed += 1
    bytesOfFrames += frame.bytes.count
    let age = max(0, (server.now - frame.timestamp).nanoseconds / 1_000_000)
    var response = HTTPResponse(200, .shared(frame), type: "image/jpeg")
    response.headers += [
      ("X-Retake-Frame", "\(frame.number)"), ("X-Retake-Age-Ms", "\(age)"),
      ("Cache-Control", "no-store"),
    ]
    return response
  }

  // MARK: The operator

  /// Checks the operator's PIN, and limits the rate of guesses.
  ///
  /// - Returns: Headers for the answer, with a cookie for a browser that has sent the right PIN.
  /// - Throws: 401 for a missing or wrong PIN, 429 while the guesses are used up.
  @discardableResult
  func check(
    _ headers: HTTPRequest.Headers, _ access: AccessRules, on server: isolated HTTPServer
  ) throws(KioskProblem) -> [(name: String, value: String)] {
    guard access.hasPIN else { return [] }
    guard let pin = headers.pin else { throw KioskProblem(401, "the operator's PIN is needed") }
    let cookies = headers.cookies(OperatorGate.cookie)
    switch gate.judge(pin, cookies: cookies, access, at: server.now) {
    case .right(let cookie):
      guard let cookie else { return [] }
      return [
        (
          "Set-Cookie",
          "\(OperatorGate.cookie)=\(cookie); Path=/; HttpOnly; SameSite=Strict; Max-Age=43200"
        )
      ]
    case .wrong: throw KioskProblem(401, "that is not the operator's PIN")
    case .unheard: throw KioskProblem(429, "too many wrong PINs", fix: "wait ten seconds")
    }
  }
}
