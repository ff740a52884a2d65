import ImagePicker
import Movies
import Platform

extension Station {
  /// Tells the picker whether a movie could begin; called whenever that may have changed.
  func checkMovies() {
    Task { [weak self, movies] in
      let condition = await movies.findCondition()
      self?.core.perform { [weak self] core in
        guard core.machine.conditions.movies != condition else { return }
        core.record(.movies, condition)
        self?.page.assumeIsolated { $0.show() }
      }
    }
  }

  /// Waits until a movie could begin; throws what is in its way.
  public func waitUntilReadyForMovies(timeout: Duration) async throws(StationError) {
    let deadline = system.monotonicTime() + timeout
    while true {
      let condition = await movies.findCondition()
      if condition == .ready {
        await core.record(.movies, condition)
        return
      }
      // An encoder is tested first, which takes a moment; what that finds is final.
      let isFinal = condition.reason?.problem != nil
      if isFinal || system.monotonicTime() >= deadline {
        throw StationError(condition.reason ?? PickerReason(.moviesUnavailable))
      }
      try? await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Sends the start of a movie; false if that can be seen to come to nothing.
  func startMovie(_ session: SessionID) -> Bool {
    guard let snapshot = core.view.current.snapshot, snapshot.session == session,
      snapshot.state == .live, snapshot.request?.allowsMovies == true,
      movies.condition == .ready, camera.condition == .ready
    else { return false }
    let time = system.monotonicTime()
    core.perform { $0.send(.startRecording, at: time, session: session) }
    return true
  }

  /// Whether movies can be recorded, as last found out.
  public var recordsMovies: Bool { movies.condition == .ready }
}
