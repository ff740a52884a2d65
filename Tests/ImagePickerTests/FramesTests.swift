import ImagePicker
import Testing

@Suite("The frames around the press")
struct FramesTests {
  private static let edit = PickerEdit(quarterTurns: 1)

  /// A booth whose review has offered `count` frames at 5,200 ms, the middle one nearest.
  private func booth(
    _ count: Int = 5, _ configure: (inout PickerMachine.Configuration) -> Void = { _ in }
  ) throws -> Booth {
    var booth = Booth.in(.reviewing, configure)
    booth.send(.framesOffered(booth.candidate, try frames(count)), at: 5_200)
    return booth
  }

  private func frames(_ count: Int, nearest: Int? = nil) throws -> ReviewFrames {
    try #require(
      ReviewFrames(
        offsets: (0..<count).map { .milliseconds(33 * $0 - 66) }, nearest: nearest ?? count / 2))
  }

  @Test(
    "are two to five with the nearest among them",
    arguments: [
      (0, 0, false), (1, 0, false), (2, 0, true), (5, 4, true), (6, 0, false), (3, 3, false),
      (3, -1, false), (100_000, 0, false),
    ])
  func counts(count: Int, nearest: Int, isOffer: Bool) {
    let frames = ReviewFrames(offsets: Array(repeating: .zero, count: count), nearest: nearest)
    #expect((frames != nil) == isOffer)
    #expect(frames?.chosen == frames?.nearest)
  }

  @Test("do not hold up the review: it begins without them, and its time goes on when they come")
  func comeLater() throws {
    var booth = Booth.in(.reviewing)
    #expect(booth.machine.state.frames == nil)
    let deadline = booth.machine.timer?.deadline
    booth.send(.framesOffered(booth.candidate, try frames(5)), at: 5_200)
    #expect(booth.machine.state.frames?.count == 5)
    #expect(booth.machine.timer?.deadline == deadline)
  }

  @Test("leave a guest who does nothing with the nearest one")
  func nobodyChooses() throws {
    var booth = try booth { $0.reviewEnd = .accept }
    let candidate = booth.candidate
    let effects = booth.expire()
    #expect(effects.contains(save(candidate, frame: 2)))
    #expect(!effects.contains { if case .useFrame = $0 { true } else { false } })

    var early = Booth.in(.reviewing) { $0.reviewEnd = .accept }
    let first = early.candidate
    #expect(early.expire().contains(save(first, frame: nil)))
  }

  private func save(_ candidate: CandidateID, frame: Int?) -> PickerMachine.Effect {
    .save(candidate, session: SessionID(rawValue: 1), edit: nil, frame: frame)
  }

  @Test(
    "are chosen by index and by steps, which go round",
    arguments: [
      ([FrameChoice.index(0)], 0), ([.index(4)], 4), ([.next], 3), ([.next, .next], 4),
      ([.next, .next, .next], 0), ([.previous, .previous, .previous], 4),
      ([.index(4), .previous], 3), ([.index(5)], 2), ([.index(-1)], 2), ([.index(.max)], 2),
      ([.index(.min)], 2),
    ])
  func choice(choices: [FrameChoice], expected: Int) throws {
    var booth = try booth()
    let candidate = booth.candidate
    for choice in choices { booth.send(.chooseFrame(choice), at: 6_000) }
    #expect(booth.machine.state.frames?.chosen == expected)
    #expect(booth.send(.accept, at: 7_000).contains(save(candidate, frame: expected)))
  }

  @Test("have the chosen one made and then shown, and no other")
  func ready() throws {
    var booth = try booth()
    let (candidate, session) = (booth.candidate, SessionID(rawValue: 1))
    #expect(booth.machine.state.frames?.isReady == true)
    let effects = booth.send(.chooseFrame(.index(4)), at: 6_000)
    #expect(effects.contains(.useFrame(candidate, session: session, frame: 4)))
    #expect(booth.machine.state.frames?.isReady == false)
    #expect(booth.send(.frameReady(candidate, 3), at: 6_010).isEmpty)
    booth.send(.frameReady(candidate, 4), at: 6_020)
    #expect(booth.machine.state.frames?.isReady == true)
  }

  @Test("give the guest time again when one is chosen, and keep the edit and the 0.8 s")
  func time() throws {
    var booth = try booth()
    booth.send(.edit(Self.edit), at: 5_300)
    booth.send(.chooseFrame(.next), at: 5_700)
    #expect(booth.machine.timer?.deadline == .milliseconds(35_700))
    booth.send(.chooseFrame(.index(3)), at: 5_750)
    #expect(booth.machine.timer?.deadline == .milliseconds(35_750))
    #expect(booth.send(.accept, at: 5_790).isEmpty)
    let candidate = booth.candidate
    #expect(
      booth.send(.accept, at: 5_800).contains(
        .save(candidate, session: SessionID(rawValue: 1), edit: Self.edit, frame: 3)))
  }

  @Test("that cannot be made give way to the nearest, and say so")
  func failure() throws {
    var booth = try booth()
    let (candidate, session) = (booth.candidate, SessionID(rawValue: 1))
    let reason = PickerReason(.frameUnavailable)
    booth.send(.chooseFrame(.index(0)), at: 6_000)
    #expect(booth.send(.frameFailed(candidate, 1, reason), at: 6_010).isEmpty)
    let effects = booth.send(.frameFailed(candidate, 0, reason), at: 6_020)
    #expect(effects.refusals == [.frameUnavailable])
    #expect(effects.contains(.useFrame(candidate, session: session, frame: 2)))
    #expect(booth.machine.state.frames?.chosen == 2)
    // The nearest frame cannot fail, and the machine does not loop if it does.
    #expect(booth.send(.frameFailed(candidate, 2, reason), at: 6_030).isEmpty)
  }

  @Test("of another photo, offered twice, or more than are wanted, change nothing")
  func foreign() throws {
    let other = CandidateID(rawValue: 99)
    var booth = Booth.in(.reviewing) { $0.reviewFrames = 3 }
    #expect(booth.send(.framesOffered(other, try frames(2)), at: 5_100).isEmpty)
    #expect(booth.send(.framesOffered(booth.candidate, try frames(4)), at: 5_100).isEmpty)
    booth.send(.framesOffered(booth.candidate, try frames(3)), at: 5_100)
    #expect(booth.send(.framesOffered(booth.candidate, try frames(2)), at: 5_100).isEmpty)
    #expect(booth.machine.state.frames?.count == 3)
  }

  @Test(
    "are counted by the request, then by the configuration, within their limit",
    arguments: [
      (nil, 5, 5), (nil, 1, 1), (nil, 0, 1), (nil, 99, 5), (1, 5, 1), (4, 1, 4), (99, 1, 5),
      (-3, 5, 1),
    ] as [(Int?, Int, Int)])
  func wanted(request: Int?, configured: Int, expected: Int) {
    var booth = Booth { $0.reviewFrames = configured }
    booth.send(.begin(PickerMachine.Request(reviewFrames: request)), at: 1_000)
    #expect(booth.machine.reviewFrames == expected)
  }

  @Test("mean nothing in any other state", arguments: PickerMachine.State.Name.allCases)
  func elsewhere(state: PickerMachine.State.Name) {
    guard state != .reviewing else { return }
    var booth = Booth.in(state)
    #expect(booth.send(.chooseFrame(.next), at: 10_000).isEmpty)
    #expect(booth.send(.frameReady(booth.candidate, 0), at: 10_000).isEmpty)
    #expect(
      booth.send(.frameFailed(booth.candidate, 0, PickerReason(.frameUnavailable)), at: 10_000)
        .isEmpty)
  }

  @Test("of a movie are not offered")
  func movie() throws {
    var booth = Booth.in(.recording)
    booth.send(.recordingEnded(booth.candidate, nil), at: 4_000)
    #expect(booth.name == .reviewing)
    #expect(booth.send(.framesOffered(booth.candidate, try frames(5)), at: 4_100).isEmpty)
  }

  @Test("are gone with a retake")
  func retake() throws {
    var booth = try booth()
    booth.send(.chooseFrame(.next), at: 6_000)
    booth.send(.retake, at: 6_500)
    booth.expire()
    booth.send(.captured(booth.candidate), at: 10_000)
    #expect(booth.name == .reviewing)
    #expect(booth.machine.state.frames == nil)
  }
}

@Suite("A picker's frames") @MainActor struct PickerFramesTests {
  private let host = FakeHost()

  @MainActor private final class Chooser: ImagePickerControllerDelegate {
    var offers: [ReviewFrames] = []

    func imagePickerController(
      _ picker: ImagePickerController,
      didFinishPickingMediaWithInfo info: [ImagePickerController.InfoKey: Any]
    ) {}

    func imagePickerController(_ picker: ImagePickerController, didOffer frames: ReviewFrames) {
      offers.append(frames)
      if frames.chosen == frames.nearest { picker.chooseFrame(.index(0)) }
    }
  }

  @Test("are told to its delegate, which may choose")
  func delegate() async throws {
    let picker = ImagePickerController(host: host)
    picker.sourceType = .camera
    picker.reviewFrames = 3
    let chooser = Chooser()
    picker.delegate = chooser
    try await host.present(picker)
    host.advance(to: .reviewing)
    #expect(picker.offeredFrames == nil)
    let candidate = try #require(host.machine.state.candidate)
    let frames = try #require(
      ReviewFrames(offsets: [.milliseconds(-33), .zero, .milliseconds(33)], nearest: 1))
    host.input(.framesOffered(candidate, frames))
    #expect(picker.offeredFrames?.chosen == 0)
    #expect(chooser.offers.map(\.chosen) == [1, 0])
    host.input(.cancel)
    #expect(picker.offeredFrames == nil)
  }

  @Test("are refused where a review cannot offer so many", arguments: [0, -1, 6, .max])
  func range(count: Int) async {
    let picker = ImagePickerController(host: host)
    picker.sourceType = .camera
    picker.reviewFrames = count
    do throws(PickerError) {
      try await host.present(picker)
      Issue.record("presented with \(count) frames")
    } catch {
      #expect(error.code == .reviewFramesInvalid)
    }
  }
}
