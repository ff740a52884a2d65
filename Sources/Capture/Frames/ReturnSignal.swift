import Platform
import Synchronization

/// A signal that wakes the capture thread when a buffer was released or another thread has a
/// request.
///
/// A release on the capture thread itself, or while that thread is awake, makes no system call,
/// because the thread checks the buffers before it sleeps.
final class ReturnSignal: Sendable {
  private let sleeping = Atomic<Bool>(false)
  private let bell: Bell

  init(system: any SystemCalls) throws(SystemError) { bell = try Bell(system: system) }

  /// The descriptor that the capture thread polls.
  var descriptor: Int32 { bell.number }

  /// Wakes the capture thread for a released buffer, if it sleeps.
  func returned() {
    if sleeping.exchange(false, ordering: .sequentiallyConsistent) { wake() }
  }

  /// Wakes the capture thread, or ends its next sleep at once.
  func wake() { bell.ring() }

  /// Announces a sleep, after which releases wake the thread; the thread checks the buffers between
  /// this call and the sleep.
  func willSleep() { sleeping.store(true, ordering: .sequentiallyConsistent) }

  /// Announces that the thread is awake, and clears the signal.
  func didWake(signalled: Bool) {
    sleeping.store(false, ordering: .sequentiallyConsistent)
    if signalled { bell.answer() }
  }
}
