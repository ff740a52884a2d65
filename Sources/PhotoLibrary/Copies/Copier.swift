import CLinux
import Glibc
import Platform
import Synchronization

/// Copies photos to the configured directories, on a thread of its own for each.
///
/// A thread may hang in its disk. No other thread waits for it, and ``DiskWorkers`` replaces it.
///
/// The catalog is the queue: each photo without a row for a target waits for it. So the copier
/// needs no state of its own after a power cut, and a stick that returns catches up by itself.
final class Copier: Sendable {
  let catalog: Catalog
  let targets: [String]
  let system: any SystemCalls
  private let media: DiskWorkers
  let log = Log("copies")

  struct State: Sendable {
    var states: [CopyState]
    /// The targets whose job is queued.
    var queued: Set<Int> = []
    var isPaused = false
    var isStopping = false
    /// The last row that was handled, by catalog and target.
    var caughtUp: [String: Int64] = [:]
    /// The progress of the checks of older copies, by catalog and target.
    var checks: [String: Check] = [:]
    /// The schedules of the retries, by catalog and target.
    var retries: [String: Retry] = [:]
    /// The end of the pause after failed deletions, and their reason.
    var removals: [String: (due: MonotonicTime, words: String)] = [:]
    /// By target, the directory of an album that shows the library's own.
    var mirrors: [String: String] = [:]
    /// The recently logged messages, with the end of their pause.
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

  /// The states of the copies.
  ///
  /// A directory whose disk hangs is reported as silent before its thread is abandoned.
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

  /// Queues a job for each target; never blocks.
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

  /// Starts no further jobs, and ends running ones at their next step.
  ///
  /// The call waits for no thread, because a disk may block one forever. A thread that is still
  /// running does no harm: its rows are true, and no other station writes its files.
  func stop() { state.withLock { $0.isStopping = true } }

  /// Deletes the copies that are due on the present targets, and blocks until that is done.
  ///
  /// A target whose disk does not answer is left for later.
  func removeOnly() {
    for (index, path) in targets.enumerated() {
      var words: String?
      do throws(MediumSilence) {
        // The first job only reads, because a silent disk is abandoned sooner for a read than for a
        // write.
        words = try worker(index).run(.init(step: media.patience)) { [self] _ in
          removal(from: path, deletes: false)
        }
        if words == nil {
          words = try worker(index).run(media.copying) { [self] _ in
            removal(from: path, deletes: true)
          }
        }
      } catch {
        words = LibraryError(error).operatorMessage
      }
      if let words, !words.isEmpty {
        log.warning("copies in \(path) could not be deleted yet: \(words)")
      }
    }
  }

  // Returns why copies could not be deleted.
  //
  // An empty string means that the target is away, and nil that nothing went wrong.
  private func removal(from path: String, deletes: Bool) -> String? {
    do throws(SystemError) {
      guard let target = try CopyTarget.find(path, besides: catalog.root, system) else { return "" }
      guard deletes else { return nil }
      do throws(LibraryError) {
        return try remove(from: target).failure?.words
      } catch {
        return error.operatorMessage
      }
    } catch {
      return CopyFailure(.target, error, at: path).words
    }
  }

  func settle() async {
    for index in targets.indices { try? await worker(index).run(media.copying) { _ in } }
  }

  // MARK: - On the thread

  /// Returns the key of a target's state, which changes when a new catalog has other row numbers.
  func key(_ target: String) -> String { "\(catalog.replacements)/\(target)" }

  var mayGoOn: Bool {
    state.withLock { !$0.isPaused && !$0.isStopping }
      && AbandonableWorker.Step.current?.isWanted != false
  }

  /// Does all work that is due for one target.
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

  // Reports a problem of the library, for which the target is not at fault.
  private func blameLibrary(_ index: Int, _ error: LibraryError) {
    let words = "copies to \(targets[index]) wait for the library: \(error.operatorMessage)"
    note(index, "waiting", nil, words)
  }
}
