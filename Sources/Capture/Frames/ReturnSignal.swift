import Platform
import Synchronization

/// Wakes the capture thread: buffers came back, or it is asked to do something.
///
/// A release on the capture thread itself, or while it is awake, makes no system call: it looks
/// at the buffers before it sleeps anyway.
final class ReturnSignal: Sendable {
  private let sleeping = Atomic<Bool>(false)
  private let bell: Bell

  init(system: any SystemCalls) throws(SystemError) { bell = try Bell(system: system) }

  /// What the capture thread polls.
  var descriptor: Int32 { bell.number }

  /// A buffer has come back.
  func returned() {
    if sleeping.exchange(false, ordering: .sequentiallyConsistent) { wake() }
  }

  /// Ends a sleep now, or the next one at once.
  func wake() { bell.ring() }

  /// Says that returns must wake from now on; look at the buffers between this and the sleep.
  func willSleep() { sleeping.store(true, ordering: .sequentiallyConsistent) }

  /// Says that the thread is awake, and takes what woke it.
  func didWake(signalled: Bool) {
    sleeping.store(false, ordering: .sequentiallyConsistent)
    if signalled { bell.answer() }
  }
}
