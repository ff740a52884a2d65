import CLinux
import Imaging
import Platform
import Synchronization

/// Records one movie: frames from a ``MoviePool`` into a file, on a thread of its own.
///
/// The caller arms the pool, begins the movie in it, and keeps the output until the answer. All calls
/// may come from any thread.
public final class MovieRecorder: Sendable {
  /// How a movie under way stands.
  public struct Progress: Equatable, Sendable {
    /// Pictures so far.
    public var frames = 0
    /// From the first picture to the newest.
    public var elapsed = Duration.zero
    /// The file's size so far, in bytes.
    public var bytes = 0
  }

  enum Wish: Equatable {
    case go
    case stop(at: MonotonicTime, MovieSummary.End)
    case abandon
  }

  /// What it records.
  public let plan: MoviePlan
  private let pool: MoviePool
  private let ticket: Int
  private let output: any MovieOutput
  private let system: any SystemCalls
  private let created: Int64?
  private let lostBefore: Int
  private let wish = Mutex(Wish.go)
  private let current = Mutex(Progress())
  private let thread = Mutex<Thread?>(nil)

  /// Makes one that does nothing yet; `ticket` is what ``MoviePool/begin(from:)`` gave.
  ///
  /// `created` is the file's date in seconds since 1970, where the clock can be trusted.
  public init(
    _ plan: MoviePlan, pool: MoviePool, ticket: Int, output: any MovieOutput,
    created: Int64? = nil,
    system: any SystemCalls = LinuxSystemCalls()
  ) {
    self.plan = plan
    self.pool = pool
    self.ticket = ticket
    self.output = output
    self.created = created
    lostBefore = pool.counts.framesLost
    self.system = system
  }

  /// How it stands.
  public var progress: Progress { current.withLock { $0 } }

  /// Starts the thread; `answer` is called on it once, when the movie is a whole file or failed.
  ///
  /// After ``abandon()`` it is not called.
  public func start(
    _ answer: @escaping @Sendable (Result<MovieSummary, MovieError>) -> Void
  ) throws(MovieError) {
    do {
      let made = try Thread("movie") { [self] in
        clinux_give_way(5)
        if let result = run() { answer(result) }
      }
      thread.withLock { $0 = made }
    } catch {
      throw MovieError(.encoder, "a thread for the movie cannot be started", cause: error)
    }
  }

  /// Records on the caller's thread, and comes back when the movie is a whole file.
  ///
  /// `isOver` is asked at least every 20 ms; once it is true, the movie ends as by a stop.
  public func record(
    until isOver: () -> Bool = { false }
  ) throws(MovieError) -> MovieSummary {
    guard let result = run(until: isOver) else {
      throw MovieError(.noFrames, "the recording was given up")
    }
    return try result.get()
  }

  /// Ends the movie with the last frame that was taken by then.
  public func stop(at moment: MonotonicTime, because end: MovieSummary.End = .stopped) {
    wish.withLock { if $0 == .go { $0 = .stop(at: moment, end) } }
    pool.wake()
  }

  /// Ends it without a movie; what was written is the caller's to remove.
  public func abandon() {
    wish.withLock { $0 = .abandon }
    pool.wake()
  }

  /// Waits for the thread's end; call it once, not from the answer.
  public func join() { takeThread()?.join() }

  /// Waits for the thread's end, no longer than `limit`; false: it hangs, and is left to itself.
  @discardableResult
  public func join(within limit: Duration) -> Bool { takeThread()?.join(within: limit) ?? true }

  private func takeThread() -> Thread? {
    thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
  }

  // MARK: The thread

  /// Records; nil when it was abandoned.
  func run(until isOver: () -> Bool = { false }) -> Result<MovieSummary, MovieError>? {
    do throws(MovieError) {
      var session = try MovieSession.begin(plan, output: output, created: created)
      let end = try collect(&session, until: isOver)
      guard let end else { return nil }
      return .success(try session.finish(end, lost: pool.counts.framesLost - lostBefore))
    } catch {
      return wish.withLock { $0 } == .abandon ? nil : .failure(error)
    }
  }

  /// Takes frames until something ends the movie; nil when it was abandoned.
  private func collect(
    _ session: inout MovieSession, until isOver: () -> Bool
  ) throws(MovieError) -> MovieSession.Ending? {
    // A camera that sends nothing for so long is lost, whatever it says.
    let patience = Duration.seconds(2)
    var lastArrival = system.monotonicTime()
    while true {
      let now = system.monotonicTime()
      switch wish.withLock({ $0 }) {
      case .abandon: return nil
      case .stop(let moment, let end):
        // The frame of the stop itself may still be on its way.
        if now > moment + grace, pool.count == 0 { return .init(end) }
      case .go: if isOver() { stop(at: now) }
      }
      guard let frame = pool.next(ticket, until: now + .milliseconds(20)) else {
        if now - lastArrival > patience { return .init(.cameraLost) }
        continue
      }
      lastArrival = now
      if case .stop(let moment, let end) = wish.withLock({ $0 }), frame.timestamp > moment {
        return .init(end)
      }
      let ending = try session.take(frame, pool.image(of: frame))
      pool.advance(ticket)
      current.withLock {
        $0.frames = session.frames
        $0.elapsed = session.elapsed
        $0.bytes = session.bytes
      }
      if let ending { return ending }
    }
  }

  /// How long a frame that was taken before a stop may take to arrive.
  private var grace: Duration { .milliseconds(Int64(min(2_000 / plan.rate, 100))) }
}
