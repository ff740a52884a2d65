import Platform

/// Tries again what failed: each photo and each target by itself, later and later.
extension Copier {
  /// How long a target's failed photos rest after the first time.
  static let firstDelay = Duration.seconds(15)
  /// How long they rest at most.
  static let maximumDelay = Duration.seconds(15 * 60)

  /// When a target's failed photos are tried again.
  struct Retry: Sendable {
    var due: MonotonicTime
    var delay: Duration
    /// The last one that this pass has tried.
    var last: Int64 = 0
    /// Whether one of this pass could be copied.
    var hasSucceeded = false
    /// Albums that this pass leaves out, since one of their photos met a fault of the whole album.
    var albums: Set<FileName> = []
    /// Whether nothing is known to have failed.
    var isIdle = false
    /// What the last failure was, for the operator.
    var words: String
  }

  /// Remembers that something failed, so that it is tried again.
  func record(_ failure: CopyFailure, _ key: String) {
    let now = system.monotonicTime()
    state.withLock { state in
      let new = Retry(
        due: now + Copier.firstDelay, delay: Copier.firstDelay, words: failure.words)
      if state.retries[key]?.isIdle ?? true { state.retries[key] = new }
      state.retries[key]?.words = failure.words
    }
  }

  /// Ends the rest of what failed: the target is another one, or was away.
  func retryAtOnce(_ key: String) {
    let now = system.monotonicTime()
    state.withLock { state in
      state.retries[key]?.due = now
      state.retries[key]?.isIdle = false
      state.removals[key] = nil
    }
  }

  /// Tries some of a target's failed photos again, when it is time to.
  ///
  /// Returns whether one was tried, and what the whole target is to blame for.
  func retry(
    _ round: Round, _ target: borrowing CopyTarget
  ) throws(LibraryError) -> (isNews: Bool, failure: CopyFailure?) {
    let now = system.monotonicTime()
    let key = key(target.identity)
    // Those of the last run are tried at once.
    let first = Retry(due: now, delay: Copier.firstDelay, words: "see the log")
    let known = state.withLock { $0.retries[key] } ?? first
    guard !known.isIdle, now >= known.due, mayGoOn else { return (false, nil) }
    let entries = try catalog.failed(
      in: target.identity, after: known.last, except: known.albums, limit: 16)
    let copied = round.copied
    let failure = try copy(entries, to: target, round)
    guard mayGoOn else { return (false, failure) }
    let end = entries.last?.id
    let (hasSucceeded, albums) = (round.copied > copied, round.failedAlbums)
    let later = system.monotonicTime()
    state.withLock { state in
      var retry = state.retries[key] ?? known
      retry.isIdle = entries.isEmpty && known.last == 0 && known.albums.isEmpty
      retry.hasSucceeded = retry.hasSucceeded || hasSucceeded
      retry.albums.formUnion(albums)
      if let end, failure == nil {
        retry.last = end
        retry.due = later
      } else {
        // The pass is over.
        retry.delay =
          retry.hasSucceeded ? Copier.firstDelay : min(retry.delay * 2, Copier.maximumDelay)
        retry.due = later + retry.delay
        (retry.last, retry.hasSucceeded, retry.albums) = (0, false, [])
      }
      state.retries[key] = retry
    }
    return (!entries.isEmpty, failure)
  }
}
