import Platform
import Testing

@testable import Trigger

private func ms(_ milliseconds: Int64) -> MonotonicTime {
  MonotonicTime(nanoseconds: 1_000_000_000 + milliseconds * 1_000_000)
}

@Suite("A button's meaning") struct ButtonInterpreterTests {
  private typealias Wish = ButtonInterpreter.Wish

  @Test(
    "is that of its role, dated by the press",
    arguments: [
      (ButtonRole.shutter, TriggerAction.shutter), (.accept, .accept), (.retake, .retake),
      (.cancel, .cancel), (.next, .next), (.previous, .previous),
    ])
  func plainRoles(role: ButtonRole, action: TriggerAction) {
    for isReview in [false, true] {
      var button = ButtonInterpreter(role: role)
      #expect(
        button.handle(.pressed(ms(10)), isReview: isReview) == [Wish(action: action, time: ms(10))])
      #expect(button.handle(.long(ms(10)), isReview: isReview) == [])
      #expect(button.handle(.released(ms(2000), pressed: ms(10)), isReview: isReview) == [])
    }
  }

  @Test("goes from frame to frame as quickly as the guest presses, if that is its short press")
  func oneGoesFromFrameToFrame() {
    var meaning = OneButtonMeaning()
    (meaning.short, meaning.long, meaning.double) = (.next, .accept, nil)
    var button = ButtonInterpreter(role: .one, meaning: meaning)
    for start in [10, 160, 310] as [Int64] {
      #expect(button.handle(.pressed(ms(start)), isReview: true) == [])
      #expect(
        button.handle(.released(ms(start + 80), pressed: ms(start)), isReview: true)
          == [Wish(action: .next, time: ms(start))])
    }
    #expect(button.handle(.pressed(ms(500)), isReview: true) == [])
    #expect(
      button.handle(.long(ms(500)), isReview: true) == [Wish(action: .accept, time: ms(1300))])
  }

  @Test("is a power-off only after five seconds") func shutdown() {
    var button = ButtonInterpreter(role: .shutdown)
    #expect(button.long == .seconds(5))
    #expect(button.handle(.pressed(ms(10)), isReview: false) == [])
    #expect(button.handle(.released(ms(900), pressed: ms(10)), isReview: false) == [])
    #expect(button.handle(.pressed(ms(2000)), isReview: false) == [])
    #expect(
      button.handle(.long(ms(2000)), isReview: false) == [Wish(action: .shutdown, time: ms(7000))])
    #expect(button.handle(.stuck(since: ms(2000)), isReview: false) == [])
  }

  @Test("is the shutter at once outside of a review, if it is the only one") func oneIsTheShutter()
  {
    var button = ButtonInterpreter(role: .one)
    #expect(
      button.handle(.pressed(ms(10)), isReview: false) == [Wish(action: .shutter, time: ms(10))])
    // A button that is held on into the review has no further effect.
    #expect(button.handle(.long(ms(10)), isReview: true) == [])
    #expect(button.handle(.released(ms(1500), pressed: ms(10)), isReview: true) == [])
    #expect(button.deadline == nil)
  }

  @Test("during a review follows what the guest does with the only one") func oneInReview() {
    var meaning = OneButtonMeaning()
    meaning.double = .cancel
    var button = ButtonInterpreter(role: .one, meaning: meaning)
    // Short: accepted once no second press can come, dated by the press.
    #expect(button.handle(.pressed(ms(10)), isReview: true) == [])
    #expect(button.handle(.released(ms(110), pressed: ms(10)), isReview: true) == [])
    #expect(button.deadline == ms(510))
    #expect(button.check(at: ms(509)) == [])
    #expect(button.check(at: ms(510)) == [Wish(action: .accept, time: ms(10))])
    #expect(button.deadline == nil)
    // Long: as soon as it is long, and only once.
    #expect(button.handle(.pressed(ms(1000)), isReview: true) == [])
    #expect(
      button.handle(.long(ms(1000)), isReview: true) == [Wish(action: .retake, time: ms(1800))])
    #expect(button.handle(.released(ms(3000), pressed: ms(1000)), isReview: true) == [])
    // Double.
    #expect(button.handle(.pressed(ms(4000)), isReview: true) == [])
    #expect(button.handle(.released(ms(4100), pressed: ms(4000)), isReview: true) == [])
    #expect(
      button.handle(.pressed(ms(4300)), isReview: true) == [Wish(action: .cancel, time: ms(4300))])
    #expect(button.handle(.released(ms(4400), pressed: ms(4300)), isReview: true) == [])
    #expect(button.deadline == nil)
  }

  @Test("of a second press that was handled late is a new one") func lateSecondPress() {
    var meaning = OneButtonMeaning()
    meaning.double = .cancel
    var button = ButtonInterpreter(role: .one, meaning: meaning)
    _ = button.handle(.pressed(ms(10)), isReview: true)
    _ = button.handle(.released(ms(110), pressed: ms(10)), isReview: true)
    #expect(
      button.handle(.pressed(ms(900)), isReview: true) == [Wish(action: .accept, time: ms(10))])
    _ = button.handle(.released(ms(1000), pressed: ms(900)), isReview: true)
    #expect(button.check(at: ms(1400)) == [Wish(action: .accept, time: ms(900))])
  }

  @Test("twice in a hurry during a review is one press, unless it is configured otherwise")
  func hurry() {
    for second: Int64 in [150, 300, 509] {
      var button = ButtonInterpreter(role: .one)
      #expect(button.handle(.pressed(ms(10)), isReview: true) == [])
      let first = button.handle(.released(ms(110), pressed: ms(10)), isReview: true)
      #expect(first == [Wish(action: .accept, time: ms(10))])
      #expect(button.deadline == nil)
      // The review may be over by then; a second session is not what the guest wants.
      for isReview in [true, false] {
        #expect(button.handle(.pressed(ms(second)), isReview: isReview) == [])
        #expect(
          button.handle(.released(ms(second + 50), pressed: ms(second)), isReview: isReview) == [])
      }
      let next = button.handle(.pressed(ms(900)), isReview: false)
      #expect(next == [Wish(action: .shutter, time: ms(900))])
    }
  }

  @Test("without long and double presses needs no waiting") func oneConfigured() {
    var meaning = OneButtonMeaning()
    (meaning.long, meaning.double) = (nil, nil)
    var button = ButtonInterpreter(role: .one, meaning: meaning)
    #expect(
      button.handle(.pressed(ms(10)), isReview: true) == [Wish(action: .accept, time: ms(10))])
    meaning.long = .cancel
    button = ButtonInterpreter(role: .one, meaning: meaning)
    #expect(button.handle(.pressed(ms(10)), isReview: true) == [])
    #expect(
      button.handle(.released(ms(100), pressed: ms(10)), isReview: true) == [
        Wish(action: .accept, time: ms(10))
      ])
  }
}
