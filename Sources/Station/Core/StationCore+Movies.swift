import ImagePicker
import Movies
import Platform

// The effects of the picker's machine that concern movies.
extension StationCore {
  func record(
    _ candidate: CandidateID, _ session: SessionID, _ moment: PickerInstant, _ maximum: Duration
  ) {
    let moment = MonotonicTime(moment)
    let exposure = Exposure(candidate: candidate, session: session, press: moment, moment: moment)
    movies?.record(exposure, maximum: maximum, in: studio) { [weak self] result in
      self?.perform { core in
        switch result {
        case .success(let summary):
          let reason = core.explain(summary, session)
          core.send(.recordingEnded(candidate, reason), session: session)
        case .failure(let reason):
          core.log.warning("session \(session.rawValue): no movie: \(reason.operatorMessage)")
          core.send(.captureFailed(candidate, reason), session: session)
        }
      }
    }
    if movies == nil { send(.captureFailed(candidate, PickerReason(.moviesUnavailable))) }
  }

  /// Returns the event of a press of the key or button for movies.
  ///
  /// Between sessions, the function first begins a session for movies.
  func recordingEvent(at time: MonotonicTime) -> PickerMachine.Event {
    if case .recording = machine.state { return .stopRecording }
    if !machine.isOccupied {
      send(
        .begin(PickerMachine.Request(mediaTypes: [.image, .movie], captureMode: .video)), at: time)
    }
    return .startRecording
  }

  /// Begins a session that may record movies, if none is present, for a page that asks for one.
  ///
  /// Throws the reason when the camera, the storage or the encoder prevents it.
  func prepareRecording() throws(CoreRefusal) {
    guard !machine.isOccupied else { return }
    let conditions = machine.conditions
    let reason = conditions.camera.reason ?? conditions.storage.reason ?? conditions.movies.reason
    if let reason {
      recordRefusal(reason)
      throw .refused(reason)
    }
    send(.begin(PickerMachine.Request(mediaTypes: [.image, .movie])))
  }

  /// Returns the reason of a movie's early end, or `nil` when the movie ended as requested.
  private func explain(_ summary: MovieSummary, _ session: SessionID) -> PickerReason? {
    log.info(
      "movie: \(summary.frames) frames, \(summary.end.rawValue)",
      [
        ("session", "\(session.rawValue)"), ("ms", "\(Int(summary.duration.milliseconds))"),
        ("lost", "\(summary.framesLost)"), ("bytes", "\(summary.bytes)"),
      ])
    let why: String
    switch summary.end {
    case .stopped, .maximum: return nil
    case .cameraLost: why = "the camera gave no more frames"
    case .full: why = summary.problem ?? "the disk is full"
    case .failed: why = summary.problem ?? "the encoder failed"
    }
    let reason = PickerReason(
      .movieCutShort,
      problem: AccessProblem(
        subject: "the station", object: "the movie", cause: "it ended early: \(why)",
        fix: "look after the camera and the disk; 'retake doctor' tests both"))
    recordRefusal(reason)
    log.warning("session \(session.rawValue): \(reason.operatorMessage)")
    return reason
  }

  /// Takes a photo at a moment of a movie, which is saved or discarded together with the movie.
  func addStill(_ movie: CandidateID, _ session: SessionID, _ moment: PickerInstant) {
    let moment = MonotonicTime(moment)
    store.addStill(
      Exposure(candidate: movie, session: session, press: moment, moment: moment), in: studio
    ) { [weak self] result in
      guard case .failure(let reason) = result else { return }
      self?.perform { core in
        core.recordRefusal(reason)
        core.log.warning(
          "session \(session.rawValue): no photo beside the movie: \(reason.operatorMessage)")
      }
    }
  }

  /// Whether frames are kept for a movie that may begin.
  var wantsMovies: Bool {
    guard machine.session?.request.allowsMovies == true else { return false }
    switch machine.state {
    case .live, .recording, .capturing, .reviewing: return true
    default: return false
    }
  }
}

extension PhotoReport {
  /// Creates the report of a movie that is not saved yet.
  init(
    _ summary: MovieSummary, camera: String, press: MonotonicTime, moment: MonotonicTime,
    delay: Duration
  ) {
    self.init(
      path: "", camera: camera, sequence: 0, pressNanoseconds: press.nanoseconds,
      momentNanoseconds: moment.nanoseconds, frameNanoseconds: summary.start.nanoseconds,
      frameClock: "driver",
      deltaMilliseconds: (((summary.start - delay - moment).milliseconds * 1000).rounded() / 1000),
      width: summary.size.width, height: summary.size.height, trimmedPixels: 0, framesRejected: 0,
      warning: nil)
    movie = MovieReport(summary)
  }
}
