import Platform

/// What the server knows of its station, and who waits for what; used on the server's loop only.
final class KioskDesk: @unchecked Sendable {
  // Unchecked: every function takes the loop's actor along.
  private(set) var state: KioskState
  private(set) var number = 1
  let instance = String(UInt64.random(in: .min ... .max), radix: 36)

  /// Streams of events, by the requests they answer.
  private(set) var events: [UInt64: EventStream] = [:]
  /// Viewers of a stream of pictures.
  private(set) var viewers: [UInt64: PictureStream] = [:]
  /// Requests for one picture other than the number.
  private var waiters: [UInt64: Waiter] = [:]
  private var newest: (any KioskFrame)?
  private var newestCame = MonotonicTime(nanoseconds: 0)
  private(set) var isLooking = false
  /// The frame after which one is waited for.
  var lastLooked: UInt64?
  /// Whether somebody looks that the wait does not last for ever.
  var watchesLooking = false
  private var asked = MonotonicTime(nanoseconds: 0)
  private var beats = false
  private(set) var framesServed = 0
  private(set) var bytesOfFrames = 0
  /// Pictures that viewers were too slow for.
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

  /// The newest picture other than `last`, if it is new enough to be given at once.
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

  /// Whether somebody is to wait for the next picture, and nobody does yet.
  func beginsToLook(on server: isolated HTTPServer) -> Bool {
    guard !isLooking, wantsPictures else { return false }
    isLooking = true
    asked = server.now
    return true
  }

  /// Whether the answer is overdue: the camera may be another one, or there is none.
  func hasLookedLong(on server: isolated HTTPServer) -> Bool {
    isLooking && server.now - asked >= .milliseconds(400)
  }

  private var wantsPictures: Bool {
    !waiters.isEmpty || viewers.values.contains { $0.isReady }
  }

  /// Hands out a picture; true when the next one is wanted.
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
    // Nobody asks for single pictures: the memory of one is not held for them.
    if waiters.isEmpty, frame == nil || !wantsPictures { newest = nil }
    return beginsToLook(on: server)
  }

  /// Offers a picture to all viewers, or to that one.
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

  /// Checks the operator's PIN, and makes guessing slow.
  ///
  /// - Returns: Headers for the answer: the cookie of a browser that has known the PIN.
  /// - Throws: 401 for a PIN that is missing or wrong, 429 while guesses are used up.
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
