import Platform
import Testing

@testable import Trigger

private func ms(_ milliseconds: Double) -> MonotonicTime {
  MonotonicTime(nanoseconds: 1_000_000_000 + Int64(milliseconds * 1e6))
}

@Suite("A lamp") struct LampPatternTests {
  /// The changes of a lamp between two instants, followed as its owner follows them.
  private func changes(
    _ pattern: LampPattern, in scene: LampScene, from begin: Double, to end: Double
  ) -> [(time: MonotonicTime, isLit: Bool)] {
    var (changes, time): ([(time: MonotonicTime, isLit: Bool)], MonotonicTime) = ([], ms(begin))
    while true {
      let (isLit, until) = pattern.state(in: scene, at: time)
      if changes.last?.isLit != isLit { changes.append((time, isLit)) }
      guard let until, until <= ms(end) else { return changes }
      #expect(until > time)
      time = until
    }
  }

  static let phases: [(LampScene.Phase, Set<LampRole>)] = [
    (.off, []), (.ready, [.ready]), (.blocked, [.error]), (.busy, []), (.saved, [.saved]),
    (.failed(since: ms(0)), [.error]),
  ]

  @Test("is lit in its own phase only", arguments: phases)
  func steadyPhases(phase: LampScene.Phase, lit: Set<LampRole>) {
    for role in LampRole.allCases {
      let isLit = LampPattern(role).state(in: LampScene(phase), at: ms(10)).isLit
      #expect(isLit == lit.contains(role), "\(role) in \(phase)")
    }
  }

  @Test("blinks faster and faster towards the shot, and is dark after it") func countdown() {
    let scene = LampScene(.busy, exposure: .init(asked: ms(0), moment: ms(5000)))
    let seen = changes(LampPattern(.countdown), in: scene, from: 0, to: 6000)
    #expect(seen.last?.time == ms(5000))
    #expect(seen.last?.isLit == false)
    // Lit for the last beat before the shot.
    #expect(seen.dropLast().last?.isLit == true)
    let lengths = zip(seen, seen.dropFirst()).map { $1.time - $0.time }
    #expect(lengths == lengths.sorted(by: >))
    #expect(lengths.first == .milliseconds(500))
    #expect(lengths.last == .microseconds(62_500))
    #expect(seen.count == 4 + 4 + 8 + 16 + 1)
  }

  @Test("flashes from its lead before the moment until its hold after it, whatever comes then")
  func flash() {
    let pattern = LampPattern(.flash, lead: .milliseconds(80), hold: .milliseconds(120))
    let exposure = LampScene.Exposure(asked: ms(0), moment: ms(3000))
    for phase in [LampScene.Phase.busy, .ready, .failed(since: ms(0))] {
      let seen = changes(pattern, in: LampScene(phase, exposure: exposure), from: 0, to: 9000)
      #expect(seen.map(\.time) == [ms(0), ms(2920), ms(3120)])
      #expect(seen.map(\.isLit) == [false, true, false])
    }
  }

  @Test("does not flash when it may not, or when it could only come too late") func noFlash() {
    let pattern = LampPattern(.flash, lead: .milliseconds(80))
    var scene = LampScene(.busy, exposure: .init(asked: ms(0), moment: ms(3000)))
    scene.isFlashAllowed = false
    #expect(changes(pattern, in: scene, from: 0, to: 9000).map(\.isLit) == [false])
    let instant = LampScene(.busy, exposure: .init(asked: ms(0), moment: ms(0)))
    #expect(changes(pattern, in: instant, from: 0, to: 9000).map(\.isLit) == [false])
  }

  @Test("for errors blinks after a failure") func failure() {
    let seen = changes(
      LampPattern(.error), in: LampScene(.failed(since: ms(0))), from: 0, to: 1000)
    #expect(seen.count == 9)
    #expect(seen.first?.isLit == true)
  }
}
