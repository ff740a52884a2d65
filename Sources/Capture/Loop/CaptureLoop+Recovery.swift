import Platform

/// The recovery ladder: restart the stream, negotiate again, reopen the device, with growing
/// pauses.
extension CaptureLoop {
  static let longestWait = Duration.seconds(2)
  static let longestSilence = Duration.milliseconds(500)
  /// The pause for an absent camera while new nodes are watched, in case the watch misses one.
  static let longestAbsence = Duration.seconds(5)
  static let shortestWait = Duration.milliseconds(100)
  /// The number of attempts that a new node starts with, after which the next pause is 0.8 s.
  static let attemptsOfNewNode = 3
  /// The time that udev may take to set the permissions of a new node.
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

  /// Resets the loop's state after a stream has started with new buffers.
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

  /// Notes that a usable frame was published.
  func recovered(at time: MonotonicTime) {
    lastUsable = time
    attempts = 0
    (refusal, hasRefused) = (nil, false)
    if shared.status.state != .streaming { shared.set(.streaming) }
  }

  /// Handles a camera that sent no usable frame for too long.
  func stalled() {
    if device.lacksSignal() {
      shared.set(.noSignal)
      // The signal may return with other timings, so restarting with the old ones is skipped.
      attempts = max(attempts, 1)
    } else if refusal == .unsupported {
      // The camera does send frames, but none that a decoder supports.
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

  /// Handles a failed call on the device.
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

  /// Negotiates again on the open device; reopens it if that fails.
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

  /// Handles a device that could not be opened.
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
      // The node of a newly connected camera belongs to root for some milliseconds.
      let isNew = shared.status.state == .absent || shared.status.mode != nil
      state = isNew && now - since < CaptureLoop.permissionGrace ? .absent : .denied
    default: break
    }
    if shared.status.state != state {
      log.info(error.message, logFields(error))
      shared.counter.add(\.errors)
    }
    shared.set(state, error: error)
    // Without a watch for new nodes, the pauses stay short so that the camera is found soon.
    if state == .absent, watch == nil { attempts = min(attempts, 1) }
    wait()
  }

  private func logFields(_ error: CaptureError) -> [(String, String)] {
    error.cause.map { [("error", $0.description)] } ?? []
  }

  /// Pauses with the device closed, for 0.1 s at first and twice as long each time up to 2 s, or up
  /// to 5 s if new nodes are watched.
  private func wait() {
    let doublings = min(max(attempts - 1, 0), 6)
    let longest =
      switch shared.status.state {
      // While the device is closed, the driver does not report that a cable was plugged in.
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
  /// Returns the error for a camera that sends only frames which no decoder supports.
  static func undecodable(_ mode: CameraMode) -> CaptureError {
    CaptureError(
      .noMode,
      "the camera's \(mode.format) pictures are coded in a way that no photo can be made of",
      fix: "set another 'camera.format' or 'camera.size', or choose another camera")
  }
}

extension SystemError {
  /// Whether the device itself is gone: ENODEV, ENXIO, or a closed descriptor's EBADF.
  var isGone: Bool { [Errno.noDevice, Errno.noSuchDevice, Errno.notAFile].contains(errno) }
}
