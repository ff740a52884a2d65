/// A closure that a lock can guard.
///
/// `Mutex` wraps a bare closure again with each access, and the chain of wrappers grows until its
/// release overflows the stack. A value that holds the closure is not wrapped.
package struct Callback: Sendable {
  /// The closure; nil for no action.
  package var body: (@Sendable () -> Void)?

  /// Creates a callback.
  package init(_ body: (@Sendable () -> Void)? = nil) { self.body = body }
}
