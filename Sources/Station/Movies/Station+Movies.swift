import ImagePicker
import Movies
import Platform

extension Station {
  /// Finds out whether a movie could begin now; it asks the disk, so not on the loop.
  var movieCondition: PickerMachine.Condition {
    if let reason = movies.problem { return .unavailable(reason) }
    guard let library = parts.withLock({ $0.library }), let bytes = movies.mostBytes else {
      return .unavailable(PickerReason(.moviesUnavailable))
    }
    let report = StorageReport(library, longestMovie: bytes)
    return report.condition
  }

  /// Tells the picker whether a movie could begin; called whenever that may have changed.
  func checkMovies() {
    worker.submit { [weak self] in
      guard let self else { return }
      let condition = movieCondition
      parts.withLock { $0.movieCondition = condition }
      core.perform { [weak self] core in
        guard core.machine.conditions.movies != condition else { return }
        core.note(.movies, condition)
        self?.showOnPage(core)
      }
    }
  }

  /// Waits until a movie could begin; throws what is in its way.
  public func waitUntilReadyForMovies(timeout: Duration) async throws(StationError) {
    let deadline = system.monotonicTime() + timeout
    while true {
      let condition = await worker.run { [self] in movieCondition }
      parts.withLock { $0.movieCondition = condition }
      if condition == .ready {
        await core.note(.movies, condition)
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
    let (snapshot, condition) = parts.withLock { ($0.snapshot, $0.movieCondition) }
    guard let snapshot, snapshot.session == session, snapshot.state == .live,
      snapshot.request?.allowsMovies == true, condition == .ready, cameraCondition == .ready
    else { return false }
    let time = system.monotonicTime()
    core.perform { $0.send(.startRecording, at: time, session: session) }
    return true
  }

  /// Whether movies can be recorded, as last found out.
  public var recordsMovies: Bool {
    parts.withLock { $0.movieCondition } == .ready
  }
}
