import Platform

/// Retries of failed copies, with growing delays for each target.
extension Copier {
  /// The delay before a target's failed photos are tried again for the first time.
  static let firstDelay = Duration.seconds(15)
  /// The maximum delay.
  static let maximumDelay = Duration.seconds(15 * 60)

  /// The schedule of retries of a target's failed photos.
  struct Retry: Sendable {
    var due: MonotonicTime
    var delay: Duration
    /// The last photo that this pass has tried.
    var last: Int64 = 0
    /// Whether this pass copied a photo.
    var hasSucceeded = false
    /// The albums that this pass leaves out, because a failure concerned the whole album.
    var albums: Set<FileName> = []
    /// Whether no failure is known.
    var isIdle = false
    /// The last failure in words, for the operator.
    var words: String
  }

  /// Records a failure and schedules the retry.
  func record(_ failure: CopyFailure, _ key: String) {
    let now = system.monotonicTime()
    state.withLock { state in
      let new = Retry(
        due: now + Copier.firstDelay, delay: Copier.firstDelay, words: failure.words)
      if state.retries[key]?.isIdle ?? true { state.retries[key] = new }
      state.retries[key]?.words = failure.words
    }
  }

  /// Makes the retries due at once, because the target was away or is another one.
  func retryAtOnce(_ key: String) {
    let now = system.monotonicTime()
    state.withLock { state in
      state.retries[key]?.due = now
      state.retries[key]?.isIdle = false
      state.removals[key] = nil
    }
  }

  /// Retries some of a target's failed photos, if a retry is due.
  ///
  /// Returns whether a photo was tried, and a failure that concerns the whole target.
  func retry(
    _ round: Round, _ target: borrowing CopyTarget
  ) throws(LibraryError) -> (isNews: Bool, failure: CopyFailure?) {
    let now = system.monotonicTime()
    let key = key(target.identity)
    // Failures of the station's last run are tried at once.
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
