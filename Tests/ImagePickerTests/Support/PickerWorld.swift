import ImagePicker

/// A simulated booth with a manual clock, a station that answers late, twice or never, guests who
/// press anything at any time, and a checker.
struct PickerWorld<Machine: PickerUnderTest> {
  private(set) var machine: Machine
  private var checker: PickerChecker
  private var random: SplitMix
  private var now = PickerInstant.milliseconds(1_000)

  private var tokens: [TimerToken] = []
  private var candidates: [CandidateID] = []
  private let items: [ItemID] = ["a", "b", "c", "d"]

  /// The pairs of state and event that were reached by events for the current session.
  private(set) var reached: Set<Pair> = []
  private var trace: [Step] = []

  init(_ make: (PickerMachine) -> Machine, seed: UInt64) {
    random = SplitMix(seed: seed)
    let configuration = Self.configuration(&random)
    let conditions = PickerMachine.Conditions.ready
    machine = make(PickerMachine(configuration: configuration, conditions: conditions))
    checker = PickerChecker(configuration: configuration, conditions: conditions)
  }

  private static func configuration(_ random: inout SplitMix) -> PickerMachine.Configuration {
    var configuration = PickerMachine.Configuration()
    configuration.countdown = random.pick([.zero, .milliseconds(500), .seconds(3)])
    configuration.reviewTimeout = random.pick([.zero, .milliseconds(100), .seconds(30)])
    configuration.reviewEnd = random.pick([.accept, .cancel])
    configuration.reviewFrames = random.pick([1, 2, 5, 5])
    configuration.liveTimeout = random.pick([.zero, .seconds(60)])
    configuration.linger = random.pick([.zero, .milliseconds(300), .seconds(3)])
    configuration.collectTimeout = random.pick([.seconds(2), .seconds(5), .seconds(90)])
    configuration.startsOnShutter = random.chance(85)
    configuration.shutterAccepts = random.chance(40)
    configuration.longestMovie = random.pick([.seconds(2), .seconds(10)])
    if random.chance(25) { configuration.shutterRequest = movieRequest(&random) }
    return configuration
  }

  private static func movieRequest(_ random: inout SplitMix) -> PickerMachine.Request {
    PickerMachine.Request(
      allowsEditing: random.chance(50), mediaTypes: random.pick([[.movie], [.image, .movie]]),
      captureMode: random.pick([.video, .video, .photo]),
      longestMovie: random.pick([nil, .seconds(1), .seconds(60)]))
  }

  /// Runs one random action.
  mutating func step() throws(Violation) {
    advance()
    let kind = random.chance(75) ? likely() : random.pick(EventKind.allCases)
    guard let event = event(of: kind) else { return }
    try perform(event, as: kind)
  }

  /// Two presses within a millisecond, as a bouncing contact gives them.
  mutating func bounce() throws(Violation) {
    for _ in 0..<2 {
      now = now + .microseconds(400)
      try feed(Step(event: .shutter, time: now, now: now), as: .shutter)
    }
  }

  private mutating func advance() {
    switch random.below(10) {
    case 0, 1: break
    case 2, 3, 4: now = now + .microseconds(Int64(random.below(5_000)))
    case 5, 6: now = now + .milliseconds(random.below(900))
    case 7: now = now + .milliseconds(800 + random.below(300))
    default:
      if let deadline = machine.snapshot.deadline, random.chance(40) { now = max(now, deadline) }
    }
  }

  private mutating func perform(
    _ event: PickerMachine.Event, as kind: EventKind
  ) throws(Violation) {
    var step = Step(event: event, time: now, now: now)
    let present = machine.snapshot.session?.rawValue ?? 0
    switch random.below(10) {
    case 0, 1, 2, 3, 4: break
    case 5, 6, 7, 8: step.session = machine.snapshot.session
    default:
      let other =
        present == 0 || random.chance(30) ? present + 1 : UInt64(random.below(Int(present)))
      step.session = SessionID(rawValue: other)
    }
    switch random.below(20) {
    case 0, 1, 2:
      step.time = PickerInstant(
        nanoseconds: now.nanoseconds - Int64(random.below(1_500_000_000)))
    case 3: step.time = now + .seconds(random.below(5))
    default: break
    }
    try feed(step, as: kind)
  }

  private mutating func feed(_ step: Step, as kind: EventKind) throws(Violation) {
    let before = machine.snapshot
    if step.session == nil || step.session == before.session {
      reached.insert(Pair(state: before.state.name, kind: kind))
    }
    let effects = machine.handle(step.event, at: step.time, now: step.now, session: step.session)
    for effect in effects {
      switch effect {
      case .startTimer(let token, _): if tokens.last != token { tokens.append(token) }
      case .capture(let candidate, _, _), .collect(let candidate, _, _),
        .record(let candidate, _, _, _):
        candidates.append(candidate)
      default: break
      }
    }
    if trace.count >= 24 { trace.removeFirst(12) }
    trace.append(step)
    do {
      try checker.check(step, before: before, effects: effects, after: machine.snapshot)
    } catch {
      throw Violation(
        rule: error.rule,
        detail: error.detail + "\nafter\n" + trace.map(\.description).joined(separator: "\n"))
    }
  }

  /// Returns an event that advances a session in the current state.
  private mutating func likely() -> EventKind {
    switch machine.snapshot.state.name {
    case .idle:
      random.pick([
        .begin, .beginLibrary, .beginMovie, .beginMovie, .shutter, .moviesBack, .cameraBack,
        .storageBack, .libraryBack,
      ])
    case .live:
      random.pick([
        .shutter, .shutter, .shutter, .startRecording, .startRecording, .extend, .timerDue,
        .cancel, .still,
      ])
    case .recording:
      random.pick([
        .stopRecording, .shutter, .recordingEnded, .timerDue, .still, .still, .cancel,
        .stopRecording,
      ])
    case .countdown: random.pick([.timerDue, .timerDue, .timerDue, .shutter, .cancel])
    case .capturing:
      random.pick([.captured, .captured, .recordingEnded, .captured, .captureFailed, .timerDue])
    case .reviewing:
      random.pick([
        .accept, .accept, .accept, .retake, .edit, .timerDue, .shutter, .framesOffered,
        .framesOffered, .chooseFrame, .chooseFrame, .frameReady, .frameFailed,
      ])
    case .saving:
      random.pick([.saved, .saved, .saveFailed, .timerDue, .timerDue, .shutter, .cancel])
    case .browsing:
      random.pick([.select, .select, .deselect, .openEditor, .openEditor, .accept, .choose])
    case .editing: random.pick([.edit, .accept, .back, .select])
    case .finished, .cancelled, .failed: random.pick([.timerDue, .shutter, .begin, .capturedLate])
    }
  }

  private mutating func event(of kind: EventKind) -> PickerMachine.Event? {
    let state = machine.snapshot.state
    let lost = PickerReason(.stationFault)
    switch kind {
    case .begin: return .begin(PickerMachine.Request(allowsEditing: random.chance(50)))
    case .beginLibrary:
      return .begin(
        PickerMachine.Request(
          source: random.pick([.photoLibrary, .savedPhotosAlbum]),
          allowsEditing: random.chance(70), selectionLimit: random.below(4)))
    case .beginMovie: return .begin(Self.movieRequest(&random))
    case .shutter: return .shutter
    case .still: return .still
    case .startRecording: return .startRecording
    case .stopRecording: return .stopRecording
    case .recordingEnded:
      let reason = random.chance(30) ? PickerReason(.movieCutShort) : nil
      return .recordingEnded(state.candidate ?? anyCandidate(), reason)
    case .recordingEndedLate: return .recordingEnded(anyCandidate(), nil)
    case .moviesGone: return .condition(.movies, .unavailable(PickerReason(.moviesUnavailable)))
    case .moviesBack: return .condition(.movies, .ready)
    case .accept: return .accept
    case .retake: return .retake
    case .cancel: return .cancel
    case .dismiss: return .dismiss
    case .extend: return .extend
    case .edit: return .edit(random.chance(20) ? nil : PickerEdit(quarterTurns: random.below(4)))
    case .select: return .select(random.pick(items))
    case .choose:
      return .choose((0..<random.below(4)).map { _ in PickerChoice(item: random.pick(items)) })
    case .deselect: return .deselect(random.pick(items))
    case .openEditor: return .openEditor(random.pick(items))
    case .back: return .back
    case .timerDue:
      guard let deadline = machine.snapshot.deadline, let token = tokens.last else { return nil }
      now = max(now, deadline)
      return .timer(token)
    case .timerEarly:
      guard let deadline = machine.snapshot.deadline, let token = tokens.last else { return nil }
      return now < deadline ? .timer(token) : nil
    case .timerLate:
      let old = tokens.dropLast(state == .idle ? 0 : 1).suffix(5)
      return .timer(old.isEmpty ? TimerToken(rawValue: 0) : random.pick(Array(old)))
    case .captured: return .captured(state.candidate ?? anyCandidate())
    case .capturedLate: return .captured(anyCandidate())
    case .framesOffered: return frames().map { .framesOffered(likelyCandidate(), $0) }
    case .framesLate: return frames().map { .framesOffered(anyCandidate(), $0) }
    case .chooseFrame:
      return .chooseFrame(
        random.pick([.next, .previous, .index(random.below(6)), .index(random.below(6) - 3)]))
    case .frameReady: return .frameReady(likelyCandidate(), likelyFrame())
    case .frameFailed:
      return .frameFailed(likelyCandidate(), likelyFrame(), PickerReason(.frameUnavailable))
    case .captureFailed:
      return .captureFailed(likelyCandidate(), PickerReason(.captureFailed))
    case .saved: return .saved(likelyCandidate())
    case .saveFailed: return .saveFailed(likelyCandidate(), PickerReason(.saveFailed))
    case .cameraLost: return .condition(.camera, .unavailable(lost))
    case .cameraBack: return .condition(.camera, .ready)
    case .storageFull: return .condition(.storage, .unavailable(PickerReason(.storageFull)))
    case .storageBack: return .condition(.storage, .ready)
    case .libraryGone: return .condition(.library, .unavailable(lost))
    case .libraryBack: return .condition(.library, .ready)
    case .fault: return .fault(lost)
    }
  }

  /// Returns frames as a store offers them, sometimes more than were asked for.
  private mutating func frames() -> ReviewFrames? {
    let count = 2 + random.below(random.chance(80) ? 2 : 4)
    return ReviewFrames(
      offsets: (0..<count).map { .milliseconds($0 * 33) }, nearest: random.below(count))
  }

  private mutating func likelyFrame() -> Int {
    guard let frames = machine.snapshot.state.frames, random.chance(80) else {
      return random.below(6)
    }
    return frames.chosen
  }

  private mutating func likelyCandidate() -> CandidateID {
    guard let candidate = machine.snapshot.state.candidate, random.chance(85) else {
      return anyCandidate()
    }
    return candidate
  }

  private mutating func anyCandidate() -> CandidateID {
    candidates.isEmpty ? CandidateID(rawValue: 0) : random.pick(Array(candidates.suffix(4)))
  }
}

extension PickerWorld {
  /// Fires every timer and completes every save until no session is left.
  mutating func settle() throws(Violation) {
    for _ in 0..<10 where machine.snapshot.state != .idle {
      let kind: EventKind = machine.snapshot.state.name == .saving ? .saved : .timerDue
      guard
        let event = kind == .saved
          ? machine.snapshot.state.candidate.map(PickerMachine.Event.saved) : event(of: kind)
      else { break }
      try feed(Step(event: event, time: now, now: now), as: kind)
    }
    if machine.snapshot.state != .idle {
      throw Violation(rule: "every state ends", detail: "\(machine.snapshot.state)")
    }
  }
}
