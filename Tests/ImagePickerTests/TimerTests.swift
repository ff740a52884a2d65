import ImagePicker
import Testing

@Suite("Timers")
struct TimerTests {
  @Test("run in every state but idle", arguments: PickerMachine.State.Name.allCases)
  func everyStateHasOne(state: PickerMachine.State.Name) {
    let plain = Booth.in(state)
    #expect(plain.name == state)
    #expect((plain.machine.timer == nil) == (state == .idle))
    let endless = Booth.in(state) {
      $0.liveTimeout = .zero
      $0.reviewTimeout = .zero
      $0.abandonment = .seconds(-5)
      $0.captureTimeout = .zero
      $0.slowSave = .zero
      $0.linger = .zero
      $0.failureLinger = .zero
    }
    #expect((endless.machine.timer == nil) == (state == .idle))
  }

  @Test(
    "lead each state on by themselves",
    arguments: [
      (PickerMachine.State.Name.live, PickerMachine.State.Name.cancelled),
      (.countdown, .capturing), (.capturing, .failed), (.reviewing, .cancelled),
      (.saving, .saving), (.browsing, .cancelled), (.editing, .cancelled),
      (.finished, .idle), (.cancelled, .idle), (.failed, .idle),
    ])
  func expiry(from: PickerMachine.State.Name, to: PickerMachine.State.Name) {
    var booth = Booth.in(from)
    booth.expire()
    #expect(booth.name == to)
  }

  @Test("that are late or unknown change nothing", arguments: PickerMachine.State.Name.allCases)
  func late(state: PickerMachine.State.Name) {
    var booth = Booth.in(state)
    let before = booth.machine
    let running = booth.machine.timer?.token.rawValue ?? UInt64.max
    for token in UInt64(0)..<40 where token != running {
      #expect(booth.send(.timer(TimerToken(rawValue: token)), at: 1_000_000).isEmpty)
    }
    #expect(booth.machine == before)
  }

  @Test("that outlive their guest do not touch the next one")
  func outlived() throws {
    var booth = Booth.in(.reviewing) { $0.reviewEnd = .accept }
    let old = try #require(booth.machine.timer)
    booth.send(.cancel, at: 6_000)
    booth.send(.shutter, at: 7_000)
    booth.expire()
    booth.send(.captured(booth.candidate), at: 10_100)
    #expect(booth.send(.timer(old.token), at: 35_000).isEmpty)
    #expect(booth.name == .reviewing)
  }

  @Test("that fire before their time are started again")
  func early() throws {
    var booth = Booth.in(.countdown)
    let timer = try #require(booth.machine.timer)
    #expect(
      booth.send(.timer(timer.token), at: 4_499)
        == [.startTimer(timer.token, deadline: timer.deadline)])
    #expect(booth.name == .countdown)
  }

  @Test("that fire late leave the moment where it was")
  func lateCountdown() throws {
    var booth = Booth.in(.countdown)
    let timer = try #require(booth.machine.timer)
    #expect(booth.send(.timer(timer.token), at: 4_900).captures == [.milliseconds(4_500)])
  }

  @Test(
    "of absurd lengths, and clocks at their ends, trap nowhere",
    arguments: [
      Duration.seconds(Int64.max), .seconds(Int64.min), .zero, .nanoseconds(1),
    ])
  func extremes(duration: Duration) {
    for nanoseconds in [Int64.min, -1, 0, Int64.max] {
      var booth = Booth(countdown: duration) {
        $0.reviewTimeout = duration
        $0.liveTimeout = duration
        $0.linger = duration
        $0.captureTimeout = duration
      }
      let time = PickerInstant(nanoseconds: nanoseconds)
      for event in [
        PickerMachine.Event.shutter, .accept, .captured(CandidateID(rawValue: 1)), .retake,
        .extend, .cancel, .shutter, .begin(PickerMachine.Request(selectionLimit: .min)),
      ] {
        _ = booth.machine.handle(event, at: time, now: PickerInstant(nanoseconds: .max))
        _ = booth.machine.handle(event, at: time)
        if let timer = booth.machine.timer {
          _ = booth.machine.handle(.timer(timer.token), at: timer.deadline)
        }
      }
    }
  }
}
