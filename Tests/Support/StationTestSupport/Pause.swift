/// Lets others work, for the body of a loop that waits for them; a loop without a pause takes the
/// processor from them.
public func pause() async { try? await Task.sleep(for: .milliseconds(2)) }
