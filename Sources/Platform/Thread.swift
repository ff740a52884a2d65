import CLinux
import Glibc

/// A thread of the operating system with a name, joined by its owner.
///
/// Device loops and other work that blocks run on these, never on the cooperative pool.
public final class Thread: Sendable {
  private let handle: pthread_t

  private final class Start {
    let name: String
    let body: @Sendable () -> Void
    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// Starts a thread that runs `body`.
  ///
  /// The kernel keeps at most 15 bytes of the name.
  public init(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let start = Unmanaged.passRetained(Start(name: name, body: body))
    var handle = pthread_t()
    let failure = pthread_create(
      &handle, nil,
      { argument in
        guard let argument else { return nil }
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        clinux_set_thread_name(start.name)
        start.body()
        return nil
      }, start.toOpaque())
    guard failure == 0 else {
      start.release()
      throw SystemError(errno: failure, call: "pthread_create")
    }
    self.handle = handle
  }

  /// Waits for the end of the thread.
  ///
  /// Call it once; it blocks.
  public func join() { pthread_join(handle, nil) }

  /// Waits for the end of the thread, no longer than `limit`; false: it still runs.
  ///
  /// The thread is then left to itself. Call it once, in place of ``join()``; it blocks.
  public func join(within limit: Duration) -> Bool {
    let end = LinuxSystemCalls().monotonicTime() + limit
    if clinux_join_until(handle, end.nanoseconds) == 0 { return true }
    detach()
    return false
  }

  /// Leaves the thread to itself; in place of ``join()``.
  public func detach() { pthread_detach(handle) }

  /// Whether the caller runs on this thread.
  public var isCurrent: Bool { pthread_equal(pthread_self(), handle) != 0 }
}
