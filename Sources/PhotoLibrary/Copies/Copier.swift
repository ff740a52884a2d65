import CLinux
import Glibc
import Platform
import Synchronization

/// Brings photos to the directories that want copies, on a thread of its own for each.
///
/// A thread may hang in its disk: it is never waited for, and ``Media`` replaces it.
///
/// The queue is the catalog: whatever has no row for a target waits for it. So it needs nothing to
/// survive a power cut, and a stick that returns catches up by itself.
final class Copier: Sendable {
  let catalog: Catalog
  private let targets: [String]
  let system: any SystemCalls
  private let media: Media
  let log = Log("copies")

  struct State: Sendable {
    var states: [CopyState]
    /// The targets that will be looked at.
    var queued: Set<Int> = []
    var isPaused = false
    var isStopping = false
    /// The last row that was looked at, by catalog and target.
    var caughtUp: [String: Int64] = [:]
    /// How far the look at what was copied before is.
    var checks: [String: Check] = [:]
    /// What was said lately.
    var said: [String: MonotonicTime] = [:]
  }
  let state: Mutex<State>

  init(
    catalog: Catalog, targets: [String], media: Media = Media(), system: any SystemCalls
  ) {
    self.catalog = catalog
    self.targets = targets
    self.media = media
    self.system = SteppedSystemCalls(system)
    state = Mutex(
      State(
        states: targets.map { CopyState(path: $0, state: "absent", waiting: nil, refused: 0) }))
  }

  private func worker(_ index: Int) -> AbandonableWorker {
    media.worker("copier", for: targets[index])
  }

  /// How the copies stand; a directory whose disk hangs says so before its thread is given up.
  var states: [CopyState] {
    var states = state.withLock { $0.states }
    for index in targets.indices {
      guard let silence = worker(index).silence, silence >= media.patience else { continue }
      (states[index].state, states[index].fix) = ("silent", Copier.silence(targets[index]))
    }
    return states
  }

  private static func silence(_ path: String) -> String { LibraryError.silence(path) }

  func pause(_ isPaused: Bool) {
    state.withLock { $0.isPaused = isPaused }
    if !isPaused { look() }
  }

  /// Looks whether there is something to do; never waits.
  func look() {
    for index in targets.indices {
      let isNew = state.withLock { state in
        !state.isStopping && state.queued.insert(index).inserted
      }
      guard isNew else { continue }
      worker(index).submit(media.copying) { [weak self] _ in
        guard let self else { return }
        state.withLock { _ = $0.queued.remove(index) }
        serve(index)
      } then: { [weak self] result in
        guard let self, case .failure = result else { return }
        state.withLock { _ = $0.queued.remove(index) }
        note(index, "silent", nil, Copier.silence(targets[index]))
      }
    }
  }

  /// Begins nothing any more, and ends what runs at its next step.
  ///
  /// It waits for no thread: a disk may hold one for ever. What a thread still does is of no harm:
  /// rows that it writes are true, and no other station writes its files.
  func stop() { state.withLock { $0.isStopping = true } }

  /// Deletes what is due on the targets that are there, on the caller's thread.
  func removeOnly() {
    for path in targets {
      guard let target = (try? CopyTarget.open(path, besides: catalog.root, system)) ?? nil else {
        continue
      }
      if let failure = (try? remove(from: target)) ?? nil {
        log.warning("copies in \(path) could not be deleted yet: \(failure)")
      }
    }
  }

  func settle() async {
    for index in targets.indices { try? await worker(index).run(media.copying) { _ in } }
  }

  // MARK: - On the thread

  /// Rows of a catalog that was made anew have other numbers.
  func key(_ target: String) -> String { "\(catalog.replacements)/\(target)" }

  var mayGoOn: Bool {
    state.withLock { !$0.isPaused && !$0.isStopping }
      && AbandonableWorker.Step.current?.isWanted != false
  }

  private func serve(_ index: Int) {
    let path = targets[index]
    guard !state.withLock({ $0.isStopping }) else { return }
    do throws(SystemError) {
      guard let target = try CopyTarget.open(path, besides: catalog.root, system) else {
        note(index, "absent", nil, nil)
        return
      }
      do throws(LibraryError) {
        try catalog.note(target: target.identity, at: path)
        try bring(index, target)
      } catch {
        // Of the catalog or of a photo: the target is not to blame.
        note(index, "failing", nil, "copies to \(path) wait: \(error.message)")
      }
    } catch {
      guard error.errno != ECANCELED else { return }
      let code = LibraryError.Code(errno: error.errno)
      if code == .gone { return note(index, "absent", nil, nil) }
      let fix =
        code == .full
        ? "\(path) is full: empty it, or plug in a larger one"
        : LibraryError(error, at: path).message
      note(index, code == .full ? "full" : "failing", nil, fix)
    }
  }

  private func bring(
    _ index: Int, _ target: borrowing CopyTarget
  ) throws(LibraryError) {
    let failure = try remove(from: target)
    if let failure { return fail(index, failure) }
    let key = key(target.identity)
    // It may have been away, and come back with less than it had.
    state.withLock { state in
      if state.states[index].state == "absent" { state.checks[key] = nil }
    }
    let check = try check(target)
    if let failure = check.failure { return fail(index, failure) }
    // Rows below are done, or have no photo any more: no need to look through them every time.
    let known = state.withLock { $0.caughtUp[key] }
    var last = known ?? 0
    while mayGoOn {
      let entries = try catalog.waiting(for: target.identity, after: last, limit: 16)
      guard let end = entries.last else { break }
      // Not a disk to blame that copies go to.
      try checkLibrary()
      note(index, "copying", try catalog.countCopies(target.identity), nil)
      if let failure = try copy(entries, to: target) { return fail(index, failure) }
      if mayGoOn { last = end.id }
    }
    let hasMore = !mayGoOn
    let before = state.withLock { state in
      state.caughtUp[key] = last
      return state.states[index]
    }
    if known == last, !check.isNews, before.state == "ready" || hasMore { return }
    let counts = try catalog.countCopies(target.identity)
    note(
      index, "ready", counts,
      counts.refused == 0
        ? nil
        : "\(counts.refused) photos are not in \(target.path): other pictures have their names "
          + "there (move those away; within a quarter of an hour the photos are copied), or they "
          + "are damaged; give each station a directory of its own, and see `retake photos verify`")
  }

  private func checkLibrary() throws(LibraryError) {
    let fd = system.open(catalog.root, clinux_o_directory | clinux_o_path, 0)
    if fd >= 0 {
      _ = system.close(fd)
      return
    }
    let root = catalog.root
    throw LibraryError(SystemError(errno: 0 - fd, call: "open", path: root), at: root)
  }

  // Copies some photos, and syncs their names together before they count as copied.
  private func copy(
    _ entries: [CatalogEntry], to target: borrowing CopyTarget
  ) throws(LibraryError) -> SystemError? {
    var done: [(Int64, CopyRow)] = []
    var failure: SystemError?
    do throws(SystemError) {
      for entry in entries where mayGoOn {
        let photo = entry.photo
        // Without it there is nothing to copy, and the target is not to blame.
        let opened = system.open(
          "\(catalog.root)/\(photo.album)", clinux_o_directory | clinux_o_path, 0)
        guard opened >= 0 else { continue }
        let source = Descriptor(owning: opened, system: system)
        guard let album = try target.album(photo.album) else { continue }
        let place = "\(target.path)/\(photo.album)"
        let copying = FileCopy(system: system, mayGoOn: { self.mayGoOn })
        let result = try copying.copy(
          photo.name, from: source.number, to: album.number, path: place,
          expected: entry.checksum)
        switch result {
        case .copied, .present:
          try system.check(system.retrying { $0.fsync(album.number) }, "fsync", place)
          done.append((entry.id, .copied))
        case .conflict:
          log.warning(
            "\(place)/\(photo.name) is another picture, and is left as it is: move it away, and "
              + "the photo is copied")
          done.append((entry.id, .conflict))
        case .damaged:
          log.error(
            "\(photo.path) is not what was saved, and is not copied: `retake photos verify` says "
              + "where a whole copy may be")
          done.append((entry.id, .damaged))
        case .gone: break
        }
      }
    } catch {
      failure = error
    }
    for (id, row) in done { try catalog.note(row, of: id, in: target.identity) }
    return failure
  }

  private func remove(
    from target: borrowing CopyTarget
  ) throws(LibraryError) -> SystemError? {
    for removal in try catalog.removals(in: target.identity) {
      // A deletion that a power cut prevented is none.
      if isThere(removal) {
        try catalog.forget(removal, in: target.identity)
        continue
      }
      do throws(SystemError) {
        if let album = try target.album(removal.album, makes: false) {
          let result = system.unlinkat(album.number, removal.name)
          if result != -Errno.noEntry {
            try system.check(result, "unlink", "\(target.path)/\(removal.album)/\(removal.name)")
          }
          try system.check(system.retrying { $0.fsync(album.number) }, "fsync", target.path)
        }
      } catch {
        return error
      }
      try catalog.forget(removal, in: target.identity)
    }
    return nil
  }

  private func isThere(_ removal: CopyRemoval) -> Bool {
    let fd = system.open("\(catalog.root)/\(removal.album)/\(removal.name)", clinux_o_path, 0)
    if fd >= 0 { _ = system.close(fd) }
    return fd != -Errno.noEntry
  }

  private func fail(_ index: Int, _ error: SystemError) {
    guard error.errno != ECANCELED else { return }
    let path = targets[index]
    switch LibraryError.Code(errno: error.errno) {
    case .gone: note(index, "absent", nil, nil)
    case .full: note(index, "full", nil, "\(path) is full: empty it, or plug in a larger one")
    default: note(index, "failing", nil, LibraryError(error, at: path).message)
    }
  }

  private func note(
    _ index: Int, _ name: String, _ counts: (waiting: Int, refused: Int)?, _ fix: String?
  ) {
    // What was given up says nothing of how its directory stands now, nor what runs on at the end.
    guard AbandonableWorker.Step.current?.isWanted != false,
      !state.withLock({ $0.isStopping })
    else { return }
    let now = LinuxSystemCalls().monotonicTime()
    let words = fix ?? "\(targets[index]): \(name)"
    let (before, isNews) = state.withLock { state -> (String, Bool) in
      defer {
        state.states[index].state = name
        state.states[index].fix = fix
        if let counts {
          state.states[index].waiting = counts.waiting
          state.states[index].refused = counts.refused
        }
      }
      let old = state.states[index]
      guard old.state != name || old.fix != fix else { return (old.state, false) }
      // What comes and goes all the time is said once a minute.
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
}
