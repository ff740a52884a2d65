import Glibc
import Synchronization

/// Runs jobs one after the other on a thread that may hang in them, for a disk that may never
/// answer.
///
/// A job that makes no step within its patience is abandoned together with its thread: its caller
/// gets an error, and a later result is discarded. The next job gets another thread. At most
/// ``maxAbandoned`` abandoned threads exist; further jobs are refused at once until one of them
/// returns. After a job was abandoned, jobs are refused at once for a while, so that callers wait
/// once and not each time. Safe from any thread.
public final class AbandonableWorker: @unchecked Sendable {
  // Unchecked: `state` is used under `monitor` only.

  /// The time that a job may take.
  public struct Patience: Sendable, Equatable {
    /// The time that one call to the disk may take.
    public var step: Duration
    /// The time that the job may take in all, including its time in the queue; nil for no limit
    /// while it makes steps.
    public var total: Duration?

    /// Creates a patience.
    public init(step: Duration, total: Duration? = nil) { (self.step, self.total) = (step, total) }
  }

  /// The progress of one job, as its own thread uses it.
  public final class Step: Sendable {
    private let last: Atomic<Int64>
    private let wanted = Atomic(true)
    private let system: any SystemCalls

    init(system: any SystemCalls) {
      self.system = system
      last = Atomic(system.monotonicTime().nanoseconds)
    }

    /// Whether a caller still waits for the job's result.
    public var isWanted: Bool { wanted.load(ordering: .relaxed) }

    /// Records a step, after which the patience for the next step begins.
    public func mark() {
      last.store(system.monotonicTime().nanoseconds, ordering: .relaxed)
    }

    /// The progress of the job that the calling thread runs; nil on other threads.
    public static var current: Step? { CurrentStep.value }

    fileprivate var time: MonotonicTime {
      MonotonicTime(nanoseconds: last.load(ordering: .relaxed))
    }
    fileprivate func giveUp() { wanted.store(false, ordering: .relaxed) }
  }

  private final class Job {
    let patience: Patience
    /// Whether the job stays in the queue while the disk does not answer, since no caller waits for
    /// it.
    let isCleaning: Bool
    let queued: MonotonicTime
    let step: Step
    let body: (Step) -> () -> Void
    let giveUp: (MediumSilence) -> Void

    init(
      _ patience: Patience, _ system: any SystemCalls, isCleaning: Bool = false,
      body: @escaping (Step) -> () -> Void, giveUp: @escaping (MediumSilence) -> Void
    ) {
      self.patience = patience
      self.isCleaning = isCleaning
      self.body = body
      self.giveUp = giveUp
      step = Step(system: system)
      queued = step.time
    }

    func deadline(isRunning: Bool) -> MonotonicTime? {
      let total = patience.total.map { queued + $0 }
      guard isRunning else { return total }
      let step = step.time + patience.step
      return total.map { min($0, step) } ?? step
    }
  }

  private struct State {
    var jobs: [Job] = []
    var running: Job?
    /// The number of the thread that takes jobs; nil if there is none.
    var thread: UInt64?
    var lastThread: UInt64 = 0
    var abandoned = 0
    /// The time since which the disk has not answered; nil if it answers, as far as is known.
    var silentSince: MonotonicTime?
    var refusesUntil: MonotonicTime?
    var pause = AbandonableWorker.firstPause
    /// The time of the next check of the deadlines.
    var armed: MonotonicTime?
    var isClosed = false
  }

  /// The maximum number of threads that may hang at the same time.
  public static let maxAbandoned = 4
  /// The time that an idle thread waits for the next job before it ends.
  static let idleTime = Duration.seconds(5)
  /// The time for which jobs are refused after the first abandoned one; it doubles each time.
  static let firstPause = Duration.seconds(10)
  private static let cleaning = Patience(step: .seconds(30))

  /// The directory that the jobs work on, for messages.
  public let medium: String
  private let name: String
  private let system: any SystemCalls
  private let deadlines: EventLoop?
  private let monitor = Monitor()
  private var state = State()

  /// The loop that ends the waits of all workers of the process.
  ///
  /// No handler on it blocks. The loop is nil if its thread could not be started; then no job is
  /// abandoned.
  public static let deadlines: EventLoop? = try? EventLoop("deadlines", system: LinuxSystemCalls())

  /// Creates a worker, whose thread starts with the first job.
  ///
  /// - Parameters:
  ///   - name: The threads' name, of which the kernel keeps 15 bytes.
  ///   - medium: The directory that the jobs work on.
  ///   - system: The clock of all deadlines.
  ///   - deadlines: The loop that abandons jobs, with the same clock.
  public init(
    _ name: String, for medium: String, system: any SystemCalls = LinuxSystemCalls(),
    deadlines: EventLoop? = AbandonableWorker.deadlines
  ) {
    self.name = name
    self.medium = medium
    self.system = system
    self.deadlines = deadlines
  }

  // MARK: Jobs

  /// Queues a job, and calls `then` exactly once, with the result of `body` or with the silence.
  ///
  /// The call never blocks. `then` must not block; it runs on the worker's thread, on the
  /// deadlines' loop, or, if the job is refused at once, on the caller's thread.
  public func submit<Value: Sendable>(
    _ patience: Patience, _ body: @escaping @Sendable (Step) -> Value,
    then: @escaping @Sendable (Result<Value, MediumSilence>) -> Void
  ) {
    add(
      Job(patience, system) { step in
        let value = body(step)
        return { then(.success(value)) }
      } giveUp: {
        then(.failure($0))
      })
  }

  /// Runs `body` and blocks until it returns, for as long as `patience` allows; never call it on a
  /// loop.
  public func run<Value: Sendable>(
    _ patience: Patience, _ body: @escaping @Sendable (Step) -> Value
  ) throws(MediumSilence) -> Value {
    let answer = Answer<Value>()
    submit(patience, body) { answer.give($0) }
    return try answer.wait().get()
  }

  /// Runs `body` and suspends the caller until it returns, for as long as `patience` allows.
  public func run<Value: Sendable>(
    _ patience: Patience, _ body: @escaping @Sendable (Step) -> Value
  ) async throws(MediumSilence) -> Value {
    let result = await withCheckedContinuation { continuation in
      submit(patience, body) { continuation.resume(returning: $0) }
    }
    return try result.get()
  }

  /// Runs `body` when the disk answers; for calls without a waiting caller, such as `close(2)`.
  public func clean(_ body: @escaping @Sendable () -> Void) {
    add(
      Job(Self.cleaning, system, isCleaning: true) { _ in
        body()
        return {}
      } giveUp: { _ in
      })
  }

  /// Refuses all further jobs and answers waiting callers; joins no thread.
  public func close() {
    let waiting = locked { state -> [Job] in
      state.isClosed = true
      return takeWaiting(&state) + abandon(&state)
    }
    for job in waiting { job.giveUp(MediumSilence(medium: medium)) }
  }

  /// The time for which the disk has not answered; nil if it answers, or has no job.
  ///
  /// The time counts from the last step of the job that hangs, even before the job is abandoned.
  public var silence: Duration? {
    let now = system.monotonicTime()
    return locked { state in
      let since = [state.silentSince, state.running?.step.time].compactMap { $0 }.min()
      return since.map { now - $0 }
    }
  }

  /// The number of threads that hang.
  public var abandoned: Int { locked { $0.abandoned } }

  // MARK: Inside

  private func locked<Value>(_ body: (inout State) -> Value) -> Value {
    monitor.lock()
    defer { monitor.unlock() }
    return body(&state)
  }

  private func add(_ job: Job) {
    let now = job.queued
    let isTaken = locked { state in
      let isRefused =
        state.isClosed || state.refusesUntil.map { now < $0 } ?? false
        || state.abandoned >= Self.maxAbandoned
      if isRefused, !job.isCleaning { return false }
      state.jobs.append(job)
      if !isRefused || state.abandoned == 0 { startThread(&state) }
      arm(&state)
      return true
    }
    if !isTaken { job.giveUp(MediumSilence(medium: medium)) }
  }

  // The caller must hold the lock.
  private func startThread(_ state: inout State) {
    if state.thread != nil { return monitor.broadcast() }
    state.lastThread += 1
    let number = state.lastThread
    let thread = try? Thread(name) { [self] in work(number) }
    // Without a thread, the jobs' deadlines answer their callers.
    guard let thread else { return }
    thread.detach()
    state.thread = number
  }

  private func work(_ number: UInt64) {
    while let job = next(number) {
      CurrentStep.value = job.step
      let deliver = job.body(job.step)
      CurrentStep.value = nil
      let isWanted = locked { state in
        if state.running === job, state.thread == number {
          state.running = nil
          heal(&state)
          return true
        }
        // The disk has answered too late.
        state.abandoned -= 1
        heal(&state)
        if !state.jobs.isEmpty { startThread(&state) }
        return false
      }
      guard isWanted else { return }
      deliver()
    }
  }

  private func heal(_ state: inout State) {
    (state.silentSince, state.refusesUntil) = (nil, nil)
    if state.abandoned == 0 { state.pause = Self.firstPause }
  }

  // Returns nil if the thread has no more jobs, or is no longer the one that takes them.
  private func next(_ number: UInt64) -> Job? {
    locked { state in
      // The wait uses the kernel's clock, because a test's clock may differ.
      let end = LinuxSystemCalls().monotonicTime() + Self.idleTime
      while state.thread == number, state.jobs.isEmpty, !state.isClosed {
        if !monitor.wait(until: end), state.jobs.isEmpty { break }
      }
      guard state.thread == number else { return nil }
      guard !state.jobs.isEmpty else {
        state.thread = nil
        return nil
      }
      let job = state.jobs.removeFirst()
      job.step.mark()
      state.running = job
      arm(&state)
      return job
    }
  }

  // MARK: Deadlines

  // Schedules a check of the deadlines for the first of them; the caller must hold the lock.
  private func arm(_ state: inout State) {
    guard let deadlines else { return }
    var dates = state.jobs.compactMap { $0.deadline(isRunning: false) }
    if let running = state.running?.deadline(isRunning: true) { dates.append(running) }
    guard let first = dates.min(), first < state.armed ?? MonotonicTime(nanoseconds: .max) else {
      return
    }
    state.armed = first
    deadlines.schedule(at: first) { [weak self] in self?.look() }
  }

  private func look() {
    let now = system.monotonicTime()
    let (late, silence) = locked { state -> ([Job], MediumSilence) in
      state.armed = nil
      var late: [Job] = []
      if let end = state.running?.deadline(isRunning: true), end <= now {
        late = abandon(&state)
        state.refusesUntil = now + state.pause
        state.pause = state.pause * 2
        // The disk does not answer, so that no job in the queue waits to find that out again.
        late += takeWaiting(&state)
      }
      let expired = state.jobs.filter { job in
        job.deadline(isRunning: false).map { $0 <= now } ?? false
      }
      state.jobs.removeAll { job in expired.contains { $0 === job } }
      arm(&state)
      return (late + expired, MediumSilence(medium: medium))
    }
    for job in late { job.giveUp(silence) }
  }

  // Removes and returns the queued jobs with waiting callers; the caller must hold the lock.
  private func takeWaiting(_ state: inout State) -> [Job] {
    let waiting = state.jobs.filter { !$0.isCleaning }
    state.jobs.removeAll { !$0.isCleaning }
    return waiting
  }

  // Abandons the running job with its thread, and returns that job; the caller must hold the lock.
  private func abandon(_ state: inout State) -> [Job] {
    guard let running = state.running else { return [] }
    running.step.giveUp()
    state.silentSince = state.silentSince ?? running.step.time
    (state.running, state.thread) = (nil, nil)
    state.abandoned += 1
    return [running]
  }
}

/// The error of a disk that did not answer in time.
public struct MediumSilence: Error, Sendable, Equatable {
  /// The directory of the call.
  public var medium: String

  /// Creates the error.
  public init(medium: String) { self.medium = medium }

  /// The silence as the error of a failed call.
  public var systemError: SystemError {
    SystemError(errno: ETIMEDOUT, call: "wait", path: medium)
  }
}

/// One answer that a thread waits for.
private final class Answer<Value: Sendable>: @unchecked Sendable {
  // Unchecked: `result` is used under `monitor` only.
  private let monitor = Monitor()
  private var result: Result<Value, MediumSilence>?

  func give(_ result: Result<Value, MediumSilence>) {
    monitor.lock()
    self.result = result
    monitor.unlock()
    monitor.broadcast()
  }

  func wait() -> Result<Value, MediumSilence> {
    monitor.lock()
    defer { monitor.unlock() }
    while true {
      if let result { return result }
      _ = monitor.wait(until: MonotonicTime(nanoseconds: .max))
    }
  }
}

/// The progress of the current thread's job, if the thread is a worker's.
private enum CurrentStep {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  // Not retained, because the thread's own job lives while the value is set.
  static var value: AbandonableWorker.Step? {
    get {
      guard let pointer = pthread_getspecific(key) else { return nil }
      return Unmanaged<AbandonableWorker.Step>.fromOpaque(pointer).takeUnretainedValue()
    }
    set {
      let pointer = newValue.map { Unmanaged.passUnretained($0).toOpaque() }
      pthread_setspecific(key, pointer)
    }
  }
}
