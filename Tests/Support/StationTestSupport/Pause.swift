/// Pauses the body of a waiting loop, so that other tasks can run.
public func pause() async { try? await Task.sleep(for: .milliseconds(2)) }
