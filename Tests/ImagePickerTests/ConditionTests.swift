import ImagePicker
import Testing

@Suite("What fails")
struct ConditionTests {
  static let lost = PickerReason(.cameraUnavailable)
  static let full = PickerReason(.storageFull)
  static let gone = PickerReason(.libraryUnavailable)

  @Test(
    "a lost camera fails what waits for it, and costs no picture that exists",
    arguments:
      PickerMachine.State.Name.allCases)
  func cameraLost(state: PickerMachine.State.Name) {
    var booth = Booth.in(state)
    let before = booth.machine.snapshot
    let effects = booth.send(.condition(.camera, .unavailable(Self.lost)), at: 10_000)
    if state == .live || state == .countdown {
      #expect(effects.outcomes == [.failed(Self.lost)])
    } else {
      #expect(effects.isEmpty)
      #expect(booth.machine.snapshot == before)
    }
  }

  @Test(
    "a full disk fails a countdown; elsewhere the press or the save decides",
    arguments:
      PickerMachine.State.Name.allCases)
  func diskFull(state: PickerMachine.State.Name) {
    var booth = Booth.in(state)
    let before = booth.machine.snapshot
    let effects = booth.send(.condition(.storage, .unavailable(Self.full)), at: 10_000)
    if state == .countdown {
      #expect(effects.outcomes == [.failed(Self.full)])
    } else {
      #expect(effects.isEmpty)
      #expect(booth.machine.snapshot == before)
    }
  }

  @Test(
    "a vanished library fails who looks at it",
    arguments:
      PickerMachine.State.Name.allCases)
  func libraryGone(state: PickerMachine.State.Name) {
    var booth = Booth.in(state)
    let effects = booth.send(.condition(.library, .unavailable(Self.gone)), at: 10_000)
    let looks = state == .browsing || state == .editing
    #expect(effects.outcomes == (looks ? [.failed(Self.gone)] : []))
  }

  @Test(
    "a fault fails every state whose outcome is open, but a save",
    arguments:
      PickerMachine.State.Name.allCases)
  func fault(state: PickerMachine.State.Name) {
    var booth = Booth.in(state)
    let session = booth.machine.session
    let candidate = booth.machine.state.candidate
    let reason = PickerReason(.stationFault)
    let effects = booth.send(.fault(reason), at: 10_000)
    switch state {
    case .saving, .finished, .cancelled, .failed: #expect(effects.isEmpty)
    default:
      #expect(booth.machine.state == .failed(reason))
      #expect(effects.outcomes.count == (session == nil ? 0 : 1))
      if let candidate { #expect(effects.contains(.discard(candidate))) }
    }
  }

  @Test("a capture that fails fails the session, and leaves nothing")
  func captureFailed() {
    var booth = Booth.in(.capturing)
    let (candidate, reason) = (booth.candidate, PickerReason(.captureFailed))
    let effects = booth.send(.captureFailed(candidate, reason), at: 5_000)
    #expect(effects.outcomes == [.failed(reason)])
    #expect(effects.contains(.discard(candidate)))
  }

  @Test("a still that comes after the watchdog is discarded")
  func lateStill() {
    var booth = Booth.in(.capturing)
    let candidate = booth.candidate
    #expect(booth.expire().outcomes == [.failed(PickerReason(.captureTimedOut))])
    #expect(booth.send(.captured(candidate), at: 20_000) == [.discard(candidate)])
    #expect(booth.name == .failed)
  }

  @Test(
    "after any failure the next guest starts from idle, with nothing inherited",
    arguments:
      PickerMachine.State.Name.allCases)
  func freshAfterFailure(state: PickerMachine.State.Name) {
    var booth = Booth.in(state)
    booth.send(.saveFailed(booth.candidate, PickerReason(.saveFailed)), at: 10_000)
    booth.send(.fault(PickerReason(.stationFault)), at: 10_000)
    booth.send(.fault(PickerReason(.stationFault)), at: 10_000)
    booth.expire()
    #expect(booth.machine.snapshot == Booth().machine.snapshot)
    let request = PickerMachine.Request(source: .savedPhotosAlbum, selectionLimit: 0)
    booth.send(.begin(request), at: 40_000)
    #expect(booth.machine.state == .browsing([]))
    #expect(booth.machine.session?.request == request)
  }
}
