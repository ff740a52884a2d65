import ImagePicker
import Testing

@Suite("The picker under generated sequences of events")
struct GeneratedSequenceTests {
  static let sequences = 440
  static let length = 240

  /// Runs sequences until one breaks a rule; returns the coverage, the events and the violation.
  private func run<Machine: PickerUnderTest>(
    _ make: (PickerMachine) -> Machine, seed: UInt64, sequences: Int
  ) -> (reached: Set<Pair>, events: Int, violation: Violation?, seed: UInt64) {
    var seeds = SplitMix(seed: seed)
    var reached: Set<Pair> = []
    var events = 0
    for _ in 0..<sequences {
      let one = seeds.next()
      var world = PickerWorld(make, seed: one)
      do {
        for index in 0..<Self.length {
          if index % 40 == 0 { try world.bounce() }
          try world.step()
          events += 1
        }
        try world.settle()
      } catch {
        return (reached, events, error, seed)
      }
      reached.formUnion(world.reached)
    }
    return (reached, events, nil, seed)
  }

  @Test(
    "Every rule holds after each of 100,000 events, and every pair of state and event is reached")
  func rulesHold() {
    let seed = SplitMix.runSeed
    print("picker sequences: RETAKE_SEED=\(seed)")
    let result = run({ $0 }, seed: seed, sequences: Self.sequences)
    #expect(result.violation == nil, "RETAKE_SEED=\(seed): \(String(describing: result.violation))")
    #expect(result.events >= 100_000)
    let missing = Self.pairs.subtracting(result.reached)
    #expect(missing.isEmpty, "RETAKE_SEED=\(seed): never reached: \(missing)")
  }

  /// Every pair; `idle` has no timer that could be due or early.
  static let pairs: Set<Pair> = {
    var pairs: Set<Pair> = []
    for state in PickerMachine.State.Name.allCases {
      for kind in EventKind.allCases {
        if state == .idle, kind == .timerDue || kind == .timerEarly { continue }
        pairs.insert(Pair(state: state, kind: kind))
      }
    }
    return pairs
  }()

  /// The real machine passes the same sequences, so a violation is due to the fault.
  @Test("Each seeded fault is caught", arguments: PickerMutant.Fault.allCases)
  func mutantsAreCaught(fault: PickerMutant.Fault) {
    let seed = SplitMix.runSeed
    let result = run(
      { PickerMutant($0, fault: fault) }, seed: seed, sequences: Self.sequences)
    #expect(result.violation != nil, "RETAKE_SEED=\(seed): nothing noticed \(fault)")
  }
}
