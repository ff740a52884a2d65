/// A closure for a lock to guard.
///
/// `Mutex` wraps a bare closure anew with each access, and the chain of wrappers grows until its
/// release overflows the stack. A value that holds the closure stays as it is.
public struct Callback: Sendable {
  /// The closure; nil calls nothing.
  public var body: (@Sendable () -> Void)?

  /// Creates a callback.
  public init(_ body: (@Sendable () -> Void)? = nil) { self.body = body }
}
