import ImagePicker
import Testing

@Suite("A review")
struct ReviewTests {
  @Test(
    "takes an accept by the accept's own date, from 0.8 s on",
    arguments: [
      (time: Int64(4_000), now: Int64(9_000), counts: false),
      (5_000, 5_000, false), (5_799, 9_000, false), (5_799, 5_799, false),
      (5_800, 5_800, true), (5_800, 9_000, true), (20_000, 20_000, true), (20_000, 5_100, false),
    ])
  func acceptDate(time: Int64, now: Int64, counts: Bool) {
    var booth = Booth.in(.reviewing)
    let effects = booth.send(.accept, at: time, now: now)
    #expect(effects.saves == (counts ? 1 : 0))
    #expect(booth.name == (counts ? .saving : .reviewing))
    #expect(effects.isEmpty == !counts)
  }

  @Test("does not remember an accept that came too early")
  func earlyAcceptForgotten() {
    var booth = Booth.in(.reviewing) { $0.reviewEnd = .cancel }
    booth.send(.accept, at: 5_100)
    #expect(booth.expire().outcomes == [.cancelled])
  }

  @Test("saves once, however often it is accepted")
  func acceptTwice() {
    var booth = Booth.in(.reviewing)
    #expect(booth.send(.accept, at: 6_000).saves == 1)
    #expect(booth.send(.accept, at: 6_001).isEmpty)
  }

  @Test(
    "that is not decided ends as configured",
    arguments: [
      (PickerMachine.Configuration.ReviewEnd.accept, PickerMachine.State.Name.saving),
      (.cancel, .cancelled),
    ])
  func timeout(end: PickerMachine.Configuration.ReviewEnd, state: PickerMachine.State.Name) {
    var booth = Booth.in(.reviewing) { $0.reviewEnd = end }
    #expect(booth.machine.timer?.deadline == .milliseconds(35_000))
    let candidate = booth.candidate
    let effects = booth.expire()
    #expect(booth.name == state)
    #expect(effects.contains(.discard(candidate)) == (end == .cancel))
  }

  @Test("is on show for 0.8 s, however short its time is set")
  func shortTimeout() {
    let booth = Booth.in(.reviewing) { $0.reviewTimeout = .milliseconds(1) }
    #expect(booth.machine.timer?.deadline == .milliseconds(5_800))
  }

  @Test("without a timeout is given up in the end, and never accepted by that")
  func abandoned() {
    var booth = Booth.in(.reviewing) {
      $0.reviewTimeout = .zero
      $0.reviewEnd = .accept
    }
    #expect(booth.machine.timer?.deadline == .milliseconds(605_000))
    #expect(booth.expire().outcomes == [.cancelled])
  }

  @Test("starts its time again at a touch, and the old timer is late then")
  func extend() {
    var booth = Booth.in(.reviewing)
    let old = booth.machine.timer
    booth.send(.extend, at: 20_000)
    #expect(booth.machine.timer?.deadline == .milliseconds(50_000))
    #expect(old.map { booth.send(.timer($0.token), at: 35_000) } == [])
    #expect(booth.name == .reviewing)
  }

  @Test("a touch does not start the 0.8 s again")
  func extendKeepsShown() {
    var booth = Booth.in(.reviewing)
    booth.send(.extend, at: 5_700)
    #expect(booth.send(.accept, at: 5_800).saves == 1)
  }

  @Test("retake discards the candidate and counts down again, in the same session")
  func retake() {
    var booth = Booth.in(.reviewing)
    let (candidate, session) = (booth.candidate, booth.machine.session)
    let effects = booth.send(.retake, at: 6_000)
    #expect(effects.contains(.discard(candidate)))
    #expect(booth.machine.state == .countdown(moment: .milliseconds(9_000)))
    #expect(booth.machine.session == session)
    booth.expire()
    #expect(booth.candidate != candidate)
  }

  @Test(
    "retake is refused while no photo can be taken; the picture stays",
    arguments: [
      PickerMachine.Condition.Resource.camera, .storage,
    ])
  func retakeRefused(resource: PickerMachine.Condition.Resource) {
    var booth = Booth.in(.reviewing)
    booth.send(.condition(resource, .unavailable(PickerReason(.storageFull))), at: 5_500)
    #expect(booth.send(.retake, at: 6_000).refusals == [.storageFull])
    #expect(booth.send(.accept, at: 6_100).saves == 1)
  }

  @Test("saves the crop box where editing is allowed, and has none where it is not")
  func editing() {
    let edit = PickerEdit(crop: PixelRect(x: 1, y: 2, width: 30, height: 40), quarterTurns: 5)
    var booth = Booth.in(.reviewing)
    booth.send(.edit(edit), at: 6_000)
    let candidate = booth.candidate
    let effects = booth.send(.accept, at: 7_000)
    #expect(
      effects.contains(.save(candidate, session: SessionID(rawValue: 1), edit: edit, frame: nil)))

    var plain = Booth(countdown: .zero)
    plain.send(.shutter, at: 1_000)
    plain.send(.captured(plain.candidate), at: 1_100)
    #expect(plain.send(.edit(edit), at: 1_200).isEmpty)
  }

  @Test("a retake forgets the crop box of the picture before")
  func retakeForgetsEdit() {
    var booth = Booth.in(.reviewing)
    booth.send(.edit(PickerEdit(quarterTurns: 1)), at: 6_000)
    booth.send(.retake, at: 7_000)
    booth.expire()
    booth.send(.captured(booth.candidate), at: 11_000)
    guard case .reviewing(let review) = booth.machine.state else {
      Issue.record("\(booth.machine.state)")
      return
    }
    #expect(review.edit == nil)
  }
}
