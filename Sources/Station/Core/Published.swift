import Synchronization

/// A value that its owner publishes and that any thread reads.
///
/// The owner alone decides what the value is; a reader gets the whole of what was published last.
final class Published<Value: Sendable>: Sendable {
  private let value: Mutex<Value>

  /// Publishes a first value.
  init(_ value: Value) { self.value = Mutex(value) }

  /// What was published last.
  var current: Value { value.withLock { $0 } }

  /// Puts `new` in the place of what was published before.
  func publish(_ new: Value) {
    // Freed after the lock: it may be the last use of a camera or a library.
    let old = value.withLock { value in
      defer { value = new }
      return value
    }
    withExtendedLifetime(old) {}
  }
}
