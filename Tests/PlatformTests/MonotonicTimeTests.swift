import Platform
import Testing

@Suite struct MonotonicTimeTests {
  @Test("times do not overflow") func timesDoNotOverflow() {
    let last = MonotonicTime(nanoseconds: .max)
    #expect(last + .seconds(1) == last)
    #expect(MonotonicTime(nanoseconds: .min) - .seconds(1) == MonotonicTime(nanoseconds: .min))
    #expect(last - MonotonicTime(nanoseconds: .min) == .nanoseconds(Int64.max))
    #expect(Duration.seconds(Int64.max).nanoseconds == .max)
  }
}
