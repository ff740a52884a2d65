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
    let last = desk.lastLooked
    guard station.makesFrames else {
      _ = station.lendFrame(after: last) { give($0, on: server) }
      return server.flush()
    }
    viewing.submit { [self] in
      let frame = station.frame(after: last)
      http.perform { server in frame?.lend { self.give($0, on: server) } }
    }
  }

  /// Gives a viewer that wants one the newest picture, or has it wait for the next.
  func view(_ id: UInt64, after last: UInt64?, on server: isolated HTTPServer) {
    var last = last
    if !station.makesFrames {
      _ = station.lendFrame(after: last) { picture in
        desk.show(picture, to: id, on: server)
        last = picture.number
      }
    }
    if desk.beginsToLook(on: server) { look(after: last, on: server) }
  }

  private func give(_ picture: KioskPicture, on server: isolated HTTPServer) {
    if desk.take(picture, on: server) { look(after: picture.number, on: server) }
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
