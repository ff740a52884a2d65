import Synchronization

/// The workers for disks that come and go, by what they are for and the directory they work on.
///
/// Whoever needs the same again gets the same worker, so that what hangs is found out once, and the
/// number of threads that may hang holds for the whole program. Safe from any thread.
public final class DiskWorkers: Sendable {
  /// A disk that does not answer.
  public struct Silent: Sendable, Equatable, Encodable {
    /// The directory.
    public var path: String
    /// For how long.
    ///
    /// Unit: milliseconds.
    public var milliseconds: Int
    /// How many threads hang in it.
    public var threads: Int
  }

  /// How long one call to a disk may take.
  public var patience: Duration { limit.withLock { $0 } }
  private let limit: Mutex<Duration>
  private let system: any SystemCalls
  private let deadlines: EventLoop?
  private let workers = Mutex<[FileName: AbandonableWorker]>([:])
  private let isClosed = Mutex(false)

  /// Makes the workers of one station or command; a disk has `patience` for each call.
  public init(
    patience: Duration = .seconds(12), system: any SystemCalls = LinuxSystemCalls(),
    deadlines: EventLoop? = AbandonableWorker.deadlines
  ) {
    limit = Mutex(patience)
    self.system = system
    self.deadlines = deadlines
  }

  /// Gives each call to a disk that long from the next job on.
  public func use(patience: Duration) { limit.withLock { $0 = patience } }

  /// For what somebody waits for: some calls, and an end to all of them together.
  public var reading: AbandonableWorker.Patience { .init(step: patience, total: patience * 5) }

  /// For what nobody waits for, and syncs much.
  public var copying: AbandonableWorker.Patience { .init(step: patience * 10) }

  /// The worker for `purpose`, also its threads' name, on the directory `medium`.
  public func worker(_ purpose: String, for medium: String) -> AbandonableWorker {
    let worker = workers.withLock { workers in
      let key = FileName("\(purpose) \(medium)")
      if let known = workers[key] { return known }
      let new = AbandonableWorker(purpose, for: medium, system: system, deadlines: deadlines)
      workers[key] = new
      return new
    }
    if isClosed.withLock({ $0 }) { worker.close() }
    return worker
  }

  /// The disks that have not answered for longer than a call may take, by path.
  public var silent: [Silent] {
    var found: [FileName: Silent] = [:]
    for worker in workers.withLock({ Array($0.values) }) {
      guard let silence = worker.silence, silence >= patience else { continue }
      let known = found[FileName(worker.medium)]
      found[FileName(worker.medium)] = Silent(
        path: worker.medium,
        milliseconds: max(known?.milliseconds ?? 0, Int(silence.milliseconds)),
        threads: (known?.threads ?? 0) + max(worker.abandoned, 1))
    }
    return found.values.sorted { FileName($0.path) < FileName($1.path) }
  }

  /// Refuses everything from now on and answers those who wait; joins no thread.
  public func close() {
    isClosed.withLock { $0 = true }
    for worker in workers.withLock({ Array($0.values) }) { worker.close() }
  }
}
