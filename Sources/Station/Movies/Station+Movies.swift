import ImagePicker
import Movies
import Platform

extension Station {
  /// Checks whether a movie could begin, and tells the picker if the answer has changed.
  func checkMovies() {
    Task { [weak self, movies] in
      let condition = await movies.findCondition()
      self?.core.perform { [weak self] core in
        guard core.machine.conditions.movies != condition else { return }
        core.note(.movies, condition)
        self?.page.assumeIsolated { $0.show() }
      }
    }
  }

  /// Waits up to `timeout` until a movie could begin; throws the obstacle.
  public func waitUntilReadyForMovies(timeout: Duration) async throws(StationError) {
    let deadline = system.monotonicTime() + timeout
    while true {
      let condition = await movies.findCondition()
      if condition == .ready {
        await core.note(.movies, condition)
        return
      }
      // A condition with a problem is final; one without a problem waits for the test of an
      // encoder.
      let isFinal = condition.reason?.problem != nil
      if isFinal || system.monotonicTime() >= deadline {
        throw StationError(condition.reason ?? PickerReason(.moviesUnavailable))
      }
      try? await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Sends the start of a movie; returns false when the start is certain to be refused.
  func startMovie(_ session: SessionID) -> Bool {
    guard let snapshot = core.view.current.snapshot, snapshot.session == session,
      snapshot.state == .live, snapshot.request?.allowsMovies == true,
      movies.condition == .ready, camera.condition == .ready
    else { return false }
    let time = system.monotonicTime()
    core.perform { $0.send(.startRecording, at: time, session: session) }
    return true
  }

  /// Whether movies can be recorded, as last checked.
  public var recordsMovies: Bool { movies.condition == .ready }
}
