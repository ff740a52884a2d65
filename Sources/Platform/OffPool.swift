/// Work that blocks, for callers on Swift's cooperative pool.
package enum OffPool {
  /// Runs `body` on a thread of its own and returns its result.
  ///
  /// If no thread can be started, `body` runs on the caller's thread.
  package static func run<Value: Sendable, Failure: Error>(
    _ name: String, _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Value, Failure>, Never>) in
      let work: @Sendable () -> Void = {
        let result: Result<Value, Failure>
        do throws(Failure) {
          result = .success(try body())
        } catch {
          result = .failure(error)
        }
        continuation.resume(returning: result)
      }
      guard let thread = try? Thread(name, work) else { return work() }
      thread.detach()
    }
    return try result.get()
  }
}
