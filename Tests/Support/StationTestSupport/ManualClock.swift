import Platform
import Synchronization

/// A clock that stands still until a test moves it.
public final class ManualClock: Sendable {
  private let reading: Mutex<MonotonicTime>
  private let reader = Mutex(Callback())

  /// Creates a clock that starts one second after boot, so that small steps back stay above zero.
  public init(_ start: MonotonicTime = MonotonicTime(nanoseconds: 1_000_000_000)) {
    reading = Mutex(start)
  }

  /// The current time of the clock.
  public var now: MonotonicTime {
    reader.withLock { $0.body }?()
    return reading.withLock { $0 }
  }

  /// Calls `body` before each reading, on the thread that reads.
  public func onRead(_ body: (@Sendable () -> Void)?) { reader.withLock { $0.body = body } }

  /// Advances the clock.
  public func advance(by duration: Duration) { reading.withLock { $0 = $0 + duration } }

  /// Moves the clock to `time`, but never back.
  public func advance(to time: MonotonicTime) { reading.withLock { $0 = max($0, time) } }
}
