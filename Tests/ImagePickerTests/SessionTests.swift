import ImagePicker
import Testing

@Suite("A session")
struct SessionTests {
  @Test("goes from idle to finished and back, and is delivered once")
  func whole() {
    var booth = Booth()
    var effects = booth.send(.begin(PickerMachine.Request()), at: 1_000)
    #expect(booth.name == .live)
    effects += booth.send(.shutter, at: 2_000)
    #expect(booth.name == .countdown)
    effects += booth.expire()
    #expect(booth.name == .capturing)
    effects += booth.send(.captured(booth.candidate), at: 5_100)
    #expect(booth.name == .reviewing)
    effects += booth.send(.accept, at: 6_000)
    #expect(booth.name == .saving)
    effects += booth.send(.saved(booth.candidate), at: 6_050)
    #expect(booth.name == .finished)
    effects += booth.expire()
    #expect(booth.name == .idle)
    #expect(effects.outcomes == [.finished(CandidateID(rawValue: 1))])
    #expect(booth.machine.snapshot == Booth().machine.snapshot)
  }

  @Test(
    "can be cancelled in every state but saving; nothing of it is left",
    arguments:
      PickerMachine.State.Name.allCases)
  func cancel(state: PickerMachine.State.Name) {
    for event in [PickerMachine.Event.cancel, .dismiss] {
      var booth = Booth.in(state)
      let candidate = booth.machine.state.candidate
      let isEnd = booth.machine.state.isEnd
      let effects = booth.send(event, at: 10_000)
      switch state {
      case .idle, .saving: #expect(effects.isEmpty)
      default:
        #expect(booth.name == (isEnd || event == .dismiss ? .idle : .cancelled))
        #expect(effects.outcomes == (isEnd ? [] : [.cancelled]))
        if let candidate, !isEnd { #expect(effects.contains(.discard(candidate))) }
      }
    }
  }

  @Test(
    "is not touched by an event that names another",
    arguments:
      PickerMachine.State.Name.allCases)
  func stale(state: PickerMachine.State.Name) {
    let events: [PickerMachine.Event] = [
      .begin(PickerMachine.Request()), .shutter, .accept, .retake, .cancel, .dismiss, .extend,
      .edit(nil), .select("z"), .deselect("a"), .openEditor("z"), .back,
      .fault(PickerReason(.stationFault)),
      .condition(.camera, .unavailable(PickerReason(.cameraUnavailable))),
    ]
    for event in events {
      for number: UInt64 in [0, 2, .max] {
        var booth = Booth.in(state)
        let before = booth.machine
        #expect(
          booth.send(event, at: 10_000, session: SessionID(rawValue: number)).isEmpty, "\(event)")
        #expect(booth.machine == before)
      }
    }
  }

  @Test("takes events that name it, and those that name none", arguments: [true, false])
  func named(named: Bool) {
    var booth = Booth.in(.live)
    booth.send(.shutter, at: 5_000, session: named ? booth.machine.session?.id : nil)
    #expect(booth.name == .countdown)
  }

  @Test(
    "does not begin while another is open",
    arguments: [
      PickerMachine.State.Name.live, .countdown, .capturing, .reviewing, .saving, .browsing,
      .editing,
    ])
  func occupied(state: PickerMachine.State.Name) {
    var booth = Booth.in(state)
    #expect(booth.machine.isOccupied)
    #expect(booth.send(.begin(PickerMachine.Request()), at: 10_000).isEmpty)
  }

  @Test(
    "begins on an end screen, by way of idle",
    arguments: [
      PickerMachine.State.Name.finished, .cancelled, .failed,
    ])
  func afterEnd(state: PickerMachine.State.Name) {
    var booth = Booth.in(state)
    #expect(!booth.machine.isOccupied)
    #expect(booth.send(.begin(PickerMachine.Request()), at: 10_000).began.count == 1)
    #expect(booth.name == .live)
  }

  @Test(
    "is refused without what it needs",
    arguments: [
      (ImagePickerController.SourceType.camera, PickerReason.Code.cameraUnavailable),
      (.photoLibrary, .libraryUnavailable), (.savedPhotosAlbum, .libraryUnavailable),
    ])
  func refused(source: ImagePickerController.SourceType, code: PickerReason.Code) {
    var conditions = PickerMachine.Conditions.ready
    conditions.camera = .unavailable(PickerReason(.cameraUnavailable))
    conditions.library = .unavailable(PickerReason(.libraryUnavailable))
    var booth = Booth(conditions: conditions)
    let request = PickerMachine.Request(source: source)
    #expect(booth.machine.obstacle(to: request)?.code == code)
    #expect(booth.send(.begin(request), at: 1_000).refusals == [code])
    #expect(booth.machine.session == nil)
  }

  @Test("keeps its configuration to the end; the next has the new one")
  func reconfigure() {
    var booth = Booth.in(.live)
    var other = booth.machine.configuration
    other.countdown = .zero
    booth.machine.reconfigure(other)
    booth.send(.shutter, at: 2_000)
    #expect(booth.name == .countdown)
    booth.send(.cancel, at: 3_000)
    booth.expire()
    #expect(booth.machine.configuration == other)
    #expect(booth.send(.shutter, at: 10_000).captures == [.milliseconds(10_000)])
  }

  @Test("that the shutter began is for the camera, whatever the configuration says")
  func shutterRequest() {
    var booth = Booth {
      $0.shutterRequest = PickerMachine.Request(source: .photoLibrary, allowsEditing: true)
    }
    booth.send(.shutter, at: 1_000)
    #expect(
      booth.machine.session?.request == PickerMachine.Request(source: .camera, allowsEditing: true))
  }
}
