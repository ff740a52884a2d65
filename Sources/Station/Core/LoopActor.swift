import Platform

/// An actor that lives on an event loop: its state is touched on that loop's thread alone.
protocol LoopActor: Actor {
  nonisolated var loop: EventLoop { get }
}

extension LoopActor {
  /// Runs `body` on the loop with the actor's state, after what is queued; from any thread.
  nonisolated func perform(_ body: @escaping @Sendable (isolated Self) -> Void) {
    loop.submit { self.assumeIsolated { body($0) } }
  }
}
