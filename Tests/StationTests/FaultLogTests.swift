import Platform
import Testing

@testable import Station

/// The last faults, each with its fix.
@Suite struct FaultLogTests {
  private func at(_ seconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: seconds * 1_000_000_000)
  }

  @Test("a fault is kept once, from its beginning to its end")
  func once() {
    var log = FaultLog()
    log.record("guests", nil, at: at(0))
    log.record("guests", "no camera", fix: "plug it in", code: "no-camera", at: at(1))
    log.record("guests", "no camera", fix: "plug it in", at: at(2))
    log.record("copy /a", "it is full", at: at(3))
    log.record("guests", nil, at: at(4))
    #expect(log.faults.map(\.source) == ["copy /a", "guests"])
    #expect(log.faults.map(\.ended) == [nil, at(4)])
    #expect(log.faults.last?.began == at(1) && log.faults.last?.fix == "plug it in")
    #expect(log.faults.map(\.code) == [nil, "no-camera"])
  }

  @Test("another reason of the same part is another fault")
  func another() {
    var log = FaultLog()
    log.record("guests", "no camera", at: at(1))
    log.record("guests", "no room", at: at(2))
    #expect(log.faults.map(\.reason) == ["no room", "no camera"])
    #expect(log.faults.map(\.ended) == [nil, at(2)])
  }

  @Test("parts that are well again end their faults, others go on")
  func end() {
    var log = FaultLog()
    for source in ["guests", "copy /a", "copy /b"] { log.record(source, "wrong", at: at(1)) }
    log.end(except: ["copy /b"], keeping: "guests", at: at(5))
    #expect(log.faults.filter { $0.ended == nil }.map(\.source) == ["copy /b", "guests"])
  }

  @Test("a part that comes and goes all night takes no more than its share of memory")
  func bound() {
    var log = FaultLog()
    for second in 0..<10_000 {
      log.record("guests", second % 2 == 0 ? "no camera" : nil, at: at(Int64(second)))
    }
    #expect(log.faults.count == FaultLog.capacity)
    #expect(log.faults.first?.began == at(9998))
  }
}
