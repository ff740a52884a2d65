import Platform

/// The ladder: stop and start the stream, negotiate again, open again; the further, the slower.
extension CaptureLoop {
  static let longestWait = Duration.seconds(2)
  static let longestSilence = Duration.milliseconds(500)
  /// With the watch for new nodes, an absent camera is looked for only in case that misses something.
  static let longestAbsence = Duration.seconds(5)
  static let shortestWait = Duration.milliseconds(100)
  /// After how many attempts the pauses go on for a node that has just appeared: 0.8 s.
  static let attemptsOfNewNode = 3
  /// How long a new node may take to get its permissions from udev.
  static let permissionGrace = Duration.seconds(2)

  func open() {
    do {
      mode = try device.open()
      started()
    } catch {
      device.close()
      refused(error)
    }
  }

  /// A stream has started with new buffers.
  private func started() {
    phase = .open
    deniedSince = nil
    asksForEvents = true
    shared.ring.resize(to: ringSize)
    copies.removeAll()
    toSkip = device.warmsUp ? options.skippedFrames : 0
    resetClocks()
    let isNew = shared.status.mode != mode || shared.status.identity != device.identity
    let identity = device.identity
    let granted = mode
    shared.update(.mode(granted)) {
      $0.mode = granted
      $0.identity = identity
    }
    if isNew {
      log.info("\(identity.name) sends \(granted)", [("device", identity.path)])
    }
    switch shared.status.state {
    case .stalled, .noSignal, .streaming: break
    default: shared.set(.starting)
    }
  }

  private func resetClocks() {
    startedAt = system.monotonicTime()
    lastArrival = startedAt
    lastUsable = startedAt
    hasArrived = false
    lastSequence = nil
    lastTimestamp = nil
    rhythm.restart()
    (refusal, hasRefused) = (nil, false)
    shared.interval.store(0, ordering: .relaxed)
  }

  /// A usable frame was published.
  func recovered(at time: MonotonicTime) {
    lastUsable = time
    attempts = 0
    (refusal, hasRefused) = (nil, false)
    if shared.status.state != .streaming { shared.set(.streaming) }
  }

  /// Nothing came for too long.
  func stalled() {
    if device.lacksSignal() {
      shared.set(.noSignal)
      // What comes back may have other timings, so restarting the old ones is no use.
      attempts = max(attempts, 1)
    } else if refusal == .unsupported {
      // It is not silent: nothing of what it sends can become a picture.
      shared.counter.add(\.stalls)
      let error = CaptureError.undecodable(mode)
      if shared.status.error != error { log.warning(error.message) }
      shared.set(.failed(error.message), error: error)
    } else {
      shared.counter.add(\.stalls)
      if shared.status.state != .stalled { log.warning("the camera has stopped without a word") }
      shared.set(.stalled)
    }
    climb()
  }

  /// A call on the device failed.
  func fail(_ error: SystemError) {
    guard case .open = phase else { return }
    shared.counter.add(\.errors)
    if error.isGone {
      log.warning("the camera is gone", [("error", error.description)])
      close()
      shared.set(
        .absent,
        error: CaptureError(.noCamera, "the camera was unplugged; plug it in again", cause: error))
      attempts = 0
      wait()
    } else {
      log.warning("the camera failed", [("error", error.description)])
      let words = "the camera failed while it streamed: \(error.reason)"
      shared.set(.failed(error.reason), error: CaptureError(.failed, words, cause: error))
      climb()
    }
  }

  /// Takes the next step of the ladder.
  private func climb() {
    attempts += 1
    shared.counter.add(\.recoveries)
    switch attempts {
    case 1:
      do {
        try device.restart()
        toSkip = device.warmsUp ? options.skippedFrames : 0
        resetClocks()
      } catch {
        if error.isGone {
          fail(error)
        } else {
          renegotiate()
        }
      }
    case 2: renegotiate()
    default:
      close()
      wait()
    }
  }

  /// Negotiates again on the open device; opens it again when that does not work.
  func renegotiate() {
    shared.ring.clear()
    do {
      mode = try device.renegotiate()
      started()
    } catch {
      close()
      refused(error)
    }
  }

  /// The device could not be opened.
  private func refused(_ error: CaptureError) {
    attempts += 1
    var state = CameraState.failed(error.message)
    switch error.code {
    case .noCamera: state = .absent
    case .busy: state = .busy(by: error.holder)
    case .noSignal: state = .noSignal
    case .denied:
      let now = system.monotonicTime()
      let since = deniedSince ?? now
      deniedSince = since
      // The node of a camera that was just plugged in belongs to root for some milliseconds.
      let isNew = shared.status.state == .absent || shared.status.mode != nil
      state = isNew && now - since < CaptureLoop.permissionGrace ? .absent : .denied
    default: break
    }
    if shared.status.state != state {
      log.info(error.message, logFields(error))
      shared.counter.add(\.errors)
    }
    shared.set(state, error: error)
    // Without the watch for new nodes, the camera is found by short pauses only.
    if state == .absent, watch == nil { attempts = min(attempts, 1) }
    wait()
  }

  private func logFields(_ error: CaptureError) -> [(String, String)] {
    error.cause.map { [("error", $0.description)] } ?? []
  }

  /// Closed for a while: 0.1 s at first, doubling to 2 s, or more where somebody tells of cameras.
  private func wait() {
    let doublings = min(max(attempts - 1, 0), 6)
    let longest =
      switch shared.status.state {
      // A cable that is put in says nothing as long as the device is closed.
      case .noSignal: CaptureLoop.longestSilence
      case .absent where watch != nil: CaptureLoop.longestAbsence
      default: CaptureLoop.longestWait
      }
    let full = min(CaptureLoop.shortestWait * (1 << doublings), longest)
    let pause = max(full * jitter(), CaptureLoop.shortestWait)
    phase = .closed(until: system.monotonicTime() + pause)
  }
}

extension CaptureError {
  /// What is said of a camera whose every frame is of a kind that no decoder takes.
  static func undecodable(_ mode: CameraMode) -> CaptureError {
    CaptureError(
      .noMode,
      "the camera's \(mode.format) pictures are coded in a way that no photo can be made of; set "
        + "another 'camera.format' or 'camera.size', or choose another camera")
  }
}

extension SystemError {
  /// Whether the device itself is gone: ENODEV, ENXIO, or a closed descriptor's EBADF.
  var isGone: Bool { [Errno.noDevice, Errno.noSuchDevice, Errno.notAFile].contains(errno) }
}
