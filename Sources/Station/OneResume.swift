import Synchronization

/// A continuation that whoever comes first resumes.
final class OneResume: Sendable {
  private let continuation: Mutex<CheckedContinuation<Void, Never>?>

  init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = Mutex(continuation) }

  /// Resumes it; false where somebody else has.
  @discardableResult
  func resume() -> Bool {
    let waiting = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume()
    return waiting != nil
  }
}
