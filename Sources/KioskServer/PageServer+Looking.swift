import Platform

// The supply of frames to viewers; the capture thread only rings a bell.
extension PageServer {
  /// Asks the station to ring the bell for a frame other than `last`.
  func look(after last: UInt64?, on server: isolated HTTPServer) {
    desk.lastLooked = last
    station.whenFrame(after: last, ringBell)
    watchLooking(on: server)
  }

  // A late ring for an earlier request does no harm, because the latest request is still pending.
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

  /// Sends the newest picture to a viewer that wants one, or requests the next from the station.
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

  // Without a camera the bell does not ring, and a new camera was not asked yet.
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
