import Glibc

/// A lock with a condition to wait for, on CLOCK_MONOTONIC.
///
/// `Mutex` has no condition, and whoever chooses a frame waits for the next to arrive.
package final class Monitor: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  /// Makes one that nobody holds.
  package init() {
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Takes it; waits while somebody else holds it.
  package func lock() { pthread_mutex_lock(mutex) }

  /// Lets it go.
  package func unlock() { pthread_mutex_unlock(mutex) }

  /// Wakes everybody who waits.
  package func broadcast() { pthread_cond_broadcast(condition) }

  /// Waits for a broadcast; false when `deadline` came first.
  ///
  /// The caller holds the lock.
  package func wait(until deadline: MonotonicTime) -> Bool {
    let nanoseconds = max(deadline.nanoseconds, 0)
    var time = timespec(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    return pthread_cond_timedwait(condition, mutex, &time) != ETIMEDOUT
  }
}
