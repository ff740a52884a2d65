import Synchronization

/// The workers for removable disks, by purpose and directory.
///
/// The same purpose and directory always give the same worker. So a disk that hangs is found out
/// once, and the limit of hanging threads holds for the whole program. Safe from any thread.
public final class DiskWorkers: Sendable {
  /// A disk that does not answer.
  public struct Silent: Sendable, Equatable, Encodable {
    /// The directory.
    public var path: String
    /// The time for which the disk has not answered.
    ///
    /// Unit: milliseconds.
    public var milliseconds: Int
    /// The number of threads that hang in the disk.
    public var threads: Int
  }

  /// The time that one call to a disk may take.
  public var patience: Duration { limit.withLock { $0 } }
  private let limit: Mutex<Duration>
  private let system: any SystemCalls
  private let deadlines: EventLoop?
  private let workers = Mutex<[FileName: AbandonableWorker]>([:])
  private let isClosed = Mutex(false)

  /// Creates the workers of one station or command; each call to a disk may take `patience`.
  public init(
    patience: Duration = .seconds(12), system: any SystemCalls = LinuxSystemCalls(),
    deadlines: EventLoop? = AbandonableWorker.deadlines
  ) {
    limit = Mutex(patience)
    self.system = system
    self.deadlines = deadlines
  }

  /// Changes the time for each call to a disk, from the next job on.
  public func use(patience: Duration) { limit.withLock { $0 = patience } }

  /// The patience for reads with a waiting caller: limited for each call, and for all calls
  /// together.
  public var reading: AbandonableWorker.Patience { .init(step: patience, total: patience * 5) }

  /// The patience for copies, which have no waiting caller and sync much data.
  public var copying: AbandonableWorker.Patience { .init(step: patience * 10) }

  /// Returns the worker for `purpose` on the directory `medium`; its threads have the purpose's
  /// name.
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

  /// Refuses all further jobs and answers waiting callers; joins no thread.
  public func close() {
    isClosed.withLock { $0 = true }
    for worker in workers.withLock({ Array($0.values) }) { worker.close() }
  }
}
