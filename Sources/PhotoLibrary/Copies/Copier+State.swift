import Platform

/// The states of the copies, as the station reports them.
extension Copier {
  /// Sets the state of a target after a failed call; all its photos wait.
  func fail(_ index: Int, _ failure: CopyFailure) {
    guard !failure.isCancelled else { return }
    let path = targets[index]
    switch LibraryError.Code(errno: failure.errno) {
    case .gone: note(index, "absent", nil, nil)
    case .full: note(index, "full", nil, "\(path) is full: empty it, or plug in a larger one")
    default: note(index, "failing", nil, failure.words)
    }
  }

  /// Sets a target's state, and logs it if it is new.
  func note(_ index: Int, _ name: String, _ counts: CopyCounts?, _ fix: String?) {
    // An abandoned job, or one that still runs at the end, does not know the target's present
    // state.
    guard AbandonableWorker.Step.current?.isWanted != false,
      !state.withLock({ $0.isStopping })
    else { return }
    let now = system.monotonicTime()
    let words = fix ?? "\(targets[index]): \(name)"
    let (before, isNews) = state.withLock { state -> (String, Bool) in
      defer {
        state.states[index].state = name
        state.states[index].fix = fix
        if let counts {
          state.states[index].waiting = counts.waiting
          state.states[index].refused = counts.refused
          state.states[index].failed = counts.failed
        }
      }
      let old = state.states[index]
      guard old.state != name || old.fix != fix else { return (old.state, false) }
      // A state that returns often is logged once a minute.
      state.said = state.said.filter { now < $0.value }
      guard state.said[words] == nil else { return (old.state, false) }
      state.said[words] = now + .seconds(60)
      return (old.state, true)
    }
    guard isNews else { return }
    if let fix {
      log.warning("copies: \(fix)")
    } else if name == "absent" || before == "absent" {
      log.notice("copies to \(targets[index]): \(name)")
    }
  }

  /// Returns the operator's fix for photos that are missing in a sound target; nil if there are
  /// none.
  func fix(_ target: borrowing CopyTarget, _ counts: CopyCounts) -> String? {
    var words: [String] = []
    let key = key(target.identity)
    let (failure, removal) = state.withLock { ($0.retries[key]?.words, $0.removals[key]?.words) }
    if counts.refused > 0, let mirror = state.withLock({ $0.mirrors[key] }) {
      words.append(
        "\(mirror) shows the library's own album by another file system, and nothing there would be "
          + "a copy: name a directory on another disk in 'copy.to'")
    } else if counts.refused > 0 {
      words.append(
        "\(counts.refused) photos are not in \(target.path): other pictures have their names "
          + "there (move those away; within a quarter of an hour the photos are copied), or they "
          + "are damaged; give each station a directory of its own, and see 'retake photos verify'")
    }
    if counts.failed > 0 {
      let photos = counts.failed == 1 ? "1 photo is" : "\(counts.failed) photos are"
      words.append(
        "\(photos) not in \(target.path) yet, and tried again: \(failure ?? "see the log")")
    }
    if let removal { words.append("some copies could not be deleted yet: \(removal)") }
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }
}
