import CLinux
import Glibc
import Synchronization

/// A thread that waits for descriptors, timers and jobs, and runs their handlers in turn.
///
/// A stream of jobs delays neither descriptors nor timers. Each round runs a share of the jobs,
/// then the handlers of all ready descriptors, then the timers that are due.
///
/// The loop is a serial executor, so that an actor can be isolated to it: the actor's code runs on
/// this thread only. Handlers and jobs must not block; blocking work needs a loop of its own. All
/// calls may come from any thread.
public final class EventLoop: SerialExecutor, Sendable {
  /// The identity of a watch or a timer, for ``cancel(_:)``.
  public struct Token: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  private struct Watch {
    let fd: Int32
    let events: Int16
    let isOnce: Bool
    let handler: @Sendable (Int16) -> Void
  }

  private struct Timer {
    let deadline: MonotonicTime
    let handler: @Sendable () -> Void
  }

  private enum Job: Sendable {
    case task(UnownedJob)
    case closure(@Sendable () -> Void)
  }

  private struct Shared {
    var jobs: [Job] = []
    var watches: [UInt64: Watch] = [:]
    var timers: [UInt64: Timer] = [:]
    var lastToken: UInt64 = 0
    var watchesChanged = true
    var isStopping = false
    var thread: Thread?
  }

  private let shared = Mutex(Shared())
  private let bell: Bell
  private let system: any SystemCalls
  private let name: String

  /// Starts the thread under `name`, of which the kernel keeps 15 bytes.
  public init(_ name: String, system: any SystemCalls) throws(SystemError) {
    self.name = name
    self.system = system
    bell = try Bell(system: system)
    let thread = try Thread(name) { [self] in run() }
    shared.withLock { $0.thread = thread }
  }

  /// Runs `body` on the loop, after the jobs that are queued already.
  public func submit(_ body: @escaping @Sendable () -> Void) { add(.closure(body)) }

  /// Calls `handler` with the events of `poll(2)` whenever `fd` has one of `events`.
  ///
  /// The caller must keep the descriptor open until the watch is cancelled. Errors and hang-ups are
  /// always reported.
  @discardableResult
  public func watch(
    _ fd: Int32, for events: Int32 = POLLIN, _ handler: @escaping @Sendable (Int16) -> Void
  ) -> Token {
    add(Watch(fd: fd, events: Int16(events), isOnce: false, handler: handler))
  }

  /// Calls `handler` with the events of `poll(2)` the first time that `fd` has one of `events`.
  @discardableResult
  public func watchOnce(
    _ fd: Int32, for events: Int32 = POLLIN, _ handler: @escaping @Sendable (Int16) -> Void
  ) -> Token {
    add(Watch(fd: fd, events: Int16(events), isOnce: true, handler: handler))
  }

  private func add(_ watch: Watch) -> Token {
    let token = shared.withLock { shared in
      shared.lastToken += 1
      shared.watches[shared.lastToken] = watch
      shared.watchesChanged = true
      return Token(number: shared.lastToken)
    }
    wake()
    return token
  }

  /// Calls `handler` once, at `deadline` or later.
  @discardableResult
  public func schedule(
    at deadline: MonotonicTime, _ handler: @escaping @Sendable () -> Void
  ) -> Token {
    let token = shared.withLock { shared in
      shared.lastToken += 1
      shared.timers[shared.lastToken] = Timer(deadline: deadline, handler: handler)
      return Token(number: shared.lastToken)
    }
    wake()
    return token
  }

  /// Ends a watch or a timer; a token that has ended already is ignored.
  ///
  /// After a call on the loop itself, the handler is not called any more.
  public func cancel(_ token: Token) {
    let wasWatch = shared.withLock { shared in
      shared.timers[token.number] = nil
      guard shared.watches.removeValue(forKey: token.number) != nil else { return false }
      shared.watchesChanged = true
      return true
    }
    if wasWatch { wake() }
  }

  /// Runs the queued jobs, ends the thread and blocks until it has ended.
  ///
  /// For loops whose jobs never do I/O; see ``stop(within:)``. A call on the loop itself does not
  /// wait.
  public func stop() {
    if let thread = end(), !thread.isCurrent { thread.join() }
  }

  /// Runs the queued jobs, ends the thread and blocks until it has ended, for at most `limit`.
  ///
  /// A thread that hangs in a job is abandoned. A call on the loop itself does not wait.
  ///
  /// - Returns: Whether the thread has ended, or was stopped before.
  @discardableResult
  public func stop(within limit: Duration) -> Bool {
    guard let thread = end(), !thread.isCurrent else { return true }
    return thread.join(within: limit)
  }

  private func end() -> Thread? {
    let thread = shared.withLock { shared in
      shared.isStopping = true
      defer { shared.thread = nil }
      return shared.thread
    }
    wake()
    return thread
  }

  // MARK: Executor

  /// Queues a job of an actor that is isolated to the loop.
  public func enqueue(_ job: consuming ExecutorJob) { add(.task(UnownedJob(job))) }

  /// Returns the loop as Swift's runtime needs it.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  /// Traps off the loop's thread, so that handlers can assume the actor's isolation.
  public func checkIsolated() {
    precondition(isCurrent, "not on the event loop \(name)")
  }

  /// Whether the caller runs on the loop's thread.
  public var isCurrent: Bool {
    loopIdentity == ObjectIdentifier(self)
  }

  // A thread-local value, because the thread's handle is unknown when the thread starts to run.
  private var loopIdentity: ObjectIdentifier? { LoopIdentity.current }

  // MARK: The thread

  private func add(_ job: Job) {
    let wasEmpty = shared.withLock { shared in
      shared.jobs.append(job)
      return shared.jobs.count == 1
    }
    if wasEmpty { wake() }
  }

  private func wake() {
    // The loop itself checks all sources before it sleeps.
    guard LoopIdentity.current != ObjectIdentifier(self) else { return }
    bell.ring()
  }

  /// The maximum number of jobs in one round, for which descriptors and timers have to wait.
  private static let jobsOfRound = 64

  // Each round has a share for jobs, descriptors and timers, so that none of them starves.
  private func run() {
    LoopIdentity.current = ObjectIdentifier(self)
    var fds = [pollfd(fd: bell.number, events: Int16(POLLIN), revents: 0)]
    var tokens: [UInt64] = [0]
    // The jobs that were taken from the queue and have not run, newest first.
    var jobs: [Job] = []
    while true {
      if jobs.isEmpty {
        jobs = shared.withLock { shared in
          defer { shared.jobs = [] }
          return shared.jobs
        }
        jobs.reverse()
      }
      for _ in 0..<EventLoop.jobsOfRound {
        guard let job = jobs.popLast() else { break }
        perform(job)
      }
      let hasTakenAll = jobs.isEmpty
      let (watches, deadline, hasJobs, isStopping) = shared.withLock { shared in
        defer { shared.watchesChanged = false }
        return (
          shared.watchesChanged ? shared.watches : nil, shared.timers.values.map(\.deadline).min(),
          !hasTakenAll || !shared.jobs.isEmpty, shared.isStopping
        )
      }
      if isStopping, !hasJobs { return }
      if let watches {
        fds.removeLast(fds.count - 1)
        tokens.removeLast(tokens.count - 1)
        for (token, watch) in watches {
          fds.append(pollfd(fd: watch.fd, events: watch.events, revents: 0))
          tokens.append(token)
        }
      }
      let patience = hasJobs ? 0 : timeout(until: deadline)
      let ready = fds.withUnsafeMutableBufferPointer { system.poll($0, patience) }
      if ready > 0 {
        if fds[0].revents != 0 { bell.answer() }
        for index in fds.indices.dropFirst() where fds[index].revents != 0 {
          // The watch is looked up again, because an earlier handler of this round may have
          // cancelled it.
          let watch = shared.withLock { shared in
            let watch = shared.watches[tokens[index]]
            if watch?.isOnce == true {
              shared.watches[tokens[index]] = nil
              shared.watchesChanged = true
            }
            return watch
          }
          watch?.handler(fds[index].revents)
        }
      }
      fireTimers()
    }
  }

  private func perform(_ job: Job) {
    switch job {
    case .task(let job): job.runSynchronously(on: asUnownedSerialExecutor())
    case .closure(let body): body()
    }
  }

  private func fireTimers() {
    let now = system.monotonicTime()
    let due = shared.withLock { shared in
      shared.timers.filter { $0.value.deadline <= now }.sorted {
        ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key)
      }
    }
    for (token, _) in due {
      let timer = shared.withLock { $0.timers.removeValue(forKey: token) }
      timer?.handler()
    }
  }

  private func timeout(until deadline: MonotonicTime?) -> Int32 {
    guard let deadline else { return -1 }
    let left = (deadline - system.monotonicTime()).nanoseconds
    guard left > 0 else { return 0 }
    // Rounded up, so that a timer is never early and the loop does not spin for the last
    // millisecond.
    return Int32(clamping: (left - 1) / 1_000_000 + 1)
  }
}

/// The identity of the current thread's loop, if it is a loop's.
private enum LoopIdentity {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  static var current: ObjectIdentifier? {
    get {
      guard let pointer = pthread_getspecific(key) else { return nil }
      return ObjectIdentifier(Unmanaged<EventLoop>.fromOpaque(pointer).takeUnretainedValue())
    }
    set {
      guard let newValue else { return }
      pthread_setspecific(key, UnsafeRawPointer(bitPattern: UInt(bitPattern: newValue)))
    }
  }
}

extension EventLoop {
  /// Runs `body` on the loop and returns its result; a `body` that blocks needs a loop of its own.
  public func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      submit { continuation.resume(returning: body()) }
    }
  }
}
