import CLinux
import Glibc
import Platform
import Synchronization

/// Brings photos to the directories that want copies, on a thread of its own for each.
///
/// A thread may hang in its disk: it is never waited for, and ``DiskWorkers`` replaces it.
///
/// The queue is the catalog: whatever has no row for a target waits for it. So it needs nothing to
/// survive a power cut, and a stick that returns catches up by itself.
final class Copier: Sendable {
  let catalog: Catalog
  let targets: [String]
  let system: any SystemCalls
  private let media: DiskWorkers
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
    /// When what failed is tried again.
    var retries: [String: Retry] = [:]
    /// Until when deletions rest that failed, and why.
    var removals: [String: (due: MonotonicTime, words: String)] = [:]
    /// What was said lately.
    var said: [String: MonotonicTime] = [:]
  }
  let state: Mutex<State>

  init(
    catalog: Catalog, targets: [String], media: DiskWorkers = DiskWorkers(), system: any SystemCalls
  ) {
    self.catalog = catalog
    self.targets = targets
    self.media = media
    self.system = SteppedSystemCalls(system)
    state = Mutex(
      State(
        states: targets.map { CopyState(path: $0, state: "absent") }))
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

  private static func silence(_ path: String) -> String {
    "\(LibraryError.silence(path)); \(LibraryError.silenceFix)"
  }

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

  /// Deletes what is due on the targets that are there, and waits for that; a target whose disk does
  /// not answer is left for later.
  func removeOnly() {
    for (index, path) in targets.enumerated() {
      var words: String?
      do throws(MediumSilence) {
        // A look first, since a disk that hangs is given up sooner than one that writes.
        words = try worker(index).run(.init(step: media.patience)) { [self] _ in
          removal(from: path, deletes: false)
        }
        if words == nil {
          words = try worker(index).run(media.copying) { [self] _ in
            removal(from: path, deletes: true)
          }
        }
      } catch {
        words = LibraryError(error).message
      }
      if let words, !words.isEmpty {
        log.warning("copies in \(path) could not be deleted yet: \(words)")
      }
    }
  }

  // Why copies could not be deleted; empty where the target is away, nil where there is no reason.
  private func removal(from path: String, deletes: Bool) -> String? {
    do throws(SystemError) {
      guard let target = try CopyTarget.find(path, besides: catalog.root, system) else { return "" }
      guard deletes else { return nil }
      do throws(LibraryError) {
        return try remove(from: target).failure?.words
      } catch {
        return error.message
      }
    } catch {
      return CopyFailure(.target, error, at: path).words
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

  /// Does for one directory what is due.
  func serve(_ index: Int) {
    let path = targets[index]
    guard !state.withLock({ $0.isStopping }) else { return }
    do throws(CopyRefusal) {
      guard let target = try CopyTarget.open(path, besides: catalog.root, system) else {
        note(index, "absent", nil, nil)
        return
      }
      do throws(LibraryError) {
        try catalog.note(target: target.identity, at: path)
        try bring(index, target)
      } catch {
        blameLibrary(index, error)
      }
    } catch {
      switch error {
      case .failed(let cause): fail(index, CopyFailure(.target, cause, at: path))
      case .library(let cause): blameLibrary(index, cause)
      case .unfit(let words): note(index, "refused", nil, words)
      }
    }
  }

  // The directory that copies go to is not to blame.
  private func blameLibrary(_ index: Int, _ error: LibraryError) {
    let words = "copies to \(targets[index]) wait for the library: \(error.message)"
    note(index, "waiting", nil, words)
  }
}
