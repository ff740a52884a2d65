import Platform
import Synchronization

/// Wakes the capture thread: buffers came back, or it is asked to do something.
///
/// A release on the capture thread itself, or while it is awake, makes no system call: it looks
/// at the buffers before it sleeps anyway.
final class ReturnSignal: Sendable {
  private let sleeping = Atomic<Bool>(false)
  private let event: SharedDescriptor

  init(system: any SystemCalls) throws(SystemError) {
    let number = try system.check(system.eventfd(), "eventfd")
    event = SharedDescriptor(Descriptor(owning: number, system: system))
  }

  /// What the capture thread polls.
  var descriptor: Int32 { event.number }

  /// A buffer has come back.
  func returned() {
    if sleeping.exchange(false, ordering: .sequentiallyConsistent) { wake() }
  }

  /// Ends a sleep now, or the next one at once.
  func wake() {
    var one: UInt64 = 1
    withUnsafeBytes(of: &one) { bytes in
      // Fails only when the counter is full, and then the thread is awake.
      _ = event.system.retrying { $0.write(event.number, bytes) }
    }
  }

  /// Says that returns must wake from now on; look at the buffers between this and the sleep.
  func willSleep() { sleeping.store(true, ordering: .sequentiallyConsistent) }

  /// Says that the thread is awake, and takes what woke it.
  func didWake(signalled: Bool) {
    sleeping.store(false, ordering: .sequentiallyConsistent)
    guard signalled else { return }
    var count: UInt64 = 0
    withUnsafeMutableBytes(of: &count) { bytes in
      _ = event.system.retrying { $0.read(event.number, bytes) }
    }
  }
}
