import Platform

// Frames for who looks: the camera's own thread only rings a bell.
extension KioskServer {
  /// Waits for a frame other than `last`.
  func look(after last: UInt64?, on server: isolated HTTPServer) {
    desk.lastLooked = last
    station.whenFrame(after: last, ringBell)
    watchLooking(on: server)
  }

  // Rung late, for what was asked before, it does no harm: who asked last is still asked for.
  func heardBell(on server: isolated HTTPServer) {
    bell.answer()
    guard desk.isLooking else { return }
    guard station.makesFrames else {
      return give(station.frame(after: desk.lastLooked), on: server)
    }
    let last = desk.lastLooked
    viewing.submit { [self] in
      let frame = station.frame(after: last)
      http.perform { self.give(frame, on: $0) }
    }
  }

  private func give(_ frame: (any KioskFrame)?, on server: isolated HTTPServer) {
    guard let frame else { return }
    if desk.take(frame, on: server) { look(after: frame.number, on: server) }
    server.flush()
  }

  // While there is no camera nobody rings, and a new one has not been asked yet.
  private func watchLooking(on server: isolated HTTPServer) {
    guard !desk.watchesLooking else { return }
    desk.watchesLooking = true
    server.schedule(after: .milliseconds(500)) { [self] server in
      desk.watchesLooking = false
      if desk.hasLookedLong(on: server), desk.take(nil, on: server) {
        look(after: desk.lastLooked, on: server)
      } else if desk.isLooking {
        watchLooking(on: server)
      }
    }
  }
}
