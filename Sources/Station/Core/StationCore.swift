import ImagePicker
import Platform
import StationConfiguration
import Trigger

/// The owner of the picker's state machine, which performs the machine's effects.
///
/// The core lives on one ``Platform/EventLoop``, and none of its calls blocks. The
/// ``CandidateStoring`` does the work that blocks and answers on the loop. Timers, triggers, camera
/// events and answers all arrive as events of the machine. Only these events change the station's
/// state.
actor StationCore: LoopActor {
  typealias Listener = @Sendable (PickerMachine.Snapshot) -> Void

  nonisolated let loop: EventLoop
  nonisolated let system: any SystemCalls
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  let store: any CandidateStoring
  /// The recorder of movies, or `nil` when the station records none.
  let movies: (any MovieStoring)?
  /// The camera, the library and the settings of future photos and movies.
  private(set) var studio: Studio
  let log = Log("station")
  var machine: PickerMachine
  private var timers: [TimerToken: EventLoop.Token] = [:]
  private var outcomes = SessionOutcomes()
  private var listeners: [@Sendable (PickerMachine.Snapshot) -> Void] = []
  private var outcomeListeners: [@Sendable (SessionID, PickerMachine.Outcome, Picked?) -> Void] = []
  /// The media of the last session, until the outcome listeners have received them.
  private var picked: (candidate: CandidateID, media: Picked)?
  private var conditionListeners: [@Sendable () -> Void] = []
  private var noticeListeners: [@Sendable (GuestNotice) -> Void] = []
  /// The page's look during the named session; another session gets the default look.
  private var look: (session: SessionID, look: PageLook)?
  private var nextLook: PageLook?
  /// The time of the last shutter press in the present session.
  private var press: MonotonicTime?

  /// The journal of sessions, or `nil` when no journal is kept.
  private var account: SessionLedger?

  /// The state that other threads see; ``publish()`` updates it.
  struct View: Sendable {
    var snapshot: PickerMachine.Snapshot?
    var tally = PhotoTally()
    var refusal: PickerReason?
  }
  nonisolated let view = Published(View())

  private(set) var tally = PhotoTally()
  private(set) var lastRefusal: PickerReason?

  /// Creates the station's core, which refuses every press until its resources are reported ready.
  init(
    machine: PickerMachine, store: any CandidateStoring, movies: (any MovieStoring)? = nil,
    studio: Studio = Studio(), loop: EventLoop, system: any SystemCalls
  ) {
    self.machine = machine
    self.store = store
    self.movies = movies
    self.studio = studio
    self.loop = loop
    self.system = system
  }

  // MARK: Requests

  /// Changes the studio of future photos and movies.
  func updateStudio(_ change: @Sendable (inout Studio) -> Void) {
    change(&studio)
    movies?.use(studio)
  }

  /// Calls `listener` on the loop with every change of the state.
  ///
  /// The first call passes the present state at once.
  func listen(_ listener: @escaping Listener) {
    listeners.append(listener)
    listener(machine.snapshot)
  }

  /// Sends the condition of a resource to the machine.
  func note(_ resource: PickerMachine.Condition.Resource, _ condition: PickerMachine.Condition) {
    send(.condition(resource, condition))
  }

  /// Sends the condition of a resource to the machine, and then calls the condition listeners.
  func report(_ resource: PickerMachine.Condition.Resource, _ condition: PickerMachine.Condition) {
    note(resource, condition)
    conditionListeners.forEach { $0() }
  }

  /// Calls `listener` on the loop after each ``report(_:_:)``.
  func listenToConditions(_ listener: @escaping @Sendable () -> Void) {
    conditionListeners.append(listener)
  }

  /// Uses other settings as soon as the present session is over.
  func reconfigure(_ configuration: PickerMachine.Configuration) {
    machine.reconfigure(configuration)
  }

  /// Performs a trigger's action for any source; returns a reply that describes the effect.
  func handle(_ trigger: TriggerEvent) -> TriggerReply {
    guard trigger.action.isForPicker else {
      return TriggerReply(
        isAccepted: false, text: "\(trigger.action.rawValue) is not for the picker")
    }
    let before = machine.snapshot
    let refusal = refusal {
      // `event(of:)` may begin a session for `record`, and its refusal counts as the trigger's
      // refusal.
      let event = event(of: trigger)
      if event == .shutter || event == .retake { press = trigger.time }
      send(event, at: trigger.time)
    }
    let after = machine.snapshot
    let reply = TriggerReply(trigger.action, before: before, after: after, refusal: refusal)
    let isIgnored = before == after && refusal == nil && trigger.clock == .kernel
    log.record(trigger, reply, session: after.session, isIgnored: isIgnored)
    return reply
  }

  private func event(of trigger: TriggerEvent) -> PickerMachine.Event {
    switch trigger.action {
    case .accept: .accept
    case .retake: .retake
    case .cancel: .cancel
    case .next: .chooseFrame(.next)
    case .previous: .chooseFrame(.previous)
    case .record: recordingEvent(at: trigger.time)
    case .shutter, .reload, .status, .quit, .shutdown: .shutter
    }
  }

  /// Returns the reason for which `body` was refused.
  ///
  /// Without a refusal, `lastRefusal` keeps its previous value.
  private func refusal(of body: () -> Void) -> PickerReason? {
    let before = lastRefusal
    lastRefusal = nil
    body()
    let refusal = lastRefusal
    if refusal == nil { lastRefusal = before }
    return refusal
  }

  /// Begins a session without a press, for a presented picker.
  ///
  /// `library` is the condition of the library for the request's source, and `look` the look of the
  /// page.
  func begin(
    _ request: PickerMachine.Request, library: PickerMachine.Condition, look: PageLook = PageLook()
  ) throws(PickerError) -> SessionID {
    if machine.isOccupied { throw PickerError.alreadyPresenting }
    if machine.conditions.library != library { note(.library, library) }
    if let reason = machine.obstacle(to: request) { throw PickerError.sessionFailed(reason) }
    nextLook = look
    defer { nextLook = nil }
    send(.begin(request))
    guard let session = machine.session?.id else {
      throw PickerError.sessionFailed(PickerReason(.stationFault))
    }
    return session
  }

  /// Calls `listener` on the loop with the outcome and the media of every session.
  func listenToOutcomes(
    _ listener: @escaping @Sendable (SessionID, PickerMachine.Outcome, Picked?) -> Void
  ) {
    outcomeListeners.append(listener)
  }

  /// Calls `listener` on the loop with every message that does not change the state.
  func listenToNotices(_ listener: @escaping @Sendable (GuestNotice) -> Void) {
    noticeListeners.append(listener)
  }

  /// Performs a page's request completely, or throws without changing anything.
  ///
  /// `library` is the condition of the library for the source of a session to begin.
  func ask(
    _ event: PickerMachine.Event, session: SessionID?, library: PickerMachine.Condition = .ready
  ) throws(CoreRefusal) {
    if let session, session != machine.session?.id { throw .sessionOver }
    let isFirst = !machine.isOccupied
    if event == .startRecording { try prepareRecording() }
    defer {
      // A refused request must not leave the guest in a new session with a live picture.
      if event == .startRecording, isFirst, machine.state == .live { send(.dismiss) }
    }
    if case .begin(let request) = event {
      do throws(PickerError) {
        _ = try begin(request, library: library)
        return
      } catch {
        throw .notBegun(error)
      }
    }
    let before = machine.snapshot
    let refusal = refusal {
      if event == .shutter || event == .retake { press = system.monotonicTime() }
      send(event)
    }
    if let refusal { throw .refused(refusal) }
    // An extension may leave the snapshot as it is, and is no error.
    guard machine.snapshot == before, event != .extend else { return }
    throw .meaningless(before.state.name)
  }

  /// Begins a session with a press at `time`, and returns the session.
  ///
  /// Throws the reason when no session begins.
  func press(at time: MonotonicTime) throws(PickerReason) -> SessionID {
    lastRefusal = nil
    press = time
    let before = machine.session?.id
    send(.shutter, at: time)
    guard let session = machine.session?.id, session != before else {
      throw lastRefusal ?? PickerReason(.stationFault)
    }
    return session
  }

  /// Writes future sessions to `account`; `nil` ends the journal.
  func keep(account: SessionLedger?) { self.account = account }

  /// Publishes the present state to other threads.
  func publish() {
    view.publish(View(snapshot: machine.snapshot, tally: tally, refusal: lastRefusal))
  }

  /// Waits for the end of a session and returns its outcome.
  func outcome(of session: SessionID) async -> PickerMachine.Outcome {
    if let outcome = outcomes.take(session) { return outcome }
    return await withCheckedContinuation { outcomes.add($0, for: session) }
  }

  /// Returns the report of a recently saved candidate.
  func report(of candidate: CandidateID) -> PhotoReport? { tally.reports[candidate] }

  /// Records the reason for which a guest's request was refused.
  func refused(_ reason: PickerReason) { lastRefusal = reason }

  /// Ends the present session, unless the session is saving.
  func dismiss() { send(.dismiss) }

  /// The look of the page during the present session.
  var pageLook: PageLook {
    guard let look, look.session == machine.session?.id else { return PageLook() }
    return look.look
  }

  // MARK: The machine

  /// Sends one event to the machine and performs its effects.
  func send(_ event: PickerMachine.Event, at time: MonotonicTime? = nil, session: SessionID? = nil)
  {
    let now = system.monotonicTime()
    let before = machine.state
    let effects = machine.handle(
      event, at: PickerInstant(time ?? now), now: PickerInstant(now), session: session)
    account?.note(event, effects, at: now, reports: tally.reports)
    log.record(effects, of: event, in: before)
    effects.forEach(perform)
  }

  private func perform(_ effect: PickerMachine.Effect) {
    switch effect {
    case .began(let session, _):
      look = nextLook.map { (session, $0) }
      log.info("session \(session.rawValue) began", [("session", "\(session.rawValue)")])
    case .startTimer(let token, let deadline):
      startTimer(token, deadline)
    case .cancelTimer(let token):
      if let timer = timers.removeValue(forKey: token) { loop.cancel(timer) }
    case .capture(let candidate, let session, let moment):
      capture(candidate, session, moment)
    case .record(let candidate, let session, let moment, let maximum):
      record(candidate, session, moment, maximum)
    case .stopRecording(let candidate, let moment):
      movies?.stop(candidate, at: MonotonicTime(moment))
    case .addStill(let candidate, let session, let moment):
      addStill(candidate, session, moment)
    case .discard(let candidate):
      movies?.discard(candidate)
      store.discard(candidate, in: studio)
    case .useFrame(let candidate, let session, let frame):
      useFrame(candidate, session, frame)
    case .save(let candidate, let session, let edit, let frame):
      save(candidate, session, edit, frame)
    case .collect(let candidate, let session, let choices):
      collect(candidate, session, choices)
    case .changed(let snapshot):
      listeners.forEach { $0(snapshot) }
    case .refuse(let reason):
      lastRefusal = reason
      log.notice("refused: \(reason.operatorMessage)")
      report(.refused(reason))
    case .announce(.saveIsSlow):
      log.warning("the disk is slow: a photo is still being saved")
      report(.saveIsSlow)
    case .announce(.movieCutShort):
      // The reason was logged when the movie ended.
      report(.movieCutShort)
    case .deliver(let session, let outcome):
      deliver(session, outcome)
    }
  }

  private func report(_ notice: GuestNotice) { noticeListeners.forEach { $0(notice) } }

  private func startTimer(_ token: TimerToken, _ deadline: PickerInstant) {
    guard timers[token] == nil else { return }
    timers[token] = loop.schedule(at: MonotonicTime(deadline)) { [weak self] in
      self?.assumeIsolated { core in
        core.timers[token] = nil
        core.send(.timer(token))
      }
    }
  }

  private func capture(_ candidate: CandidateID, _ session: SessionID, _ moment: PickerInstant) {
    let moment = MonotonicTime(moment)
    let exposure = Exposure(
      candidate: candidate, session: session, press: press ?? moment, moment: moment,
      frames: machine.reviewFrames)
    store.make(exposure, in: studio) { [weak self] frames in
      self?.perform { $0.send(.framesOffered(candidate, frames), session: session) }
    } answer: { [weak self] result in
      self?.perform { core in
        switch result {
        case .success: core.send(.captured(candidate), session: session)
        case .failure(let reason):
          core.log.warning(
            "session \(session.rawValue): no photo: \(reason.operatorMessage)",
            [("session", "\(session.rawValue)")])
          core.send(.captureFailed(candidate, reason), session: session)
        }
      }
    }
  }

  private func useFrame(_ candidate: CandidateID, _ session: SessionID, _ frame: Int) {
    store.useFrame(candidate, frame, in: studio) { [weak self] result in
      self?.perform { core in
        switch result {
        case .success: core.send(.frameReady(candidate, frame), session: session)
        case .failure(let reason):
          core.log.warning(
            "session \(session.rawValue): another frame: \(reason.operatorMessage)",
            [("session", "\(session.rawValue)")])
          core.send(.frameFailed(candidate, frame, reason), session: session)
        }
      }
    }
  }

  private func save(
    _ candidate: CandidateID, _ session: SessionID, _ edit: PickerEdit?, _ frame: Int?
  ) {
    store.save(candidate, edit: edit, frame: frame, in: studio) { [weak self] result in
      self?.perform { core in
        core.movies?.release(candidate)
        switch result {
        case .success(let picked):
          core.picked = (candidate, picked)
          guard let report = picked.report else { return }
          core.tally.add(report, of: candidate)
          core.log.record(saved: report, in: session)
          core.send(.saved(candidate), session: session)
        case .failure(let reason):
          core.log.error(
            "session \(session.rawValue): not saved: \(reason.operatorMessage)",
            [("session", "\(session.rawValue)")])
          core.send(.saveFailed(candidate, reason), session: session)
        }
      }
    }
  }

  private func collect(
    _ candidate: CandidateID, _ session: SessionID, _ choices: [PickerChoice]
  ) {
    let allowsMovies = machine.session?.request.mediaTypes.contains(.movie) == true
    store.collect(candidate, choices, allowsMovies: allowsMovies, in: studio) {
      [weak self] result in
      self?.perform { core in
        // The job belongs to a session that was cancelled or timed out.
        guard core.machine.state.candidate == candidate else { return }
        switch result {
        case .success(let media):
          core.picked = (candidate, Picked(chosen: media))
          core.log.notice(
            "chosen", [("session", "\(session.rawValue)"), ("pictures", "\(media.count)")])
          core.send(.saved(candidate), session: session)
        case .failure(let reason):
          core.log.warning("session \(session.rawValue): \(reason.operatorMessage)")
          core.send(.saveFailed(candidate, reason), session: session)
        }
      }
    }
  }

  private func deliver(_ session: SessionID, _ outcome: PickerMachine.Outcome) {
    if case .failed(let reason) = outcome { lastRefusal = reason }
    var given: Picked?
    if case .finished(let candidate) = outcome, picked?.candidate == candidate {
      given = picked?.media
    }
    picked = nil
    outcomeListeners.forEach { $0(session, outcome, given) }
    outcomes.deliver(outcome, of: session)
  }
}

extension PickerInstant {
  init(_ time: MonotonicTime) { self.init(nanoseconds: time.nanoseconds) }
}

extension MonotonicTime {
  init(_ instant: PickerInstant) { self.init(nanoseconds: instant.nanoseconds) }
}

extension PickerReason {
  /// The operator's message: the problem with its fix, or the guest's message when no problem is
  /// known.
  var operatorMessage: String { problem.map(\.description) ?? guestMessage }
}
