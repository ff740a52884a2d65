import Platform

/// An actor whose state is used only on the thread of its event loop.
protocol LoopActor: Actor {
  nonisolated var loop: EventLoop { get }
}

extension LoopActor {
  /// Queues `body` on the loop with the actor's state; callable from any thread.
  nonisolated func perform(_ body: @escaping @Sendable (isolated Self) -> Void) {
    loop.submit { self.assumeIsolated { body($0) } }
  }
}
