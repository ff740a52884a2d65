import ImagePicker
import Platform
import StationTestSupport
import Synchronization
import Testing
import Trigger

@testable import Station

/// A store whose answers the test gives.
private final class PuppetStore: CandidateStoring {
  struct Held: Sendable {
    var exposures: [Exposure] = []
    var makes: [@Sendable (Result<Void, PickerReason>) -> Void] = []
    var saves: [@Sendable (Result<PhotoReport, PickerReason>) -> Void] = []
    var discarded: [CandidateID] = []
    var offers: [@Sendable (ReviewFrames) -> Void] = []
    var uses: [(frame: Int, answer: @Sendable (Result<Void, PickerReason>) -> Void)] = []
    var savedFrames: [Int?] = []
  }
  let held = Mutex(Held())

  func make(
    _ exposure: Exposure, in studio: Studio, offer: @escaping @Sendable (ReviewFrames) -> Void,
    answer: @escaping @Sendable (Result<Void, PickerReason>) -> Void
  ) {
    held.withLock {
      $0.exposures.append(exposure)
      $0.offers.append(offer)
      $0.makes.append(answer)
    }
  }

  func useFrame(
    _ candidate: CandidateID, _ frame: Int, in studio: Studio,
    answer: @escaping @Sendable (Result<Void, PickerReason>) -> Void
  ) {
    held.withLock { $0.uses.append((frame, answer)) }
  }

  func save(
    _ candidate: CandidateID, edit: PickerEdit?, frame: Int?, in studio: Studio,
    answer: @escaping @Sendable (Result<Picked, PickerReason>) -> Void
  ) {
    held.withLock { held in
      held.savedFrames.append(frame)
      held.saves.append { answer($0.map { Picked($0, still: nil, edited: nil) }) }
    }
  }

  func collect(
    _ candidate: CandidateID,
    _ choices: [PickerChoice], allowsMovies: Bool, in studio: Studio,
    answer: @escaping @Sendable (Result<[PickedMedia], PickerReason>) -> Void
  ) {
    answer(.failure(PickerReason(.libraryUnavailable)))
  }

  func discard(_ candidate: CandidateID, in studio: Studio) {
    held.withLock { $0.discarded.append(candidate) }
  }
}

@Suite struct StationCoreTests {
  /// A station's loop with its puppets; every step waits until the loop has done its part.
  private final class Stage: Sendable {
    let clock = ManualClock()
    let system: FaultySystemCalls
    let loop: EventLoop
    let store = PuppetStore()
    let core: StationCore

    init(countdown: Duration = .zero) async throws {
      system = FaultySystemCalls(clock: clock)
      loop = try EventLoop("test", system: system)
      var configuration = PickerMachine.Configuration()
      configuration.countdown = countdown
      core = StationCore(
        machine: PickerMachine(configuration: configuration, conditions: .ready), store: store,
        loop: loop, system: system)
    }

    deinit { loop.stop() }

    func state() async -> PickerMachine.State.Name { await core.machine.state.name }

    func advance(_ duration: Duration) async {
      clock.advance(by: duration)
      // Once round the loop for the timers, once more for what they queued.
      for _ in 0..<3 { await loop.run {} }
    }

    func press(_ action: TriggerAction) async -> TriggerReply {
      await core.handle(
        TriggerEvent(
          action: action, time: clock.now, clock: .kernel, source: "test"))
    }

    func answerMake(_ result: Result<Void, PickerReason>) async throws {
      let answer = try #require(
        store.held.withLock { $0.makes.isEmpty ? nil : $0.makes.removeFirst() })
      answer(result)
      for _ in 0..<3 { await loop.run {} }
    }

    func answerSave(_ result: Result<PhotoReport, PickerReason>) async throws {
      let answer = try #require(
        store.held.withLock { $0.saves.isEmpty ? nil : $0.saves.removeFirst() })
      answer(result)
      for _ in 0..<3 { await loop.run {} }
    }

    static let report = PhotoReport(
      path: "/p/IMG_00000001.jpg", camera: "demo", sequence: 7, pressNanoseconds: 0,
      momentNanoseconds: 0, frameNanoseconds: 0, frameClock: "driver", deltaMilliseconds: 0,
      width: 3, height: 4, trimmedPixels: 0, framesRejected: 0)
  }

  @Test("a press is an exposure of its own moment") func aPressIsAnExposureOfItsOwnMoment()
    async throws
  {
    let stage = try await Stage()
    let pressed = stage.clock.now
    let reply = await stage.press(.shutter)
    #expect(reply == TriggerReply(isAccepted: true, text: "capturing, session 1"))
    let exposures = stage.store.held.withLock { $0.exposures }
    #expect(exposures.count == 1)
    #expect(exposures.first?.moment == pressed)
    #expect(exposures.first?.press == pressed)
  }

  @Test("with a countdown the moment is its end by the press's own time")
  func withACountdownTheMomentIsItsEndByThePressesOwnTime() async throws {
    let stage = try await Stage(countdown: .seconds(3))
    let pressed = stage.clock.now
    // The loop hears of the press 40 ms later.
    stage.clock.advance(by: .milliseconds(40))
    _ = await stage.core.handle(
      TriggerEvent(action: .shutter, time: pressed, clock: .kernel, source: "test"))
    #expect(await stage.state() == .countdown)
    await stage.advance(.milliseconds(2959))
    #expect(await stage.state() == .countdown)
    await stage.advance(.milliseconds(1))
    #expect(await stage.state() == .capturing)
    let exposure = try #require(stage.store.held.withLock { $0.exposures.first })
    #expect(exposure.moment == pressed + .seconds(3))
    #expect(exposure.press == pressed)
  }

  @Test("an accepted photo is reported once it is saved")
  func anAcceptedPhotoIsReportedOnceItIsSaved() async throws {
    let stage = try await Stage()
    _ = await stage.press(.shutter)
    try await stage.answerMake(.success(()))
    #expect(await stage.state() == .reviewing)
    // The accept is too early, because no guest can have seen the review yet.
    #expect(await stage.press(.accept).isAccepted == false)
    await stage.advance(.milliseconds(800))
    #expect(await stage.press(.accept).isAccepted)
    #expect(await stage.state() == .saving)
    #expect(await stage.core.tally.photos == 0)
    try await stage.answerSave(.success(Stage.report))
    #expect(await stage.state() == .finished)
    #expect(await stage.core.tally.photos == 1)
    #expect(await stage.core.tally.last == Stage.report)
    #expect(await stage.core.outcome(of: SessionID(rawValue: 1)) == .finished(.init(rawValue: 1)))
  }

  @Test("a refusal says why and what to do") func aRefusalSaysWhyAndWhatToDo() async throws {
    let stage = try await Stage()
    let problem = AccessProblem(
      subject: "booth", object: "the camera front", cause: "not plugged in", fix: "plug it in")
    await stage.core.record(
      .camera, .unavailable(PickerReason(.cameraUnavailable, problem: problem)))
    let reply = await stage.press(.shutter)
    #expect(!reply.isAccepted)
    #expect(reply.text == problem.description)
    #expect(stage.store.held.withLock { $0.exposures.isEmpty })
  }

  @Test(
    "a key without meaning is refused",
    arguments: [
      (TriggerAction.accept, "no photo to accept"), (.retake, "no photo to retake"),
      (.cancel, "no session to cancel"),
    ])
  func aKeyWithoutMeaningIsRefused(action: TriggerAction, words: String) async throws {
    let stage = try await Stage()
    let reply = await stage.press(action)
    #expect(
      reply
        == TriggerReply(
          isAccepted: false, text: "\(words): the state is idle"))
  }

  @Test("a failed capture fails the session and the next guest starts anew")
  func aFailedCaptureFailsTheSessionAndTheNextGuestStartsAnew() async throws {
    let stage = try await Stage()
    _ = await stage.press(.shutter)
    try await stage.answerMake(.failure(PickerReason(.captureFailed)))
    #expect(await stage.state() == .failed)
    #expect(
      await stage.core.outcome(of: SessionID(rawValue: 1)) == .failed(PickerReason(.captureFailed)))
    await stage.advance(.seconds(10))
    #expect(await stage.state() == .idle)
    #expect(await stage.press(.shutter).text == "capturing, session 2")
  }

  @Test("cancel discards and a late still is discarded too")
  func cancelDiscardsAndALateStillIsDiscardedToo() async throws {
    let stage = try await Stage()
    _ = await stage.press(.shutter)
    #expect(await stage.press(.cancel).isAccepted)
    #expect(stage.store.held.withLock { $0.discarded } == [CandidateID(rawValue: 1)])
    try await stage.answerMake(.success(()))
    #expect(stage.store.held.withLock { Set($0.discarded) } == [CandidateID(rawValue: 1)])
    #expect(await stage.state() != .reviewing)
  }

  @Test("timers of an earlier session change nothing") func timersOfAnEarlierSessionChangeNothing()
    async throws
  {
    let stage = try await Stage(countdown: .seconds(3))
    _ = await stage.press(.shutter)
    await stage.advance(.seconds(1))
    _ = await stage.press(.cancel)
    await stage.advance(.seconds(1))
    _ = await stage.press(.shutter)
    let second = stage.clock.now
    // The end of the first countdown passes in the second one.
    await stage.advance(.seconds(2))
    #expect(await stage.state() == .countdown)
    await stage.advance(.seconds(1))
    #expect(stage.store.held.withLock { $0.exposures.map(\.moment) } == [second + .seconds(3)])
  }

  private func refusal(
    of event: PickerMachine.Event, session: UInt64? = nil, at stage: Stage
  ) async -> CoreRefusal? {
    do throws(CoreRefusal) {
      try await stage.core.ask(event, session: session.map(SessionID.init(rawValue:)))
      return nil
    } catch {
      return error
    }
  }

  @Test("a page's wish is done or refused in the core's own words")
  func aPagesWishIsDoneOrRefusedInTheCoresOwnWords() async throws {
    let stage = try await Stage()
    #expect(await refusal(of: .accept, at: stage) == .meaningless(.idle))
    #expect(await refusal(of: .shutter, at: stage) == nil)
    #expect(await refusal(of: .cancel, session: 7, at: stage) == .sessionOver)
    let request = PickerMachine.Request(source: .camera)
    #expect(await refusal(of: .begin(request), at: stage) == .notBegun(.alreadyPresenting))
    #expect(await refusal(of: .cancel, session: 1, at: stage) == nil)
    let reason = PickerReason(.moviesUnavailable)
    await stage.advance(.seconds(10))
    await stage.core.record(.movies, .unavailable(reason))
    #expect(await refusal(of: .startRecording, at: stage) == .refused(reason))
    #expect(await stage.state() == .idle)
  }

  @Test("listeners hear of every change") func listenersHearOfEveryChange() async throws {
    let stage = try await Stage()
    let heard = Mutex<[PickerMachine.State.Name]>([])
    await stage.core.listen { snapshot in heard.withLock { $0.append(snapshot.state.name) } }
    _ = await stage.press(.shutter)
    try await stage.answerMake(.success(()))
    await stage.advance(.seconds(1))
    _ = await stage.press(.retake)
    #expect(
      heard.withLock { $0 }.filter { $0 != .live } == [.idle, .capturing, .reviewing, .capturing])
  }
}
