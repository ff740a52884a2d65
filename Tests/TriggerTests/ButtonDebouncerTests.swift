import Platform
import Testing

@testable import Trigger

private func ms(_ milliseconds: Double) -> MonotonicTime {
  MonotonicTime(nanoseconds: 1_000_000_000 + Int64(milliseconds * 1e6))
}

@Suite("A button's contact") struct ButtonDebouncerTests {
  /// Plays edges at milliseconds and looks at the level whenever it is due, as the owner does.
  private func events(
    _ edges: [(Double, Bool)], until end: Double, settings: ButtonDebouncer.Settings = .init(),
    startsDown: Bool = false
  ) -> [ButtonDebouncer.Event] {
    var button = ButtonDebouncer(settings: settings, isActive: startsDown, at: ms(0))
    var (level, events): (Bool, [ButtonDebouncer.Event]) = (startsDown, [])
    for (time, isActive) in edges {
      while let due = button.deadline, due < ms(time) {
        events += button.check(isActive: level, at: due)
      }
      events += button.edge(GPIOEdge(isActive, at: ms(time)))
      level = isActive
    }
    while let due = button.deadline, due <= ms(end) {
      events += button.check(isActive: level, at: due)
    }
    return events
  }

  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var edges: [(Double, Bool)]
    var expected: [ButtonDebouncer.Event]
    var testDescription: String { name }
  }

  /// So many pulses of `width` milliseconds, one every `period`.
  private static func pulses(
    _ count: Int, from start: Double, _ width: Double, every period: Double
  ) -> [(Double, Bool)] {
    (0..<count).flatMap { index in
      let time = start + Double(index) * period
      return [(time, true), (time + width, false)]
    }
  }

  static let rows = [
    Row(
      name: "a clean press", edges: [(10, true), (110, false)],
      expected: [.pressed(ms(10)), .released(ms(110), pressed: ms(10))]),
    Row(
      name: "bounce at both ends: dated by the first edge of each",
      edges: [
        (10, true), (11, false), (12, true), (17, false), (20, true), (150, false), (152, true),
        (159, false),
      ],
      expected: [.pressed(ms(10)), .released(ms(150), pressed: ms(10))]),
    Row(
      name: "an edge of the last release that comes late does not date the press",
      edges: [(10, false), (29, true), (31, false), (33, true), (130, false)],
      expected: [.pressed(ms(29)), .released(ms(130), pressed: ms(29))]),
    Row(
      name: "a first contact whose level was read after it had bounced back dates the press",
      edges: [(10, false), (13, true), (110, false)],
      expected: [.pressed(ms(10)), .released(ms(110), pressed: ms(10))]),
    Row(
      name: "a glitch of two milliseconds", edges: [(10, true), (12, false)],
      expected: [.glitch(ms(10), .milliseconds(2))]),
    Row(
      name: "a quick finger, up again within the lock-out", edges: [(10, true), (35, false)],
      expected: [.pressed(ms(10)), .released(ms(35), pressed: ms(10))]),
    Row(
      name: "the first edge was read when the level had bounced back",
      edges: [(10, false), (12, true), (200, false)],
      expected: [.pressed(ms(10)), .released(ms(200), pressed: ms(10))]),
    Row(
      name: "a gap during a long hold is no release",
      edges: [(10, true), (300, false), (305, true), (500, false)],
      expected: [.pressed(ms(10)), .released(ms(500), pressed: ms(10))]),
    Row(
      name: "a long press is said while it is held", edges: [(10, true), (1500, false)],
      expected: [.pressed(ms(10)), .long(ms(10)), .released(ms(1500), pressed: ms(10))]),
    Row(
      name: "a button that is held for a minute is stuck, and then free again",
      edges: [(10, true), (60_010, false), (61_000, true), (61_100, false)],
      expected: [
        .pressed(ms(10)), .long(ms(10)), .stuck(since: ms(10)), .freed(ms(60_010)),
        .pressed(ms(61_000)), .released(ms(61_100), pressed: ms(61_000)),
      ]),
    Row(
      name: "a burst of six pulses of a millisecond", edges: pulses(6, from: 10, 1, every: 5),
      expected: [.glitch(ms(10), .milliseconds(6))]),
    Row(
      name: "a burst whose last pulse is open when the window ends",
      edges: pulses(7, from: 10, 1.5, every: 4.9),
      expected: [.glitch(ms(10), .milliseconds(1.5))]),
    Row(
      name: "pulses that add up to a press", edges: pulses(4, from: 10, 3, every: 5),
      expected: [.pressed(ms(10)), .released(ms(28), pressed: ms(10))]),
    Row(
      name: "a press after a disturbance is dated by its own first edge",
      edges: [(10, true), (11, false), (29, true), (31, false), (32, true), (150, false)],
      expected: [.pressed(ms(29)), .released(ms(150), pressed: ms(29))]),
    Row(
      name: "a contact that chatters for the whole window is dated by its first edge",
      edges: pulses(6, from: 10, 1, every: 5) + [(39, true), (150, false)],
      expected: [.pressed(ms(10)), .released(ms(150), pressed: ms(10))]),
    Row(
      name: "nine milliseconds of contact",
      edges: [(10, true), (15, false), (17, true), (21, false)],
      expected: [.glitch(ms(10), .milliseconds(9))]),
    Row(
      name: "ten milliseconds of contact",
      edges: [(10, true), (15, false), (17, true), (22, false)],
      expected: [.pressed(ms(10)), .released(ms(22), pressed: ms(10))]),
    Row(
      name: "two presses that follow each other fast",
      edges: [(10, true), (60, false), (100, true), (150, false)],
      expected: [
        .pressed(ms(10)), .released(ms(60), pressed: ms(10)), .pressed(ms(100)),
        .released(ms(150), pressed: ms(100)),
      ]),
  ]

  @Test("is read as", arguments: rows) func rowsHold(row: Row) {
    #expect(events(row.edges, until: 70_000) == row.expected)
  }

  @Test("gives the same when all its edges are handled late", arguments: rows)
  func lateHandlingChangesNothing(row: Row) {
    var button = ButtonDebouncer(isActive: false, at: ms(0))
    var events = row.edges.flatMap { button.edge(GPIOEdge($0.1, at: ms($0.0))) }
    events += button.check(isActive: false, at: ms(70_000))
    #expect(events == row.expected)
  }

  @Test("is no press in any burst of pulses whose contact is too short")
  func burstsAreNoPress() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      // A quarter of the time in contact is less than ten milliseconds in thirty.
      var (time, edges): (Double, [(Double, Bool)]) = (10, [])
      for _ in 0..<Int.random(in: 1...200, using: &generator) {
        let width = Double.random(in: 0.05...2, using: &generator)
        edges += [(time, true), (time + width, false)]
        time += width * Double.random(in: 4...8, using: &generator)
      }
      let seen = events(edges, until: time + 500)
      let presses = seen.filter { if case .pressed = $0 { true } else { false } }
      #expect(presses.isEmpty, "\(edges.prefix(40))")
    }
  }

  @Test("needs as long a contact as the settings say", arguments: [1.0, 10, 25, 60, 100])
  func theContactIsConfigured(contact: Double) {
    let settings = ButtonDebouncer.Settings(contact: .microseconds(Int64(contact * 1000)))
    let short = events([(10, true), (10 + contact - 0.5, false)], until: 1000, settings: settings)
    #expect(short.count == 1)
    let long = events([(10, true), (10 + contact, false)], until: 1000, settings: settings)
    #expect(long == [.pressed(ms(10)), .released(ms(10 + contact), pressed: ms(10))])
  }

  @Test("that is down at the start is stuck until it was up") func downAtTheStart() {
    let seen = events([(500, false), (800, true), (900, false)], until: 2000, startsDown: true)
    #expect(seen == [.freed(ms(500)), .pressed(ms(800)), .released(ms(900), pressed: ms(800))])
    #expect(ButtonDebouncer(isActive: true, at: ms(0)).isIgnored)
  }

  @Test("is verified: edges that were lost are made up for") func lostEdges() {
    var button = ButtonDebouncer(isActive: false, at: ms(0))
    // The press's edges were lost altogether; the level says so at the next look.
    #expect(button.check(isActive: true, at: ms(50)) == [])
    #expect(button.check(isActive: true, at: ms(80)) == [.pressed(ms(50))])
    // The last edge that was kept says down; the line is up.
    #expect(button.edge(GPIOEdge(false, at: ms(200))) == [])
    #expect(button.edge(GPIOEdge(true, at: ms(205))) == [])
    #expect(button.check(isActive: false, at: ms(230)) == [.released(ms(200), pressed: ms(50))])
  }

  @Test("without bounce, as of a keyboard, is reported at once") func cleanKeys() {
    var button = ButtonDebouncer(settings: .clean, isActive: false, at: ms(0))
    #expect(button.edge(GPIOEdge(true, at: ms(10))) == [.pressed(ms(10))])
    #expect(button.edge(GPIOEdge(true, at: ms(11))) == [])
    #expect(button.edge(GPIOEdge(false, at: ms(12))) == [.released(ms(12), pressed: ms(10))])
  }

  @Test("gives each of 1,000 random presses once, in order, dated by its first edge")
  func randomBounce() {
    var generator = SeededGenerator(seed: 42)
    var (edges, presses): ([(Double, Bool)], [MonotonicTime]) = ([], [])
    var time = 10.0
    for _ in 0..<1000 {
      presses.append(ms(time))
      for down in [true, false] {
        let end = time + Double.random(in: 0...10, using: &generator)
        var level = down
        edges.append((time, level))
        var bounce = time
        while true {
          bounce += Double.random(in: 0.05...3, using: &generator)
          guard bounce < end else { break }
          level.toggle()
          edges.append((bounce, level))
        }
        if level != down { edges.append((end, down)) }
        time += Double.random(in: 45...300, using: &generator)
      }
    }
    let seen = events(edges, until: time + 1000).compactMap { event in
      if case .pressed(let time) = event { time } else { nil }
    }
    #expect(seen == presses)
  }
}

/// A small generator whose sequence is the same in every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
