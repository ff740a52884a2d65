import Platform
import Synchronization
import Testing

struct CallbackTests {
  @Test("a closure behind a lock is as long after a million calls as after one")
  func staysShort() {
    // A chain of wrappers of this length would overflow the stack when it is released.
    let guarded = Mutex(Callback {})
    for _ in 0..<1_000_000 { guarded.withLock { $0.body }?() }
    guarded.withLock { $0 = Callback() }
    #expect(guarded.withLock { $0.body == nil })
  }
}
