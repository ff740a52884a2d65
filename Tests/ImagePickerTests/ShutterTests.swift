import ImagePicker
import Testing

@Suite("A press")
struct ShutterTests {
  @Test("in idle begins a session and counts down from the press")
  func beginsSession() {
    var booth = Booth(countdown: .seconds(3))
    let effects = booth.send(.shutter, at: 1_000, now: 1_040)
    #expect(effects.began == [SessionID(rawValue: 1)])
    #expect(booth.machine.state == .countdown(moment: .milliseconds(4_000)))
    #expect(booth.expire().captures == [.milliseconds(4_000)])
  }

  @Test("without a countdown exposes at the press itself, however late it is handled")
  func noCountdown() {
    var booth = Booth(countdown: .zero)
    #expect(booth.send(.shutter, at: 1_000, now: 1_040).captures == [.milliseconds(1_000)])
    #expect(booth.name == .capturing)
  }

  @Test("that is dated after it is handled counts as pressed when handled")
  func futurePress() {
    var booth = Booth(countdown: .zero)
    #expect(booth.send(.shutter, at: 90_000, now: 1_000).captures == [.milliseconds(1_000)])
  }

  @Test("in idle does nothing where the shutter may not begin a session")
  func idleWithoutStart() {
    var booth = Booth { $0.startsOnShutter = false }
    #expect(booth.send(.shutter, at: 1_000).isEmpty)
    #expect(booth.name == .idle)
  }

  @Test(
    "is ignored in every state that has no use for it",
    arguments: [
      PickerMachine.State.Name.countdown, .capturing, .reviewing, .saving, .browsing, .editing,
    ])
  func ignored(state: PickerMachine.State.Name) {
    var booth = Booth.in(state)
    let before = booth.machine
    #expect(booth.send(.shutter, at: 10_000).isEmpty)
    #expect(booth.machine == before)
  }

  @Test("that follows another within a millisecond is the same exposure", arguments: [0, 3])
  func twoPressesAreOneExposure(countdown: Int) {
    var booth = Booth(countdown: .seconds(countdown))
    var exposures = booth.send(.shutter, at: 1_000).captures
    exposures += booth.send(.shutter, at: 1_000, now: 1_001).captures
    if countdown > 0 { exposures += booth.expire().captures }
    exposures += booth.send(.shutter, at: 1_001, now: 4_500).captures
    #expect(exposures.count == 1)
  }

  @Test("of a bounce does not begin again after the capture failed at once")
  func bounceAfterFailure() {
    var booth = Booth(countdown: .zero)
    booth.send(.shutter, at: 1_000)
    booth.send(.captureFailed(booth.candidate, PickerReason(.captureFailed)), at: 1_020)
    #expect(booth.send(.shutter, at: 1_100).isEmpty)
    #expect(booth.send(.shutter, at: 1_800).captures.count == 1)
  }

  @Test("during a save is no second photo, even if it is handled after the save")
  func pressDuringSaving() {
    var booth = Booth.in(.saving)
    #expect(booth.send(.shutter, at: 6_200).isEmpty)
    booth.send(.saved(booth.candidate), at: 6_500)
    #expect(booth.send(.shutter, at: 6_300, now: 6_600).isEmpty)
    #expect(booth.name == .finished)
  }

  @Test(
    "on an end screen begins the next session from idle",
    arguments: [
      PickerMachine.State.Name.finished, .cancelled, .failed,
    ])
  func endScreen(state: PickerMachine.State.Name) {
    var booth = Booth.in(state)
    let effects = booth.send(.shutter, at: 8_000)
    #expect(effects.began == [SessionID(rawValue: 2)])
    #expect(booth.name == .countdown)
    #expect(
      effects.contains { if case .changed(let shown) = $0 { shown.state == .idle } else { false } })
  }

  @Test("right after a cancel is meant, and counts")
  func pressAfterCancel() {
    var booth = Booth.in(.countdown)
    booth.send(.cancel, at: 1_600)
    #expect(booth.send(.shutter, at: 1_700).began.count == 1)
  }

  @Test(
    "is refused before the countdown, with the reason",
    arguments: [
      (PickerMachine.Condition.Resource.camera, PickerReason.Code.cameraUnavailable),
      (.storage, .storageFull), (.storage, .storageUnavailable),
    ])
  func refused(resource: PickerMachine.Condition.Resource, code: PickerReason.Code) {
    for state in [PickerMachine.State.Name.idle, .live] where state == .idle || resource == .storage
    {
      var booth = Booth.in(state)
      booth.send(.condition(resource, .unavailable(PickerReason(code))), at: 2_000)
      let before = booth.machine
      #expect(booth.send(.shutter, at: 3_000).refusals == [code])
      #expect(booth.machine == before)
      booth.send(.condition(resource, .ready), at: 4_000)
      booth.send(.shutter, at: 5_000)
      #expect(booth.name == .countdown)
    }
  }

  @Test("is refused until the station has said that it is ready")
  func starting() {
    var booth = Booth(conditions: PickerMachine.Conditions())
    #expect(booth.send(.shutter, at: 1_000).refusals == [.starting])
  }

  @Test("in a review accepts where one button does both, and its bounce begins nothing")
  func oneButton() {
    var booth = Booth.in(.reviewing) { $0.shutterAccepts = true }
    #expect(booth.send(.shutter, at: 5_799).isEmpty)
    #expect(booth.send(.shutter, at: 5_800).saves == 1)
    booth.send(.saved(booth.candidate), at: 5_810)
    #expect(booth.send(.shutter, at: 5_900).isEmpty)
  }
}
