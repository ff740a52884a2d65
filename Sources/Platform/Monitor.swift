import Glibc

/// A lock with a condition variable, on CLOCK_MONOTONIC.
///
/// `Mutex` has no condition variable, which a thread needs to wait for the next frame.
package final class Monitor: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  /// Creates an unlocked monitor.
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

  /// Locks the monitor; blocks while another thread holds it.
  package func lock() { pthread_mutex_lock(mutex) }

  /// Unlocks the monitor.
  package func unlock() { pthread_mutex_unlock(mutex) }

  /// Wakes all waiting threads.
  package func broadcast() { pthread_cond_broadcast(condition) }

  /// Waits for a broadcast; returns false if `deadline` came first.
  ///
  /// The caller must hold the lock.
  package func wait(until deadline: MonotonicTime) -> Bool {
    let nanoseconds = max(deadline.nanoseconds, 0)
    var time = timespec(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    return pthread_cond_timedwait(condition, mutex, &time) != ETIMEDOUT
  }
}
