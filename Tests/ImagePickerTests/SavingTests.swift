import ImagePicker
import Testing

@Suite("A save")
struct SavingTests {
  @Test("is finished when the photo is durable, and not before")
  func finished() {
    var booth = Booth.in(.reviewing)
    #expect(booth.send(.accept, at: 6_000).outcomes.isEmpty)
    let candidate = booth.candidate
    #expect(booth.send(.saved(candidate), at: 6_500).outcomes == [.finished(candidate)])
    #expect(booth.send(.saved(candidate), at: 6_501).isEmpty)
  }

  @Test("that failed is never shown as success; its candidate is discarded")
  func failed() {
    var booth = Booth.in(.saving)
    let (candidate, reason) = (booth.candidate, PickerReason(.saveFailed))
    let effects = booth.send(.saveFailed(candidate, reason), at: 6_500)
    #expect(effects.outcomes == [.failed(reason)])
    #expect(effects.contains(.discard(candidate)))
    #expect(booth.send(.saved(candidate), at: 6_600).isEmpty)
  }

  @Test(
    "is touched by nothing but its own outcome",
    arguments: [
      PickerMachine.Event.cancel, .dismiss, .shutter, .accept, .retake, .extend, .back,
      .begin(PickerMachine.Request()), .fault(PickerReason(.stationFault)),
      .condition(.storage, .unavailable(PickerReason(.storageFull))),
      .condition(.camera, .unavailable(PickerReason(.cameraUnavailable))),
      .saved(CandidateID(rawValue: 99)),
      .saveFailed(CandidateID(rawValue: 99), PickerReason(.saveFailed)),
    ])
  func untouched(event: PickerMachine.Event) {
    var booth = Booth.in(.saving)
    let before = booth.machine.snapshot
    #expect(booth.send(event, at: 6_200).isEmpty)
    #expect(booth.machine.snapshot == before)
  }

  @Test("that the disk holds up says so, again and again, and reports its outcome once")
  func slow() {
    var booth = Booth.in(.saving)
    for _ in 0..<3 {
      #expect(booth.expire().contains(.announce(.saveIsSlow)))
      #expect(booth.send(.cancel, at: 60_000).isEmpty)
    }
    #expect(booth.machine.state == .saving(booth.candidate, slow: true))
    #expect(booth.send(.saved(booth.candidate), at: 90_000).outcomes.count == 1)
  }
}
