import CLinux
import Imaging
import Platform
import Synchronization

/// Records one movie from the frames of a ``MoviePool`` into a file, on a thread of its own.
///
/// The caller arms the pool, begins the movie in it, and keeps the output until the answer. All
/// calls may come from any thread.
public final class MovieRecorder: Sendable {
  /// The progress of a recording.
  public struct Progress: Equatable, Sendable {
    /// The number of pictures so far.
    public var frames = 0
    /// The time from the first picture to the newest.
    public var elapsed = Duration.zero
    /// The file's size so far, in bytes.
    public var bytes = 0
  }

  enum Wish: Equatable {
    case go
    case stop(at: MonotonicTime, MovieSummary.End)
    case abandon
  }

  /// The plan of the movie.
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

  /// Creates an idle recorder; `ticket` is the result of ``MoviePool/begin(from:)``.
  ///
  /// `created` is the file's date in seconds since 1970, if the clock can be trusted.
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

  /// The progress of the recording.
  public var progress: Progress { current.withLock { $0 } }

  /// Starts the thread; `answer` is called on it once, when the movie is complete or has failed.
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

  /// Records on the caller's thread and blocks until the movie is complete.
  ///
  /// `isOver` is called at least every 20 ms; when it returns true, the movie ends as by a stop.
  public func record(
    until isOver: () -> Bool = { false }
  ) throws(MovieError) -> MovieSummary {
    guard let result = run(until: isOver) else {
      throw MovieError(.noFrames, "the recording was given up")
    }
    return try result.get()
  }

  /// Ends the movie with the last frame that was taken before `moment`.
  public func stop(at moment: MonotonicTime, because end: MovieSummary.End = .stopped) {
    wish.withLock { if $0 == .go { $0 = .stop(at: moment, end) } }
    pool.wake()
  }

  /// Ends the recording without a movie; the caller must remove the written file.
  public func abandon() {
    wish.withLock { $0 = .abandon }
    pool.wake()
  }

  /// Blocks until the thread ends; call it once, and not from the answer.
  public func join() { takeThread()?.join() }

  /// Blocks until the thread ends, for at most `limit`; returns false if the thread hangs and is
  /// abandoned.
  @discardableResult
  public func join(within limit: Duration) -> Bool { takeThread()?.join(within: limit) ?? true }

  private func takeThread() -> Thread? {
    thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
  }

  // MARK: The thread

  /// Records the movie; returns nil if the recording was abandoned.
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

  /// Takes frames until an event ends the movie; returns nil if the recording was abandoned.
  private func collect(
    _ session: inout MovieSession, until isOver: () -> Bool
  ) throws(MovieError) -> MovieSession.Ending? {
    // A camera that sends no frame for this time counts as lost.
    let patience = Duration.seconds(2)
    var lastArrival = system.monotonicTime()
    while true {
      let now = system.monotonicTime()
      switch wish.withLock({ $0 }) {
      case .abandon: return nil
      case .stop(let moment, let end):
        // The frame of the stop itself may still be arriving.
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

  /// The maximum delay of a frame that was taken before a stop.
  private var grace: Duration { .milliseconds(Int64(min(2_000 / plan.rate, 100))) }
}
