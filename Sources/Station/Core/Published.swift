import Synchronization

/// A value that its owner publishes and that any thread reads.
///
/// A reader always gets a whole value, as the owner published it last.
final class Published<Value: Sendable>: Sendable {
  private let value: Mutex<Value>

  /// Creates a published value.
  init(_ value: Value) { self.value = Mutex(value) }

  /// The value that was published last.
  var current: Value { value.withLock { $0 } }

  /// Replaces the published value by `new`.
  func publish(_ new: Value) {
    // The old value is freed after the unlock, since it may be the last use of a camera or a
    // library.
    let old = value.withLock { value in
      defer { value = new }
      return value
    }
    withExtendedLifetime(old) {}
  }
}
