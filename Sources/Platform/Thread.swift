import CLinux
import Glibc

/// A thread of the operating system with a name, joined by its owner.
///
/// Device loops and other blocking work run on such threads, never on the cooperative pool.
package final class Thread: Sendable {
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
  package init(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
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

  /// Blocks until the thread ends.
  ///
  /// Call it once.
  package func join() { pthread_join(handle, nil) }

  /// Blocks until the thread ends, for at most `limit`; returns false if the thread still runs.
  ///
  /// The thread is then detached. Call it once, in place of ``join()``.
  package func join(within limit: Duration) -> Bool {
    let end = LinuxSystemCalls().monotonicTime() + limit
    if clinux_join_until(handle, end.nanoseconds) == 0 { return true }
    detach()
    return false
  }

  /// Detaches the thread, in place of ``join()``.
  package func detach() { pthread_detach(handle) }

  /// Whether the caller runs on this thread.
  package var isCurrent: Bool { pthread_equal(pthread_self(), handle) != 0 }
}
