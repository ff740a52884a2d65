import CLinux
import Platform

/// Copying of photos to one directory.
extension Copier {
  /// The results of one run over one directory so far.
  final class Round {
    /// The number of photos that were copied.
    var copied = 0
    /// The number of consecutive failed calls on the directory, for different photos or albums.
    var failures = 0
    /// The albums of which no photo can be copied now.
    var failedAlbums: Set<FileName> = []
    /// The first photo that did not fit, and the number of those photos.
    var full: (first: Int64, count: Int)?
    /// The number of failures that were logged.
    var logged = 0
  }

  // So many consecutive failures mean that the directory itself is at fault.
  static let maximumFailures = 3
  // After so many photos that did not fit, the next will not fit either.
  private static let maximumUnfit = 16

  /// Deletes, checks and copies what is due in one target.
  func bring(_ index: Int, _ target: borrowing CopyTarget) throws(LibraryError) {
    let round = Round()
    let key = key(target.identity)
    // A target that was away may have lost copies meanwhile.
    let wasAbsent = state.withLock { state in
      if state.states[index].state == "absent" {
        state.checks[key] = nil
        state.mirrors[key] = nil
      }
      return state.states[index].state == "absent"
    }
    if wasAbsent { retryAtOnce(key) }
    let removal = try remove(from: target)
    if removal.isFatal, let failure = removal.failure { return fail(index, failure) }
    let check = try check(target)
    if let failure = check.failure { return fail(index, failure) }
    // Photos up to this row are done or deleted, and need not be queried every time.
    let known = state.withLock { $0.caughtUp[key] }
    var last = known ?? 0
    while mayGoOn {
      let entries = try catalog.waiting(for: target.identity, after: last, limit: 16)
      guard let end = entries.last else { break }
      try checkLibrary()
      note(index, "copying", try catalog.countCopies(target.identity), nil)
      if let failure = try copy(entries, to: target, round) { return fail(index, failure) }
      if mayGoOn { last = end.id }
    }
    let retried = try retry(round, target)
    if let failure = retried.failure { return fail(index, failure) }
    let hasMore = !mayGoOn
    let reached = min(last, round.full.map { $0.first - 1 } ?? last)
    let before = state.withLock { state in
      state.caughtUp[key] = reached
      return state.states[index]
    }
    let isNews = check.isNews || retried.isNews || removal.failure != nil
    let isQuiet = before.state == "ready" && before.fix == nil
    if known == reached, !isNews, isQuiet || hasMore { return }
    let counts = try catalog.countCopies(target.identity)
    if round.full != nil {
      let words = "\(target.path) is full: empty it, or plug in a larger one"
      return note(index, "full", counts, words)
    }
    note(index, "ready", counts, fix(target, counts))
  }

  // Throws if the library is away, so that the target is not blamed for it.
  private func checkLibrary() throws(LibraryError) {
    let fd = system.open(catalog.root, clinux_o_directory | clinux_o_path, 0)
    if fd >= 0 {
      _ = system.close(fd)
      return
    }
    let root = catalog.root
    throw LibraryError(SystemError(errno: 0 - fd, call: "open", path: root), at: root)
  }

  /// Copies some photos; a failure for one of them does not stop the others.
  ///
  /// Returns a failure that makes further tries in the target useless.
  func copy(
    _ entries: [CatalogEntry], to target: borrowing CopyTarget, _ round: Round
  ) throws(LibraryError) -> CopyFailure? {
    var done: [(Int64, CopyRow)] = []
    var fatal: CopyFailure?
    let key = key(target.identity)
    for entry in entries where mayGoOn && fatal == nil {
      guard !round.failedAlbums.contains(FileName(entry.photo.album)) else {
        done.append((entry.id, .failed))
        continue
      }
      do throws(CopyFailure) {
        guard let row = try copy(entry, to: target, round) else { continue }
        done.append((entry.id, row))
        round.failures = 0
        if row == .copied { round.copied += 1 }
      } catch {
        if error.isCancelled { break }
        if error.endsRound {
          fatal = error
        } else if error.isFull {
          let count = (round.full?.count ?? 0) + 1
          round.full = (min(round.full?.first ?? entry.id, entry.id), count)
          if count >= Copier.maximumUnfit { fatal = error }
        } else {
          record(error, key)
          report(error, round)
          done.append((entry.id, .failed))
          if error.side == .target { round.failures += 1 }
          // A denied permission holds for all photos of the album.
          if error.isAboutAlbum { round.failedAlbums.insert(FileName(entry.photo.album)) }
          if round.failures >= Copier.maximumFailures { fatal = error }
        }
      }
    }
    for (id, row) in done { try catalog.note(row, of: id, in: target.identity) }
    return fatal
  }

  private func report(_ failure: CopyFailure, _ round: Round) {
    round.logged += 1
    guard round.logged <= 8 else { return }
    log.warning("not copied, and tried again: \(failure.words)")
  }

  // Copies one photo; returns nil if the photo is gone.
  //
  // The photo counts as copied only after its name is synced.
  private func copy(
    _ entry: CatalogEntry, to target: borrowing CopyTarget, _ round: Round
  ) throws(CopyFailure) -> CopyRow? {
    let photo = entry.photo
    let origin = "\(catalog.root)/\(photo.album)"
    let flags = clinux_o_directory | clinux_o_path | clinux_o_nofollow
    let opened = system.open(origin, flags, 0)
    if opened == -Errno.noEntry { return nil }
    guard opened >= 0 else {
      round.failedAlbums.insert(FileName(photo.album))
      let error = SystemError(errno: 0 - opened, call: "open", path: origin)
      throw CopyFailure(.photo, error, at: origin)
    }
    let source = Descriptor(owning: opened, system: system)
    let album = try openAlbum(photo, target, round)
    let place = target.place(of: photo)
    let folder = target.folder(of: photo)
    guard try isApart(photo, album.number, target) else {
      let key = key(target.identity)
      state.withLock { $0.mirrors[key] = folder }
      return .conflict
    }
    let copying = FileCopy(system: system, mayGoOn: { self.mayGoOn })
    let result = try copying.copy(
      photo.name, from: source.number, at: origin, to: album.number, path: folder,
      expected: entry.checksum)
    switch result {
    case .copied, .present:
      let synced = system.retrying { $0.fsync(album.number) }
      guard synced >= 0 else {
        throw CopyFailure(.target, SystemError(errno: 0 - synced, call: "fsync"), at: folder)
      }
      return .copied
    case .conflict:
      log.warning(
        "\(place) is another picture, or the photo itself, and is left as it is: move it away, and "
          + "the photo is copied")
      return .conflict
    case .damaged:
      log.error(
        "\(photo.path) is not what was saved, and is not copied: 'retake photos verify' says "
          + "where a whole copy may be")
      return .damaged
    case .gone: return nil
    }
  }

  private func isApart(
    _ photo: Photo, _ album: Int32, _ target: borrowing CopyTarget
  ) throws(CopyFailure) -> Bool {
    do throws(SystemError) {
      return try target.isApart(photo, in: album)
    } catch {
      throw CopyFailure(.target, error, at: target.folder(of: photo))
    }
  }

  private func openAlbum(
    _ photo: Photo, _ target: borrowing CopyTarget, _ round: Round
  ) throws(CopyFailure) -> Descriptor {
    do throws(SystemError) {
      guard let album = try target.album(photo.album) else {
        throw SystemError(errno: Errno.noEntry, call: "open")
      }
      return album
    } catch {
      let failure = CopyFailure(.target, error, at: "\(target.path)/\(photo.album)")
      if !failure.endsRound, !failure.isFull {
        round.failedAlbums.insert(FileName(photo.album))
      }
      throw failure
    }
  }
}
