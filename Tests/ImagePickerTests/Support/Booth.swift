import ImagePicker

/// A machine with shortcuts to every state; times are in milliseconds.
struct Booth {
  var machine: PickerMachine

  init(
    countdown: Duration = .seconds(3), conditions: PickerMachine.Conditions = .ready,
    _ configure: (inout PickerMachine.Configuration) -> Void = { _ in }
  ) {
    var configuration = PickerMachine.Configuration()
    configuration.countdown = countdown
    configure(&configuration)
    machine = PickerMachine(configuration: configuration, conditions: conditions)
  }

  var name: PickerMachine.State.Name { machine.state.name }
  var candidate: CandidateID { machine.state.candidate ?? CandidateID(rawValue: 0) }

  @discardableResult
  mutating func send(
    _ event: PickerMachine.Event, at time: Int64, now: Int64? = nil, session: SessionID? = nil
  ) -> [PickerMachine.Effect] {
    machine.handle(
      event, at: .milliseconds(time), now: now.map(PickerInstant.milliseconds), session: session)
  }

  /// Lets the running timer fire at its deadline.
  @discardableResult
  mutating func expire() -> [PickerMachine.Effect] {
    guard let timer = machine.timer else { return [] }
    return machine.handle(.timer(timer.token), at: timer.deadline)
  }

  /// Returns a booth in that state.
  ///
  /// The state is reached by 10,000 ms; a review has been shown since 5,000 ms.
  static func `in`(
    _ state: PickerMachine.State.Name,
    _ configure: (inout PickerMachine.Configuration) -> Void = { _ in }
  ) -> Booth {
    var booth = Booth(countdown: .seconds(3), configure)
    switch state {
    case .idle: break
    case .live: booth.send(.begin(PickerMachine.Request(allowsEditing: true)), at: 1_000)
    case .countdown:
      booth = .in(.live, configure)
      booth.send(.shutter, at: 1_500)
    case .capturing:
      booth = .in(.countdown, configure)
      booth.expire()
    case .recording:
      booth.send(
        .begin(PickerMachine.Request(mediaTypes: [.image, .movie], captureMode: .video)),
        at: 1_000)
      booth.send(.shutter, at: 2_000)
    case .reviewing:
      booth = .in(.capturing, configure)
      booth.send(.captured(booth.candidate), at: 5_000)
    case .saving:
      booth = .in(.reviewing, configure)
      booth.send(.accept, at: 6_000)
    case .browsing:
      booth.send(
        .begin(
          PickerMachine.Request(source: .photoLibrary, allowsEditing: true, selectionLimit: 3)),
        at: 1_000)
      booth.send(.select("a"), at: 2_000)
    case .editing:
      booth = .in(.browsing, configure)
      booth.send(.openEditor("b"), at: 3_000)
    case .finished:
      booth = .in(.saving, configure)
      booth.send(.saved(booth.candidate), at: 6_500)
    case .cancelled:
      booth = .in(.live, configure)
      booth.send(.cancel, at: 2_000)
    case .failed:
      booth = .in(.live, configure)
      booth.send(.fault(PickerReason(.stationFault)), at: 2_000)
    }
    return booth
  }
}

extension [PickerMachine.Effect] {
  var captures: [PickerInstant] {
    compactMap { if case .capture(_, _, let moment) = $0 { moment } else { nil } }
  }
  var recordings: [PickerInstant] {
    compactMap { if case .record(_, _, let moment, _) = $0 { moment } else { nil } }
  }
  var outcomes: [PickerMachine.Outcome] {
    compactMap { if case .deliver(_, let outcome) = $0 { outcome } else { nil } }
  }
  var refusals: [PickerReason.Code] {
    compactMap { if case .refuse(let reason) = $0 { reason.code } else { nil } }
  }
  var saves: Int { count { if case .save = $0 { true } else { false } } }
  var began: [SessionID] {
    compactMap { if case .began(let session, _) = $0 { session } else { nil } }
  }
}
